// The filter values of lists (K-05, E-20). Without zod, because browsers import it.

export const DIFFICULTIES = [
  { title: "Easy", value: 3 },
  { title: "Normal", value: 4 },
  { title: "Difficult", value: 6 },
] as const;
export const difficultyTitle = (value: number): string =>
  DIFFICULTIES.find((difficulty) => difficulty.value === value)?.title ?? "Normal";

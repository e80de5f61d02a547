// The terms lists are filtered by (K-05, E-20); free of zod, for the browser.

export const DIFFICULTIES = [
  { title: "Easy", value: 3 },
  { title: "Normal", value: 4 },
  { title: "Difficult", value: 6 },
] as const;
export const difficultyTitle = (value: number): string =>
  DIFFICULTIES.find((one) => one.value === value)?.title ?? "Normal";

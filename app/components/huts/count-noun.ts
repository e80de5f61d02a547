// A number with its noun, in the sentences about a hut.
export const countNoun = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`;

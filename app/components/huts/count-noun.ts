// A number with its noun, in the sentences about a hut.
export const countNoun = (number: number, singular: string, plural: string): string =>
  `${number} ${number === 1 ? singular : plural}`;

// How many bytes a row may hold. D1 and Durable Object rows end at 2,000,000 bytes once deployed; locally nothing does.

/** UTF-8 bytes of a row's texts. */
export const ROW_BYTES = 1_000_000;
const encoder = new TextEncoder();
export const bytesOf = (text: string): number => encoder.encode(text).length;

/** Whether texts that share a row fit into it. */
export function fitRow(...texts: string[]): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  // No letter takes more than three bytes a unit.
  return length * 3 <= ROW_BYTES || texts.reduce((sum, text) => sum + bytesOf(text), 0) <= ROW_BYTES;
}

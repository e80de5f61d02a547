// The size limit of a database row. Deployed D1 and Durable Object rows are limited to 2,000,000 bytes; local ones are
// not.

/** UTF-8 bytes of a row's texts. */
export const ROW_BYTES = 1_000_000;
const encoder = new TextEncoder();
export const bytesOf = (text: string): number => encoder.encode(text).length;

/** True if texts that share a row fit into it. */
export function fitRow(...texts: string[]): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  // A UTF-16 unit takes at most three bytes.
  return length * 3 <= ROW_BYTES || texts.reduce((sum, text) => sum + bytesOf(text), 0) <= ROW_BYTES;
}

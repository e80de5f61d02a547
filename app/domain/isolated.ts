// Isolates people's words in a sentence of ours. Pure.

/** Letters that run from right to left. */
const RTL_LETTERS = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Somebody's words within a sentence of ours, whose order they must not change. */
export const isolateRtl = (text: string): string => (RTL_LETTERS.test(text) ? `\u2068${text}\u2069` : text);

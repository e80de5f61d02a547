// Token prices and periods. The ledger counts hundredths (B-05).
import { DAY } from "./time";

/** Hundredths of a token. The only price table, shown on /tokens#token-rates; prices may change. */
export const PRICES = { goal: 100, join: 100, follow: 1, log: 1, note: 1, post: 1, chat: 1 } as const;
export type Priced = keyof typeof PRICES;

/** The actions that tokens of the Basic plan pay for (B-10). */
export const BASIC_SCOPE: readonly Priced[] = ["goal", "log", "note"];
export const WELCOME_TOKENS = 1000;
export const REDEEMED_TOKENS = 50_000;
/** Messages of one chat block: 1 token (B-13). */
export const CHAT_BLOCK = 100;

/** How long tokens last that are returned after their lot has expired. Milliseconds. */
export const REFUND_PERIOD = 30 * DAY;

/** Hundredths → tokens, at most two decimals (B-11). */
export const tokensOf = (hundredths: number): number => hundredths / 100;
/** Tokens → hundredths. */
export const hundredthsOf = (tokens: number): number => Math.round(tokens * 100);

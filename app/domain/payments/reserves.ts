// Tokens that are taken in advance for chat lines (B-13), and the sentences about them.
import { tokensOf } from "~/domain/tokens";

/** Hundredths reserved for the chat of a session. */
type Reserve = { title: string; amount: number };

/** Hundredths → the tokens in the header, in which a reserve counts as not spent (B-11). */
export const headerTokens = (account: { tokens: number; reservedTokens: number }): number =>
  tokensOf(account.tokens + account.reservedTokens);

/** Hundredths → the balance in words, with the reserved tokens beside it. */
export const balanceText = (account: { tokens: number; reservedTokens: number }): string =>
  `${tokensOf(account.tokens)} tokens${account.reservedTokens > 0 ? `, and ${tokensOf(account.reservedTokens)} reserved for chat` : ""}`;

/** The refusal of a person who has too few tokens beside the reserves (B-13). `available` in hundredths. */
export function reserveSentence(available: number, reserves: readonly Reserve[]): string {
  const reserved = reserves.reduce((sum, { amount }) => sum + amount, 0);
  const chats = reserves.map(({ title }) => `“${title}”`).join(", ");
  return `You have ${tokensOf(available)} tokens. A further ${tokensOf(reserved)} ${reserved === 100 ? "is" : "are"} reserved for the chat of ${chats}. The unused part is refunded when you leave or the session ends.`;
}

// The people whom a text mentions by `@username` (N-26). Pure.

/** At most so many mentions of a text count. */
const MAX_MENTIONS = 10;
/**
 * A name follows a space, a bracket or a quote, so that no part of an address, of an email or of a word in any script
 * counts.
 */
const MENTION = /(?<![\p{L}\p{M}\p{N}_@/.-])@([A-Za-z0-9_-]{3,30})(?![\p{L}\p{M}\p{N}_-])/gu;

/** Up to ten different names in lower case, in order. */
export function mentionsIn(text: string): string[] {
  // Most lines mention nobody, and the search for the sign is cheaper than the expression.
  if (!text.includes("@")) return [];
  const names = new Set<string>();
  for (const [, name = ""] of text.matchAll(MENTION)) {
    names.add(name.toLowerCase());
    if (names.size === MAX_MENTIONS) break;
  }
  return [...names];
}

// Rules of a form's fields as plain functions, without a schema library: browser and server run the same ones, so that a
// form says the same sentence before and after it is sent.

/** The sentence for an invalid field, or null. `all` is the whole form as typed. */
export type Rule = (
  value: string,
  all: Readonly<Partial<Record<string, string>>>,
) => string | readonly string[] | null;
export type Rules<Name extends string = string> = Readonly<Record<Name, Rule>>;

/** Field → what is wrong with it; null when all is well. */
export function problemsOf(
  rules: Rules,
  typed: Readonly<Partial<Record<string, string>>>,
): Record<string, string[]> | null {
  const found = Object.entries(rules)
    .map(([name, rule]) => [name, [rule(typed[name] ?? "", typed) ?? []].flat()] as const)
    .filter(([, sentences]) => sentences.length > 0);
  return found.length > 0 ? Object.fromEntries(found) : null;
}

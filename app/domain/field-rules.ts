// Form rules as plain functions without a schema library, so that browser and server report the same errors.
import { foldLine } from "./text-lines";

/** The sentence for an invalid field, or null. `fields` is the whole form as typed. */
export type Rule = (
  value: string,
  fields: Readonly<Partial<Record<string, string>>>,
) => string | readonly string[] | null;
export type Rules<Name extends string = string> = Readonly<Record<Name, Rule>>;

/** Passwords keep every character; other fields are one line. */
export const isSecret = (name: string): boolean => /password/i.test(name);

/** The error of each invalid field, or null if all are valid. */
export function problemsOf(
  rules: Rules,
  values: Readonly<Partial<Record<string, string>>>,
): Record<string, string[]> | null {
  const problems = Object.entries(rules)
    .map(([name, rule]) => [name, [rule(textOf(name, values[name]), values) ?? []].flat()] as const)
    .filter(([, sentences]) => sentences.length > 0);
  return problems.length > 0 ? Object.fromEntries(problems) : null;
}

const textOf = (name: string, value = ""): string => (isSecret(name) ? value : foldLine(value));

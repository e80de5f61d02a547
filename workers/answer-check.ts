// Checks answers against their schemas, only in tests and local runs (O-12).
import { z } from "zod";
import { $defs, answers } from "~/wire/answers.json";

const checks = new Map<string, z.ZodType>();

function checkOf(route: string): z.ZodType | undefined {
  const schema = (answers as Record<string, object>)[route];
  if (!schema) return undefined;
  const cachedCheck = checks.get(route);
  if (cachedCheck) return cachedCheck;
  const newCheck = z.fromJSONSchema({ ...schema, $defs } as z.core.JSONSchema.JSONSchema);
  checks.set(route, newCheck);
  return newCheck;
}

/** Throws when an answer of `METHOD /path`, parsed from its JSON, differs from its schema. */
export function checkAnswer(route: string, answer: unknown): void {
  const check = checkOf(route);
  if (!check) throw new Error(`The answer of ${route} has no schema.`);
  const { error } = check.safeParse(answer);
  if (error) throw new Error(`The answer of ${route} differs from its schema: ${z.prettifyError(error)}`);
}

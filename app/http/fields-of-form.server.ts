// Sorts the errors of a refusal: those at fields of the form stay there, and the others belong to the form as a whole.
import { z } from "zod";

/** The names of a schema's fields; null where it has no fixed names. */
function namesOf(schema: z.core.$ZodType): readonly string[] | null {
  if (schema instanceof z.ZodObject)
    return schema.def.catchall === undefined ? Object.keys(schema.shape) : null;
  if (schema instanceof z.ZodPipe)
    return namesOf(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
  if (schema instanceof z.ZodIntersection) return joined([schema.def.left, schema.def.right]);
  if (schema instanceof z.ZodUnion) return joined(schema.def.options);
  return null;
}

function joined(schemas: readonly z.core.$ZodType[]): readonly string[] | null {
  const lists = schemas.map(namesOf);
  return lists.includes(null) ? null : lists.flatMap((names) => names ?? []);
}

/** `goals[0].title` is of the field `goals`. */
const rootOf = (name: string): string => name.split(/[.[]/, 1)[0] ?? "";

type FormFields = {
  schema: z.ZodType;
  /** The names that the form posted. */
  posted: readonly string[];
  /** Names of the page's address, for which no form has a field. */
  params: readonly string[];
  /** Further names whose errors the page shows. */
  shows: readonly string[];
};

/** An unticked checkbox posts nothing, so the schema's names count as well. */
export function sortErrors(
  errors: Record<string, string[]>,
  { schema, posted, params, shows }: FormFields,
): { fieldErrors: Record<string, string[]>; formErrors: string[] } {
  const names = namesOf(schema);
  const roots = new Set([
    ...(names ?? []).filter((name) => !params.includes(name)),
    ...posted.map(rootOf),
    ...shows,
  ]);
  const isShown = (name: string): boolean => names === null || roots.has(rootOf(name));
  const entries = Object.entries(errors);
  return {
    fieldErrors: Object.fromEntries(entries.filter(([name]) => isShown(name))),
    formErrors: entries.flatMap(([name, sentences]) => (isShown(name) ? [] : sentences)),
  };
}

// Filters the values that a refusal returns to the form.
import type { RefusedAct } from "~/wire/act";

/** Characters of the longest value that is returned. */
const LONGEST_SENT_BACK = 10_000;
const TOO_LONG =
  "This text is too long to show here again. Go back in your browser to find it as you typed it, then correct the form.";

type RefusedForm = RefusedAct["form"];

/**
 * The refused form without its long values. A hydrated page still holds them; otherwise an error of the field says how
 * to recover them.
 */
export function withoutLongValues(form: RefusedForm, isHydrated: boolean): RefusedForm {
  const tooLongPaths: string[] = [];
  const shorten = (value: unknown, path: string): unknown => {
    if (typeof value === "string" && value.length > LONGEST_SENT_BACK) {
      tooLongPaths.push(path);
      return undefined;
    }
    if (Array.isArray(value)) return value.map((item, index) => shorten(item, `${path}[${index}]`));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        shorten(item, path === "" ? name : `${path}.${name}`),
      ]),
    );
  };
  const initialValue = shorten(form.initialValue ?? {}, "") as RefusedForm["initialValue"];
  if (tooLongPaths.length === 0) return form;
  const error = { ...form.error };
  if (!isHydrated) for (const path of tooLongPaths) error[path] = [...(error[path] ?? []), TOO_LONG];
  return { ...form, initialValue, error };
}

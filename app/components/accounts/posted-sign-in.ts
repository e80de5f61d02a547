// Reads the hidden fields of a posted sign-in form, for the page that answers it.
import { safePath } from "~/domain/accounts/safe-path";

type PostedForm = { form?: { initialValue?: Record<string, unknown> | null }; result?: unknown };

function fieldText(posted: unknown, name: string): string | null {
  const { form, result } = (posted ?? {}) as PostedForm;
  const value = form?.initialValue?.[name] ?? (result as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === "string" ? value : null;
}

/** The path of the redirect. A post without JavaScript loses the query of the URL, but the form has a field for it. */
export function nextOf(posted: unknown, next: string): string {
  const value = fieldText(posted, "next");
  return value === null ? next : safePath(value);
}

/** The posted value by which the server recognises the act that needed this sign-in; empty without one. */
export const actToResumeIn = (posted: unknown): string => fieldText(posted, "actToResume") ?? "";

// The path that a form redirects to, on the page of its answer.
import { safePath } from "~/domain/accounts/rules";

type Posted = { form?: { initialValue?: { next?: unknown } | null }; result?: unknown };

/** A post without JavaScript loses the query of the URL; the form still knows the redirect. */
export function nextOf(posted: unknown, next: string): string {
  const { form, result } = (posted ?? {}) as Posted;
  const known = form?.initialValue?.next ?? (result as { next?: unknown } | null | undefined)?.next;
  return typeof known === "string" ? safePath(known) : next;
}

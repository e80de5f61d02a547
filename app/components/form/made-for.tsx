// The hidden field with the page's mark, a hash of its login and person. The server refuses a write under another login
// hooks/made-for.ts keeps the mark current. The server's build adds the page's uuid.
import { useShell } from "~/hooks/use-shell";
import { MADE_FOR_FIELD } from "~/wire/made-for";

export function MadeFor() {
  const { madeFor, pageUuid } = useShell();
  if (madeFor === null) return null;
  const value = import.meta.env.SSR ? `${madeFor}.${pageUuid}` : madeFor;
  return <input type="hidden" name={MADE_FOR_FIELD} value={value} suppressHydrationWarning />;
}

// The hidden field with the page's mark, a hash of its login and person. The server refuses a write under another login
// hooks/made-for.ts keeps the mark current.
import { useShell } from "~/hooks/use-shell";
import { MADE_FOR_FIELD } from "~/wire/made-for";

export function MadeFor() {
  const { madeFor } = useShell();
  return madeFor === null ? null : <input type="hidden" name={MADE_FOR_FIELD} value={madeFor} />;
}

// The hidden field with the login and person that the page was made for, for forms before JavaScript runs.
// hooks/made-for.ts sets it afterwards.
import { useShell } from "~/hooks/use-shell";
import { MADE_FOR_FIELD } from "~/wire/made-for";

export function MadeFor() {
  const { madeFor } = useShell();
  return madeFor === null ? null : <input type="hidden" name={MADE_FOR_FIELD} value={madeFor} />;
}

// A form whose act waits in the outbox while the browser has no network (W-05).

import { ACCEPTED } from "~/hooks/form/use-draft";
import { toast } from "~/hooks/toasts";
import { hold } from "./door";
import type { Held } from "./sending";

/**
 * Puts the act of a form into the outbox while the browser has no network; true then, because nothing is to be sent
 * now. `read` returns the entry, or a sentence about what is typed wrong.
 */
export function holdForm(
  form: HTMLFormElement | null,
  read: (typed: (name: string) => string) => Held | string,
  onHeld?: () => void,
): boolean {
  if (navigator.onLine || !form) return false;
  const data = new FormData(form);
  const entry = read((name) => String(data.get(name) ?? ""));
  if (typeof entry === "string") toast.warning(entry);
  else
    void hold(entry).then((isHeld) => {
      if (!isHeld) return;
      form.dispatchEvent(new Event(ACCEPTED));
      form.reset();
      onHeld?.();
    });
  return true;
}

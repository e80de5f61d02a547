// A form whose act waits in the outbox while the browser has no network (W-05).

import { ACCEPTED } from "~/hooks/form/use-draft";
import { toast } from "~/hooks/toasts";
import { hold } from "./door";
import type { Held } from "./sending";

/** `read` answers the entry, or the sentence that refuses it. True when nothing is to be sent now. */
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

// A form whose act waits in the outbox while the browser has no network (W-05).

import { ACCEPTED } from "~/hooks/form/use-draft";
import { toast } from "~/hooks/toasts";
import { queueAct } from "./door";
import type { QueuedAct } from "./sending";

/**
 * Puts the act of a form into the outbox while the browser has no network. Returns true then, because the form must not
 * submit. `read` returns the entry, or a sentence about an invalid field.
 */
export function queueForm(
  form: HTMLFormElement | null,
  read: (typed: (name: string) => string) => QueuedAct | string,
  onQueued?: () => void,
): boolean {
  if (navigator.onLine || !form) return false;
  const data = new FormData(form);
  const entry = read((name) => String(data.get(name) ?? ""));
  if (typeof entry === "string") toast.warning(entry);
  else
    void queueAct(entry).then((isQueued) => {
      if (!isQueued) return;
      form.dispatchEvent(new Event(ACCEPTED));
      form.reset();
      onQueued?.();
    });
  return true;
}

// Once tokens were paid for: back to where they were gone, and the same again.
import { useNavigate, useSubmit } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { type Kept, usePaid } from "~/hooks/modals";

export function CarryOn() {
  const paid = usePaid();
  const navigate = useNavigate();
  const submit = useSubmit();
  const done = useRef<Kept | null>(null);
  useEffect(() => {
    if (!paid || done.current === paid) return;
    done.current = paid;
    const { form, from, retry } = paid;
    if (form) {
      // Posted like a form of its page, which then says what came of it.
      form.fields.set("stay", "");
      submit(form.fields, { method: "post", action: form.action });
    } else {
      navigate(from, { preventScrollReset: true });
      retry?.();
    }
  }, [paid, navigate, submit]);
  return null;
}

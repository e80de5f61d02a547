// Resumes the action that lacked tokens, after a payment, and the act that waited in this tab for a sign-in.
import { useNavigate, useSubmit } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { takeAct } from "~/hooks/kept-act";
import { type SavedAction, useActionToResume, useModal } from "~/hooks/modal-store";
import { useShell } from "~/hooks/use-shell";

export function ResumeInterrupted() {
  const action = useActionToResume();
  const navigate = useNavigate();
  const submit = useSubmit();
  const done = useRef<SavedAction | null>(null);
  const isSignedIn = useShell().viewer !== null;
  // The form behind an open modal sends itself again.
  const isBehind = useModal() !== null;
  useEffect(() => {
    if (!isSignedIn || isBehind) return;
    const act = takeAct();
    if (act) submit(act.fields, { method: "post", action: act.action });
  }, [isSignedIn, isBehind, submit]);
  useEffect(() => {
    if (!action || done.current === action) return;
    done.current = action;
    const { form, from, retry } = action;
    if (form) {
      // Submitted like a form of its page, so that the page shows the result.
      form.fields.set("stay", "");
      submit(form.fields, { method: "post", action: form.action });
    } else {
      navigate(from, { preventScrollReset: true });
      retry?.();
    }
  }, [action, navigate, submit]);
  return null;
}

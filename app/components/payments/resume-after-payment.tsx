// Resumes the action that lacked tokens, after a payment.
import { useNavigate, useSubmit } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { type SavedAction, usePaidAction } from "~/hooks/payments/resume-after-payment";

export function ResumeAfterPayment() {
  const action = usePaidAction();
  const navigate = useNavigate();
  const submit = useSubmit();
  const resumedAction = useRef<SavedAction | null>(null);
  useEffect(() => {
    if (!action || resumedAction.current === action) return;
    resumedAction.current = action;
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

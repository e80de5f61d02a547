// The answer to a page's form that was posted and refused: the texts that were typed, and the errors.
import { useActionData } from "@remix-run/react";
import { type ActResult, typedTexts } from "~/wire/act";

/** `typed` is undefined until a post was refused. */
export function usePostedForm() {
  const posted = useActionData<ActResult>();
  const refused = posted && !posted.ok ? posted : null;
  return {
    refused,
    typed: refused?.form.initialValue && typedTexts(refused.form.initialValue),
    /** Every field as it was sent, lists included. */
    sent: refused?.form.initialValue,
    errors: refused?.form.error ?? {},
  };
}

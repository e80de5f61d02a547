// What a page's form was told when it was posted: what was typed, and what is wrong with it.
import { useActionData } from "@remix-run/react";
import type { ActResult } from "~/wire/act";

/** `typed` is undefined until a post was refused. */
export function usePostedForm<Typed = Record<string, string>>() {
  const posted = useActionData<ActResult>();
  const refused = posted && !posted.ok ? posted : null;
  return {
    refused,
    typed: refused?.form.initialValue as Typed | undefined,
    errors: refused?.form.error ?? {},
  };
}

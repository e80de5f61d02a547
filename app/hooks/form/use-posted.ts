// The answer to the post that opened the page or that its form last sent.
import { useActionData, useLocation } from "@remix-run/react";
import { useState } from "react";
import { refusalTo, useAnswer } from "~/hooks/answers";
import type { ActResult, RefusedAct } from "~/wire/act";

/**
 * The router drops the answer when the page reloads its data, e.g. after a change of the time zone or in another tab.
 * It stays until the next navigation, because it may be a second step, recovery codes or an error.
 */
export function usePosted(): ActResult | undefined {
  const posted = useActionData<ActResult>();
  const { key } = useLocation();
  const [latest, setLatest] = useState({ key, posted });
  const isNew = posted !== undefined && posted !== latest.posted;
  if (!isNew && key === latest.key) return latest.posted;
  setLatest({ key, posted });
  return posted;
}

/** Calls `onRefused` once if that post had these fields and was refused. For forms without `useActionForm`. */
export function usePostedRefusal(
  { intent, ...hiddenFields }: { intent: string } & Record<string, string | number>,
  onRefused: (refusal: RefusedAct) => void,
): void {
  useAnswer(refusalTo(usePosted(), intent, hiddenFields), onRefused);
}

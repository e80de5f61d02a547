// The answer of a form's action: which form it belongs to, and handling it once.
import type { ActResult, RefusedAct } from "~/wire/act";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect";

/** The page's answer if it belongs to this form or button. */
export const answerTo = (
  answer: ActResult | null | undefined,
  intent: string,
  hiddenFields: Readonly<Record<string, string | number>> = {},
): ActResult | undefined =>
  answer?.intent === intent &&
  (answer.ok ||
    Object.entries(hiddenFields).every(
      ([name, value]) => String(answer.form.initialValue?.[name] ?? "") === String(value),
    ))
    ? answer
    : undefined;

/** The page's answer if it refuses this form or button. */
export const refusalTo = (...asked: Parameters<typeof answerTo>): RefusedAct | undefined => {
  const answer = answerTo(...asked);
  return answer?.ok ? undefined : answer;
};

/** A page keeps its last answer, and a form that opens again must not handle that answer twice. */
const handledAnswers = new WeakSet<object>();

/**
 * Calls `onAnswer` once for each answer, in the browser and before the paint.
 *
 * Its effect has no dependencies. The router changes the answers of its fetchers in place, so a render may read an
 * answer before any state of React has changed. React then discards that render's effects and keeps its dependencies,
 * and the next render would find no change.
 */
export function useAnswer<A extends object>(answer: A | undefined, onAnswer: (answer: A) => void): void {
  useBrowserLayoutEffect(() => {
    if (!answer || handledAnswers.has(answer)) return;
    handledAnswers.add(answer);
    onAnswer(answer);
  });
}

// The toast of an action that led to a new document: a notice in the page until scripts show it as a toast.
import { useRouteLoaderData } from "@remix-run/react";
import { Notice } from "~/components/ui/notice";
import { useIsScriptless } from "./nonce";

/** The sentence that came with the page's data; null without one. */
export const useLandingToast = (): string | null =>
  useRouteLoaderData<{ toast?: string | null }>("root")?.toast ?? null;

export function LandingToast() {
  const sentence = useLandingToast();
  const isScriptless = useIsScriptless();
  if (sentence === null) return null;
  const notice = (
    <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
      <Notice tone="success">{sentence}</Notice>
    </div>
  );
  return isScriptless ? notice : <noscript>{notice}</noscript>;
}

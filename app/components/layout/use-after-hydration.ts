// Sets the page up after hydration: it preserves the focus, and renders again in the browser's time zone.
import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { readableCookie } from "~/domain/cookies";
import { keepFocus } from "~/hooks/keep-focus";
import { afterParts } from "~/hooks/lazy-parts";
import { useShell } from "~/hooks/use-shell";
import { cookieValue, isSecure, setCookie } from "./cookies";

const YEAR_SECONDS = 31_536_000;

export function useAfterHydration(): void {
  const { timeZone } = useShell();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    keepFocus();
    if (storeTimeZone(timeZone)) afterParts(revalidate);
  }, [timeZone, revalidate]);
}

/** Stores the browser's time zone in a cookie. True if the page was rendered in another zone and must render again. */
function storeTimeZone(renderedZone: string): boolean {
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!browserZone || browserZone === renderedZone || cookieValue("tz") === browserZone) return false;
  setCookie(readableCookie(isSecure(), "tz", browserZone, YEAR_SECONDS));
  return true;
}

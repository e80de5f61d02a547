// Exchanges facts with the server by cookie: the browser's time zone, and the toast after an action's redirect.
import { useLocation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { cookieName, readableCookie } from "~/domain/cookies";
import { toast } from "~/hooks/toasts";
import { useShell } from "~/hooks/use-shell";
import { useLandingToast } from "./landing-toast";

const YEAR_SECONDS = 31_536_000;

const isSecure = (): boolean => location.protocol === "https:";

/** `cookie` as a Set-Cookie header would have it. */
export const setCookie = (cookie: string): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox before 140 and Safari before 18.4 have no Cookie Store.
  document.cookie = cookie;
};

const cookieNamed = (name: string): string | undefined =>
  document.cookie
    .split("; ")
    .find((pair) => pair.startsWith(`${cookieName(isSecure(), name)}=`))
    ?.replace(/^[^=]*=/, "");

/** Deletes the cookie; a malformed one contains no toast. */
function takeToastCookie(): string | null {
  const left = cookieNamed("toast");
  if (!left) return null;
  setCookie(readableCookie(isSecure(), "toast", "", 0));
  try {
    return decodeURIComponent(left);
  } catch {
    return null;
  }
}

/** The location whose toast was shown last, by its key; null until the document's own page was hydrated. */
let shownAt: string | null = null;

export function useBrowserFacts(): void {
  const { timeZone } = useShell();
  const landing = useLandingToast();
  const location = useLocation();
  const { revalidate } = useRevalidator();

  useEffect(() => {
    // Apart from hydration, because the first use of a time zone makes the browser load its tables.
    const timer = setTimeout(() => {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (!zone || zone === timeZone || cookieNamed("tz") === zone) return;
      setCookie(readableCookie(isSecure(), "tz", zone, YEAR_SECONDS));
      revalidate();
    });
    return () => clearTimeout(timer);
  }, [timeZone, revalidate]);

  useEffect(() => {
    if (shownAt === location.key) return;
    // A document brings its toast. The cookie may already belong to the next one, when a native submit is under way.
    const sentence = shownAt === null ? landing : takeToastCookie();
    shownAt = location.key;
    if (sentence) toast.success(sentence);
  }, [location.key, landing]);
}

// Tells the server the browser's time zone by cookie; the cookies that scripts read and write.
import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { cookieName, readableCookie } from "~/domain/cookies";
import { useShell } from "~/hooks/use-shell";

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

/** The value of the cookie, which is deleted; empty without one. */
export function takeCookie(name: string): string {
  const value = cookieNamed(name) ?? "";
  if (value) setCookie(readableCookie(isSecure(), name, "", 0));
  return value;
}

export function useBrowserFacts(): void {
  const { timeZone } = useShell();
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
}

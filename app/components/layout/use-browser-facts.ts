// What only the browser knows and the server should: its time zone, kept in a cookie. And what an action's redirect
// left for this page to say, in the cookie `toast`.
import { useLocation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { toast } from "~/components/ui/toasts";
import { cookieName, readableCookie } from "~/domain/cookies";
import { useShell } from "~/hooks/use-shell";

const YEAR_SECONDS = 31_536_000;

const isSecure = (): boolean => location.protocol === "https:";

const cookieNamed = (name: string): string | undefined =>
  document.cookie
    .split("; ")
    .find((pair) => pair.startsWith(`${cookieName(isSecure(), name)}=`))
    ?.replace(/^[^=]*=/, "");

export function useBrowserFacts(): void {
  const { timeZone } = useShell();
  const location = useLocation();
  const { revalidate } = useRevalidator();

  useEffect(() => {
    const tellZone = () => {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (!zone || zone === timeZone || cookieNamed("tz") === zone) return;
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not everywhere yet.
      document.cookie = readableCookie(isSecure(), "tz", zone, YEAR_SECONDS);
      revalidate();
    };
    // The first question for a zone has the browser load its tables, long enough to be felt: not while a page comes alive.
    const later = setTimeout(tellZone);
    return () => clearTimeout(later);
  }, [timeZone, revalidate]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every arrival looks, whatever else changed.
  useEffect(() => {
    const left = cookieNamed("toast");
    if (!left) return;
    // biome-ignore lint/suspicious/noDocumentCookie: as above.
    document.cookie = readableCookie(isSecure(), "toast", "", 0);
    try {
      toast.success(decodeURIComponent(left));
    } catch {
      // A broken cookie has nothing to say.
    }
  }, [location.key]);
}

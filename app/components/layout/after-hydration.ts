// The work after hydration: it preserves the keyboard focus, stores the browser's time zone, and shows the toast of a
// redirect.
import { cookieName, readableCookie } from "~/domain/cookies";
import { keepFocus } from "~/hooks/keep-focus";
import { toast } from "~/hooks/toasts";
import { type LandingToast, readLandingToast } from "~/wire/landing-toast";
import { isSecure, setCookie } from "./set-cookie";

const YEAR_SECONDS = 31_536_000;

const cookieNamed = (name: string): string =>
  document.cookie
    .split("; ")
    .find((pair) => pair.startsWith(`${cookieName(isSecure(), name)}=`))
    ?.replace(/^[^=]*=/, "") ?? "";

/**
 * Preserves the keyboard focus, and stores the browser's time zone in a cookie. True if the zone
 * is new to the server, so that the page needs another render.
 */
export function setUpAfterHydration(timeZone: string): boolean {
  keepFocus();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || zone === timeZone || cookieNamed("tz") === zone) return false;
  setCookie(readableCookie(isSecure(), "tz", zone, YEAR_SECONDS));
  return true;
}

/** Reads the toast of a redirect that loaded no document, and deletes its cookie. */
function takeLandingToast(): LandingToast | null {
  const value = cookieNamed("toast");
  if (value) setCookie(readableCookie(isSecure(), "toast", "", 0));
  return readLandingToast(value);
}

export function showLanding(isDocument: boolean, landing: LandingToast | null | undefined): void {
  const toastToShow = isDocument ? landing : takeLandingToast();
  if (!toastToShow) return;
  const { sentence, log } = toastToShow;
  if (log === null) toast.success(sentence);
  else toast.logged(log, sentence);
}

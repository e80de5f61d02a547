// Runs after hydration: the browser's time zone, the toast of a redirect, the keyboard's place.
import { cookieName, readableCookie } from "~/domain/cookies";
import { keepFocus } from "~/hooks/kept-focus";
import { toast } from "~/hooks/toasts";
import { type LandingToast, readLandingToast } from "~/wire/landing-toast";
import { isSecure, setCookie } from "./set-cookie";

const YEAR_SECONDS = 31_536_000;

const cookieNamed = (name: string): string =>
  document.cookie
    .split("; ")
    .find((pair) => pair.startsWith(`${cookieName(isSecure(), name)}=`))
    ?.replace(/^[^=]*=/, "") ?? "";

/** True when the server has not rendered for the browser's time zone, and will from now on. */
export function begin(timeZone: string): boolean {
  keepFocus();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || zone === timeZone || cookieNamed("tz") === zone) return false;
  setCookie(readableCookie(isSecure(), "tz", zone, YEAR_SECONDS));
  return true;
}

/** The toast that came by a redirect without a document; its cookie is deleted. */
function takeLanding(): LandingToast | null {
  const value = cookieNamed("toast");
  if (value) setCookie(readableCookie(isSecure(), "toast", "", 0));
  return readLandingToast(value);
}

export function showLanding(isDocument: boolean, landing: LandingToast | null | undefined): void {
  const shown = isDocument ? landing : takeLanding();
  if (!shown) return;
  const { sentence, log } = shown;
  if (log === null) toast.success(sentence);
  else toast.logged(log, sentence);
}

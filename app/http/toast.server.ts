// Carries an action's toast across its redirect, in a cookie that the next page takes.
import { readableCookie } from "~/domain/cookies";
import { type LandingToast, readLandingToast, writeLandingToast } from "~/wire/landing-toast";
import { isSecure, readCookie } from "./request-cookies.server";

const COOKIE_NAME = "toast";
const MAX_AGE_SECONDS = 30;

/** The header that stores it. Scripts read the cookie after a navigation without a document. */
export const toastCookie = (request: Request, toast: LandingToast): string =>
  readableCookie(isSecure(request), COOKIE_NAME, writeLandingToast(toast), MAX_AGE_SECONDS);

/** Null without one, and for a malformed cookie. */
export const toastOf = (request: Request): LandingToast | null =>
  readLandingToast(readCookie(request, COOKIE_NAME));

/** A document contains the toast, so its response deletes the cookie. */
export function deleteToast(request: Request, headers: Headers): void {
  if (readCookie(request, COOKIE_NAME))
    headers.append("Set-Cookie", readableCookie(isSecure(request), COOKIE_NAME, "", 0));
}

// Carries an action's toast across its redirect, in a cookie that the next page takes.
import { readableCookie } from "~/domain/cookies";
import { isSecure, readCookie } from "./request-cookies.server";

const NAME = "toast";
const SECONDS = 30;

/** The header that stores it. Scripts read the cookie after a navigation without a document. */
export const toastCookie = (request: Request, sentence: string): string =>
  readableCookie(isSecure(request), NAME, encodeURIComponent(sentence), SECONDS);

/** Null without one, and for a malformed cookie. */
export function toastOf(request: Request): string | null {
  try {
    return decodeURIComponent(readCookie(request, NAME)) || null;
  } catch {
    return null;
  }
}

/** A document contains the toast, so its response deletes the cookie. */
export function deleteToast(request: Request, headers: Headers): void {
  if (readCookie(request, NAME)) headers.append("Set-Cookie", readableCookie(isSecure(request), NAME, "", 0));
}

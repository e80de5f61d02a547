// Reads and sets cookies from a script.
import { cookieName } from "~/domain/cookies";

export const isSecure = (): boolean => location.protocol === "https:";

/** `cookie` as a Set-Cookie header would have it. */
export const setCookie = (cookie: string): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox before 140 and Safari before 18.4 have no Cookie Store.
  document.cookie = cookie;
};

/** The value of a cookie, whose `name` has no prefix here; an empty text without the cookie. */
export const cookieValue = (name: string): string =>
  document.cookie
    .split("; ")
    .find((pair) => pair.startsWith(`${cookieName(isSecure(), name)}=`))
    ?.replace(/^[^=]*=/, "") ?? "";

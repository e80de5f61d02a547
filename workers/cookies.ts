// The cookies that the worker reads and writes. Over https their names begin with `__Host-`, except XSRF-TOKEN, whose name
// is documented (C-07).
import { parse, serialize } from "hono/utils/cookie";
import { cookieName } from "~/domain/cookies";
import type { App } from "~/use-cases/app.server";

export type Cookies = Record<string, string>;
export const readCookies = (request: Request): Cookies => parse(request.headers.get("Cookie") ?? "");
export const readCookie = (request: Request, name: string): string | undefined =>
  parse(request.headers.get("Cookie") ?? "", name)[name];

export const isSecure = (url: URL): boolean => url.protocol === "https:";
export const loginCookieName = (secure: boolean): string => cookieName(secure, "login");

/** The cookie of a login; null deletes it. */
export function loginCookie(secure: boolean, login: NonNullable<App["cookies"]["login"]> | null): string {
  const options = { httpOnly: true, secure, path: "/", sameSite: "Lax" as const };
  return login
    ? serialize(loginCookieName(secure), login.token, { ...options, expires: new Date(login.expiresAt) })
    : serialize(loginCookieName(secure), "", { ...options, maxAge: 0 });
}

export const deviceCookieName = (secure: boolean): string => cookieName(secure, "device");

/** SameSite=Strict, because only forms and calls of our own pages need it. */
export const deviceCookie = (secure: boolean, device: NonNullable<App["cookies"]["device"]>): string =>
  serialize(deviceCookieName(secure), device.token, {
    httpOnly: true,
    secure,
    path: "/",
    sameSite: "Strict",
    expires: new Date(device.expiresAt),
  });

/** Readable by scripts, which repeat the token in a header. */
export const xsrfCookie = (secure: boolean, token: string): string =>
  serialize("XSRF-TOKEN", token, { secure, path: "/", sameSite: "Lax", maxAge: 60 * 60 * 24 });

/** The D1 bookmark of the user's last write, so that the next reads see it. */
export const bookmarkCookie = (secure: boolean, bookmark: string): string =>
  serialize(cookieName(secure, "d1"), bookmark, {
    httpOnly: true,
    secure,
    path: "/",
    sameSite: "Lax",
    maxAge: 300,
  });

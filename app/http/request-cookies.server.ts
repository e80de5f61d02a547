// Reads the cookies of a request by their plain names.
import { cookieName } from "~/domain/cookies";

type RequestHead = { url: string; headers: Headers };

export const isSecure = ({ url }: { url: string }): boolean => url.startsWith("https:");

/** The encoded value, empty when the request has no such cookie. */
export function readCookie(request: RequestHead, name: string): string {
  const start = `${cookieName(isSecure(request), name)}=`;
  const cookies = (request.headers.get("Cookie") ?? "").split(/;\s*/);
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) ?? "";
}

// Guards every unsafe request and the socket upgrade against other sites. It checks the Origin, and for JSON calls
// the XSRF token in cookie and header.
import { AppError } from "~/domain/errors";
import type { Cookies } from "./cookies";

export const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);
export const CSP_REPORTS = "/api/csp-reports";
/** The webhook has a signature, and browsers send reports without a token. */
const UNGUARDED = new Set(["/webhooks/stripe", CSP_REPORTS]);
/** Mail programs post to these links, which are signed. */
const UNSUBSCRIBE_PATH = "/account/unsubscribe/";

/** True for a request that may write and that only our own pages may send. */
export const isUnsafe = (request: Request, url: URL): boolean =>
  (!SAFE.has(request.method) || request.headers.get("Upgrade") === "websocket") &&
  !UNGUARDED.has(url.pathname) &&
  !url.pathname.startsWith(UNSUBSCRIBE_PATH);

/**
 * Refuses an Origin that is not ours. Without an Origin, Sec-Fetch-Site must say same-origin, or the request needs a
 * token.
 */
export function guardOrigin(request: Request, ownOrigin: string, hasToken: boolean): void {
  const origin = request.headers.get("Origin");
  if (origin === ownOrigin) return;
  const site = request.headers.get("Sec-Fetch-Site");
  if (origin === null && (site === "same-origin" || site === "none" || (site === null && hasToken))) return;
  throw new AppError("CSRF_MISMATCH", "This request did not come from our own pages.");
}

/** True when the token in the header equals that in the cookie. */
export function hasXsrfToken(request: Request, cookies: Cookies): boolean {
  const cookie = cookies["XSRF-TOKEN"];
  const header = request.headers.get("X-XSRF-TOKEN") ?? request.headers.get("X-CSRF-TOKEN");
  return (
    cookie !== undefined && cookie.length >= 20 && header !== null && isSameText(safeDecode(header), cookie)
  );
}

/** Compares in constant time. */
function isSameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Refuses a browser's request from another site's page. A call that writes by GET needs it; other clients are allowed. */
export function refuseCrossSite(request: Request): void {
  if (request.headers.get("Sec-Fetch-Site") === "cross-site")
    throw new AppError("CSRF_MISMATCH", "This request did not come from our own pages.");
}

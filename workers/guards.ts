// The guards of every unsafe request and of the socket upgrade. They check our own Origin, and for JSON calls
// the XSRF token in cookie and header.
import { AppError } from "~/domain/errors";
import type { Cookies } from "./cookies";

export const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);
export const CSP_REPORTS = "/api/csp-reports";
/** The webhook has a signature; browsers send reports without a token. */
const UNGUARDED = new Set(["/webhooks/stripe", CSP_REPORTS]);
/** mail programs press these links; the link itself is signed. */
const UNSUBSCRIBE = "/account/unsubscribe/";

export const isUnsafe = (request: Request, url: URL): boolean =>
  (!SAFE.has(request.method) || request.headers.get("Upgrade") === "websocket") &&
  !UNGUARDED.has(url.pathname) &&
  !url.pathname.startsWith(UNSUBSCRIBE);

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

/** The header must equal the cookie. */
export function hasXsrfToken(request: Request, cookies: Cookies): boolean {
  const cookie = cookies["XSRF-TOKEN"];
  const header = request.headers.get("X-XSRF-TOKEN") ?? request.headers.get("X-CSRF-TOKEN");
  return (
    cookie !== undefined && cookie.length >= 20 && header !== null && sameText(safeDecode(header), cookie)
  );
}

function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * For a GET that writes: refuses a browser's request from another site's page, and allows clients that are no
 * browser.
 */
export function refuseCrossSite(request: Request): void {
  if (request.headers.get("Sec-Fetch-Site") === "cross-site")
    throw new AppError("CSRF_MISMATCH", "This request did not come from our own pages.");
}

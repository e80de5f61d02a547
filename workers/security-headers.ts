// Sets the security headers of every answer. Static files get theirs from public/_headers.
import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { CSP_REPORTS } from "./guards";
import type { HonoEnv } from "./serve";

/** True for the only pages that a frame of another origin may show (J-11). */
export const isEmbed = (path: string): boolean => /^\/embed\/(sessions|series)\/[^/]+$/.test(path);

/** The policy of an answer that is no page. Opened in a browser, it loads and runs nothing, and no frame shows it. */
export const NO_PAGE_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The policy of a card inside another site. The card sends nothing and submits no form (J-11). */
const CARD_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *";

const createHeaders = (strictTransportSecurity: string | false) =>
  secureHeaders({
    strictTransportSecurity,
    referrerPolicy: "strict-origin-when-cross-origin",
    xFrameOptions: "DENY",
    permissionsPolicy: {
      camera: [],
      microphone: [],
      geolocation: [],
      payment: ["self", "https://js.stripe.com"],
    },
    // Off, because current browsers ignore them.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    // An answer may set its own Cross-Origin-Resource-Policy.
    overwrite: false,
  });
const setHttpHeaders = createHeaders(false);
const setHttpsHeaders = createHeaders("max-age=31536000; includeSubDomains");

/** Sets the headers on a copy of the answer, whose own headers may be immutable. An upgrade passes unchanged. */
export const securityHeaders: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  if (c.res.status === 101) return;
  const response = new Response(c.res.body, c.res);
  c.res = undefined;
  c.res = response;
  const { headers } = response;
  const url = new URL(c.req.url);
  // No frame may show the page of an error, because it has the site's forms.
  const isCard = isEmbed(url.pathname) && response.status === 200;
  if (isCard) headers.set("Content-Security-Policy", CARD_POLICY);
  else if (headers.get("Content-Type")?.startsWith("text/html"))
    headers.set("Content-Security-Policy", pagePolicy(c.get("nonce") ?? "", url));
  else if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", NO_PAGE_POLICY);
  const type = headers.get("Content-Type");
  if (type?.startsWith("text/") && !type.includes("charset"))
    headers.set("Content-Type", `${type}; charset=utf-8`);
  // An answer that does not set Cache-Control may be private.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  await (url.protocol === "https:" ? setHttpsHeaders : setHttpHeaders)(c, async () => {});
  if (isCard) c.res.headers.delete("X-Frame-Options");
};

/** The policy of a page, whose own scripts have the `nonce`. */
function pagePolicy(nonce: string, url: URL): string {
  const socket = `${url.protocol === "https:" ? "wss:" : "ws:"}//${url.host}`;
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' https://js.stripe.com`,
    "style-src 'self' 'unsafe-inline'",
    // Texts may show images of other sites; they are loaded without a referrer.
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    `connect-src 'self' ${socket} https://api.stripe.com`,
    "frame-src https://js.stripe.com https://hooks.stripe.com",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `report-uri ${CSP_REPORTS}`,
  ].join("; ");
}

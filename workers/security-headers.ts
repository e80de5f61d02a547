// The security headers of every answer. Static files get theirs from public/_headers.
import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { HonoEnv } from "./serve";

/** Where browsers report what the Content-Security-Policy refused. */
export const CSP_REPORTS = "/api/csp-reports";

/** The policy of what is no page: opened as one, it loads nothing, runs nothing and stands in no frame. */
export const NO_PAGE =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headersOver = (strictTransportSecurity: string | false) =>
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
    // No browser of today reads these.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    // An answer may say its own Cross-Origin-Resource-Policy.
    overwrite: false,
  });
const overHttp = headersOver(false);
const overHttps = headersOver("max-age=31536000; includeSubDomains");

/** Adds them to every answer, which may be another's and immutable; an upgrade is the room's own. */
export const securityHeaders: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  if (c.res.status === 101) return;
  const response = new Response(c.res.body, c.res);
  c.res = undefined;
  c.res = response;
  const { headers } = response;
  const url = new URL(c.req.url);
  if (headers.get("Content-Type")?.startsWith("text/html"))
    headers.set("Content-Security-Policy", pagePolicy(c.get("nonce") ?? "", url));
  else if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", NO_PAGE);
  const type = headers.get("Content-Type");
  if (type?.startsWith("text/") && !type.includes("charset"))
    headers.set("Content-Type", `${type}; charset=utf-8`);
  // Page data, errors and whatever else names no lifetime of its own may be somebody's.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  await (url.protocol === "https:" ? overHttps : overHttp)(c, async () => {});
};

/** `nonce` is what the page's own scripts carry. */
function pagePolicy(nonce: string, url: URL): string {
  const socket = `${url.protocol === "https:" ? "wss:" : "ws:"}//${url.host}`;
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' https://js.stripe.com`,
    "style-src 'self' 'unsafe-inline'",
    // Texts may show pictures of other sites; they are asked for without saying where from.
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

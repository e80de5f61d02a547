// The security headers of every answer. Static files get theirs from public/_headers.

/** Where browsers report what the Content-Security-Policy refused. */
export const CSP_REPORTS = "/api/csp-reports";

/** The policy of what is no page: opened as one, it loads nothing, runs nothing and stands in no frame. */
export const NO_PAGE =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Adds them in place of what was there; `nonce` is what the page's own scripts carry. */
export function secure(response: Response, nonce: string, url: URL): Response {
  const { headers } = response;
  const socket = `${url.protocol === "https:" ? "wss:" : "ws:"}//${url.host}`;
  if (headers.get("Content-Type")?.startsWith("text/html")) {
    headers.set(
      "Content-Security-Policy",
      [
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
      ].join("; "),
    );
  } else if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", NO_PAGE);
  const type = headers.get("Content-Type");
  if (type?.startsWith("text/") && !type.includes("charset"))
    headers.set("Content-Type", `${type}; charset=utf-8`);
  // Page data, errors and whatever else names no lifetime of its own may be somebody's.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  if (!headers.has("Cross-Origin-Resource-Policy"))
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("X-Frame-Options", "DENY");
  headers.set(
    "Permissions-Policy",
    'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
  );
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  if (url.protocol === "https:")
    headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  return response;
}

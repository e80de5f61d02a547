// The error page without the app's layout, for errors before Remix runs, such as a cross-site form or a D1 failure. A
// request that accepts no HTML gets the same error as JSON.
import type { Context } from "hono";
import { titleOfStatus } from "~/domain/error-titles";
import { homeOf } from "~/domain/guest-rights";
import { errorAnswer } from "~/http/reply.server";
import type { App } from "~/use-cases/app.server";
import { type HonoEnv, jsonError } from "./serve";

const STYLE = `
  :root { color-scheme: light dark; }
  body { min-height: 100dvh; margin: 0; display: grid; place-content: center; padding: 1.5rem; text-align: center;
    font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
    background: light-dark(#f6f3ee, #11151c); color: light-dark(#221d17, #e8ebf1); }
  main { display: grid; justify-items: center; gap: 1rem; }
  h1 { margin: 0; font-size: 1.75rem; line-height: 1.15; }
  p { margin: 0; max-width: 36ch; color: light-dark(#544c42, #b6beca); }
  a { display: inline-block; min-height: 44px; box-sizing: border-box; padding: 0.6rem 1.25rem; border-radius: 10px;
    background: light-dark(#b3430a, #ff9d57); color: light-dark(#fffaf5, #2a1203); font-weight: 600; text-decoration: none; }
  a:focus-visible { outline: 3px solid light-dark(#2c5c96, #90b7f2); outline-offset: 3px; }`;

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

/** Answers an error, as HTML when the request accepts it, otherwise as JSON. */
export function bareError(c: Context<HonoEnv>, thrown: unknown): Response {
  if (!c.req.header("Accept")?.includes("text/html")) return jsonError(c, thrown);
  const { status, body, headers } = errorAnswer(thrown);
  const title = escapeHtml(titleOfStatus(status));
  const requestNumber = body.request_id
    ? `<p>If it keeps happening, tell us this number: <code>${escapeHtml(body.request_id)}</code></p>`
    : "";
  // An early error comes before the request has an App.
  const app: App | undefined = c.get("app");
  const home = homeOf(app?.user?.guestOf ?? app?.refusedGuestOf);
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title} · ${escapeHtml(c.env.APP_NAME)}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${escapeHtml(body.message)}</p>${requestNumber}<p><a href="${home}">Go home</a></p></main></body></html>`;
  return c.html(page, status as 400, headers);
}

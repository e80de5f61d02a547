// The doors of a request whose App is known: JSON calls, the socket, local routes and pages.
import { type Context, type Handler, Hono, type MiddlewareHandler } from "hono";
import { AppError } from "~/domain/errors";
import { guestRefused, homeOf, isGuest, mayGuestVisit } from "~/domain/guest-rights";
import { loadOnce } from "~/domain/load-once";
import { isReservedSegment } from "~/domain/slugs";
import type { App } from "~/use-cases/app.server";
import { isGuestOfSeries } from "~/use-cases/series/guest.server";
import { handCalls } from "~/wire/calls/by-hand";
import * as paths from "~/wire/paths";
import { bareError } from "./bare-page";
import { takeCspReport } from "./csp-reports";
import { CSP_REPORTS, SAFE } from "./guards";
import { localRoutes } from "./local/routes";
import { openSocket } from "./room/open-socket";
import { CALLS_BY_NAME, type HonoEnv, jsonError, pathOf, setVariables, WEBHOOK } from "./serve";

export type Pages = (
  request: Request,
  context: { app: App; nonce: string; isJson?: true },
) => Promise<Response>;

/** Most processes begin with a page, so the calls with their schemas load on the first call (decision 71). */
const loadCalls = loadOnce(() => import("./api"));
const answerCall =
  (route: string): Handler<HonoEnv> =>
  async (c) =>
    (await loadCalls()).answerCall(route, c);

export function createDoors(pages: Pages): Hono<HonoEnv> {
  const doors = new Hono<HonoEnv>();
  doors.use(setVariables);
  doors.get(handCalls.getCsrfCookie.path, (c) => c.body(null, 204));
  doors.get("/sessions/:session/socket", openSocket);
  for (const call of Object.values(paths).toSorted(byLastSegments))
    if (!CALLS_BY_NAME.has(call)) doors.on(call[0], pathOf(call[1]), answerCall(call.join(" ")));
  doors.post(WEBHOOK, answerCall(`POST ${WEBHOOK}`));
  doors.post(CSP_REPORTS, takeCspReport);
  doors.route("/", localRoutes);
  for (const path of ["/series/:series", "/series/:series/next", "/api/series/:series/next"])
    doors.get(path, leadGuest);
  doors.get("/api/*", async (c, next) => {
    const app = c.get("app");
    const [, , first = ""] = c.req.path.split("/");
    if (first !== "" && !isReservedSegment(first)) return next();
    try {
      // A key opens only the documented calls (O-03).
      if (app.key !== undefined) throw new AppError("NOT_FOUND");
      return await answerUnlessGuest(c, () => pages(c.req.raw, { app, nonce: c.get("nonce"), isJson: true }));
    } catch (thrown) {
      return jsonError(c, thrown);
    }
  });
  for (const call of CALLS_BY_NAME) doors.on(call[0], pathOf(call[1]), answerCall(call.join(" ")));
  doors.all("/api/*", (c) => jsonError(c, new AppError("NOT_FOUND")));
  doors.all("*", (c) => {
    const request = SAFE.has(c.req.method) ? c.req.raw : withoutOrigin(c.req.raw);
    return answerUnlessGuest(c, () => pages(request, { app: c.get("app"), nonce: c.get("nonce") }));
  });
  doors.onError((thrown, c) => bareError(c, thrown));
  return doors;
}

/**
 * Where two calls match an address, the one with the literal end comes first: `parts/reorder` is no part, and an activity
 * may be called `members`. A `{` sorts behind every letter.
 */
const byLastSegments = ([, a]: readonly [string, string], [, b]: readonly [string, string]): number => {
  const reversed = (path: string) => path.split("/").reverse().join("/");
  return reversed(a) < reversed(b) ? -1 : 1;
};

/** The link by which a guest came leads back to the session, where they sit or may come back (H-11, H-19). */
const leadGuest: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const app = c.get("app");
  const isTheirs = isGuest(app.user) && (await isGuestOfSeries(app, { series: c.req.param("series") ?? "" }));
  if (!isTheirs) return next();
  const twin = c.req.path.startsWith("/api/") ? "/api" : "";
  return c.redirect(twin + homeOf(app.user?.guestOf));
};

/**
 * The page, unless it is closed to the guest who asks for it (H-19). It then renders for a visitor. An error of the page
 * answers as it is; any other answer becomes FORBIDDEN.
 */
async function answerUnlessGuest(c: Context<HonoEnv>, page: () => Promise<Response>): Promise<Response> {
  const app = c.get("app");
  if (!isGuest(app.user) || mayGuestVisit(app.user, c.req.path)) return page();
  app.refusedGuestOf = app.user.guestOf;
  app.user = null;
  const visitorAnswer = await page();
  if (visitorAnswer.status >= 400) return visitorAnswer;
  await visitorAnswer.body?.cancel();
  return bareError(c, guestRefused());
}

/**
 * Remix throws when the Origin differs from X-Forwarded-Host or Host, which the client controls. `guardOrigin` has
 * already compared it with our own origin, except in requests that may come from anywhere.
 */
function withoutOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("Origin");
  return new Request(request, { headers });
}

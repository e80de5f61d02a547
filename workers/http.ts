// The order of every request: clock, socket and uploads first, then visitors' pages from the edge, then the login, the
// guards and the doors.
import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { AppError } from "~/domain/errors";
import { loadOnce } from "~/domain/load-once";
import { areOpenThings } from "~/use-cases/open-things.server";
import { handCalls } from "~/wire/calls/by-hand";
import { isAnswerable, isMatchable, withNormalPath } from "./address-bounds";
import { type AnswerByDoor, answerRequest } from "./answer-request";
import { bareError } from "./bare-page";
import { withoutCookies } from "./bearer";
import { isSecure } from "./cookies";
import { createApp } from "./create-app";
import { createDoors, type Pages } from "./doors";
import { answerVisitors, type VisitorSite } from "./edge-cache";
import { answerHealth } from "./health";
import { isPageRequest, requestOptionsOf, visitorContextOf } from "./request-context";
import { logRequest } from "./request-log";
import { openWithTicket } from "./room/open-socket";
import { securityHeaders } from "./security-headers";
import { type DoorsEnv, type HonoEnv, jsonError, METHODS } from "./serve";
import { mountCalendars } from "./serve-calendar";
import { serveUpload } from "./serve-upload";
import { readSettings } from "./settings";
import { VISITOR_PAGES } from "./visitor-pages";

const loadStores = loadOnce(() => import("./local/serve-stores"));
const loadReference = loadOnce(() => import("./reference"));

export function createHttp(pages: Pages): { fetch: Hono<HonoEnv>["fetch"] } {
  const hono = new Hono<HonoEnv>({
    // The cost of routing grows with the square of a path, so a path that is refused below never reaches a router.
    getPath: (request) => (isMatchable(new URL(request.url).pathname) ? getPath(request) : "/"),
  });

  hono.get("/sessions/:session/socket", openWithTicket);
  hono.use(securityHeaders);

  hono.use(async (c, next) =>
    METHODS.includes(c.req.method) ? next() : c.body(null, 405, { Allow: METHODS.join(", ") }),
  );

  hono.use(async (c, next) => {
    const url = new URL(c.req.url);
    if (!isAnswerable(url)) return c.body(null, 400);
    if (isMatchable(url.pathname)) return next();
    const refuse = url.pathname.startsWith("/api/") ? jsonError : bareError;
    return refuse(c, new AppError("NOT_FOUND"));
  });

  hono.get("/api/health", answerHealth);
  // Refused before the later steps, each of which would otherwise fail in its own way.
  hono.use(async (c, next) =>
    readSettings(c.env).settings
      ? next()
      : c.text("This site is not set up completely. Its log and /api/health name what is missing.", 503),
  );

  // A deployed worker uses only https. A page is redirected; a call in clear text is refused, so that its author notices.
  hono.use(async (c, next) => {
    const url = new URL(c.req.url);
    if (isSecure(url) || !c.env.APP_ORIGIN.startsWith("https:")) return next();
    if (isPageRequest(c)) return c.redirect(c.env.APP_ORIGIN + url.pathname + url.search, 301);
    return jsonError(c, new AppError("FORBIDDEN", "Please use https."));
  });

  // The clock reads no database and no login.
  hono.get(handCalls.readTime.path, (c) => c.json({ now: Date.now() }, 200, { "Cache-Control": "no-store" }));
  // The reference of the API comes before the calls, because `/api/{person}` matches its addresses too (O-15).
  hono.get("/api/openapi.json", async (c) => (await loadReference()).serveDocument(c));
  hono.get("/api/docs", async (c) => (await loadReference()).serveContents(c));
  hono.get("/api/docs/:section", async (c) => (await loadReference()).serveSection(c));
  hono.get("/uploads/:key", serveUpload);
  // Uploads are immutable, and no request deletes them.
  hono.all("/uploads/:key", (c) => c.body(null, 405, { Allow: "GET, HEAD" }));

  mountCalendars(hono);
  hono.post("/local/stores", async (c) => (await loadStores()).serveStores(c));

  const doors = createDoors(pages);
  const answerByDoor: AnswerByDoor = (c, request, variables) => {
    const env: DoorsEnv = { ...c.env, variables };
    return doors.fetch(request, env, c.executionCtx);
  };
  const site = visitorSite(answerByDoor);
  for (const page of Object.entries(VISITOR_PAGES)) hono.get(page[0], answerVisitors(page, site));
  hono.all("*", answerRequest(answerByDoor));
  hono.onError((thrown, c) => bareError(c, thrown));
  return { fetch: (request, ...rest) => hono.fetch(withoutCookies(withNormalPath(request)), ...rest) };
}

/** The functions by which the edge cache renders a page for a visitor. */
const visitorSite = (answerByDoor: AnswerByDoor): VisitorSite => ({
  visitorContextOf,
  render: async (c, request, visitor, nonce) => {
    const options = { ...requestOptionsOf(c), ...visitor, readsFrom: "first-unconstrained" };
    const { app } = await createApp(c.env, options);
    const response = await answerByDoor(c, request, { app, nonce });
    logRequest(c, app, null, response.status);
    return { response, at: app.now, isForEverybody: app.hasCode !== true, things: app.shownRecords };
  },
  visitorsMayRead: async (c, things) => {
    const { app } = await createApp(c.env, { ...requestOptionsOf(c), readsFrom: "first-unconstrained" });
    return areOpenThings(app, things);
  },
});

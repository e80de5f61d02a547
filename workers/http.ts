// The order of every request: clock, socket and uploads, then login, guards, and the doors: JSON calls and pages.
import { type Context, type Handler, Hono } from "hono";
import { getPath } from "hono/utils/url";
import { cookieName, themeOf } from "~/domain/cookies";
import { AppError, asAppError, STATUS_OF } from "~/domain/errors";
import { guestRefused, isGuest, mayGuestVisit } from "~/domain/guest-rights";
import { loadOnce } from "~/domain/load-once";
import { memoiseByKey } from "~/domain/memoise";
import { isSuperAdmin } from "~/domain/permissions";
import type { ShownThing } from "~/domain/shown-thing";
import { isReservedSegment } from "~/domain/slugs";
import { forgetActToResume, readActToResume } from "~/http/resume-after-sign-in.server";
import type { App } from "~/use-cases/app.server";
import { requireMadeFor } from "~/use-cases/made-for.server";
import { areOpenThings } from "~/use-cases/open-things.server";
import { dropSuspendedUser } from "~/use-cases/safety/suspended-user.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { newToken } from "~/use-cases/tokens.server";
import { handCalls } from "~/wire/calls/by-hand";
import { MADE_FOR_HEADER, MADE_FOR_PARAM } from "~/wire/made-for";
import * as paths from "~/wire/paths";
import { isAnswerable, isMatchable, underOnePath } from "./address-bounds";
import { bareError } from "./bare-page";
import { keyOf, unknownCallError, withoutCookies } from "./bearer";
import {
  bookmarkCookie,
  type Cookies,
  deviceCookie,
  deviceCookieName,
  isSecure,
  loginCookie,
  loginCookieName,
  readCookies,
  xsrfCookie,
} from "./cookies";
import { type Asking, createApp } from "./create-app";
import { takeCspReport } from "./csp-reports";
import { answerVisitors, type VisitorContext } from "./edge-cache";
import { CSP_REPORTS, guardOrigin, hasXsrfToken, isUnsafe, SAFE } from "./guards";
import { answerHealth } from "./health";
import { localRoutes } from "./local/routes";
import { isForwarded } from "./own-machine";
import { originOf } from "./request-origin";
import { resumeAfterSignIn } from "./resume-after-sign-in";
import { openSocket, openWithTicket } from "./room/open-socket";
import { securityHeaders } from "./security-headers";
import { admit, type DoorsEnv, type HonoEnv, jsonError, METHODS, NAMED, pathOf, WEBHOOK } from "./serve";
import { mountCalendars } from "./serve-calendar";
import { serveUpload } from "./serve-upload";
import { readSettings } from "./settings";
import { isForEverybody, VISITOR_PAGES } from "./visitor-pages";

export type Pages = (
  request: Request,
  context: { app: import("~/use-cases/app.server").App; nonce: string; isJson?: true },
) => Promise<Response>;

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
  // Without its settings every later step would fail at a place of its own.
  hono.use(async (c, next) =>
    readSettings(c.env).settings
      ? next()
      : c.text("This site is not set up completely. Its log and /api/health name what is missing.", 503),
  );

  // A deployed worker uses only https. A typed address is redirected; a call in clear text is refused, so that its
  // author notices.
  hono.use(async (c, next) => {
    const url = new URL(c.req.url);
    if (isSecure(url) || !c.env.APP_ORIGIN.startsWith("https:")) return next();
    if (isTyped(c)) return c.redirect(c.env.APP_ORIGIN + url.pathname + url.search, 301);
    return jsonError(c, new AppError("FORBIDDEN", "Please use https."));
  });

  // The clock reads nothing.
  hono.get(handCalls.readTime.path, (c) => c.json({ now: Date.now() }, 200, { "Cache-Control": "no-store" }));
  // Before the calls, because `/api/{person}` matches them too (O-15).
  hono.get("/api/openapi.json", async (c) => (await loadReference()).serveDocument(c));
  hono.get("/api/docs", async (c) => (await loadReference()).serveContents(c));
  hono.get("/api/docs/:section", async (c) => (await loadReference()).serveSection(c));
  hono.get("/uploads/:key", serveUpload);
  // Uploads are immutable, and no request deletes them.
  hono.all("/uploads/:key", (c) => c.body(null, 405, { Allow: "GET, HEAD" }));

  mountCalendars(hono);
  hono.post("/local/stores", async (c) => (await loadStores()).serveStores(c));

  const doors = createDoors(pages);
  const answer = (c: Context<HonoEnv>, request: Request, variables: HonoEnv["Variables"]) => {
    const env: DoorsEnv = { ...c.env, variables };
    return doors.fetch(request, env, c.executionCtx);
  };
  const render = async (c: Context<HonoEnv>, request: Request, seen: VisitorContext, nonce: string) => {
    const { app } = await createApp(c.env, { ...askingOf(c), ...seen, readsFrom: "first-unconstrained" });
    const response = await answer(c, request, { app, nonce });
    logRequest(c, app, null, response.status);
    return { response, at: app.now, isForEverybody: app.hasCode !== true, things: app.shownRecords };
  };
  const visitorsMayRead = async (c: Context<HonoEnv>, things: readonly ShownThing[]) => {
    const { app } = await createApp(c.env, { ...askingOf(c), readsFrom: "first-unconstrained" });
    return areOpenThings(app, things);
  };
  for (const page of Object.entries(VISITOR_PAGES))
    hono.get(page[0], answerVisitors(page, { seenIn, render, visitorsMayRead }));

  hono.all("*", async (c) => {
    const url = new URL(c.req.url);
    const key = keyOf(c.req.raw, url);
    // A page for everybody reads no login and sets no cookie (J-08, J-11).
    const isOpenView = isForEverybody(url.pathname);
    const cookies = isOpenView ? {} : readCookies(c.req.raw);
    const https = isSecure(url);
    const own = (name: string) => cookies[cookieName(https, name)];
    const isActing = key === undefined && isUnsafe(c.req.raw, url);
    const lastWrite = /^[\da-f-]{1,100}$/.test(own("d1") ?? "") ? own("d1") : undefined;
    const asker: Asking = {
      ...askingOf(c),
      ...seenIn(c, cookies),
      loginToken: cookies[loginCookieName(https)],
      key,
      deviceToken: cookies[deviceCookieName(https)],
      // A program keeps no bookmark, and a revoked key ends with the next request.
      readsFrom: isActing || key !== undefined ? "first-primary" : (lastWrite ?? "first-unconstrained"),
    };
    const { app, bookmark } = await createApp(c.env, asker);
    const { user } = app;
    if (isActing)
      try {
        guardOrigin(c.req.raw, app.settings.origin, hasXsrfToken(c.req.raw, cookies));
        requireMadeFor(user, c.req.header(MADE_FOR_HEADER) ?? url.searchParams.get(MADE_FOR_PARAM));
      } catch (thrown) {
        const noCall = unknownCallError(c, url, STATUS_OF[asAppError(thrown).code]);
        const refused = bareError(c, noCall ?? thrown);
        logRequest(c, app, user, refused.status);
        return refused;
      }
    dropSuspendedUser(app, url.pathname);
    const nonce = newToken().slice(0, 22);
    const answered = await answer(c, c.req.raw, { app, nonce });
    const noCall = isTyped(c) ? null : unknownCallError(c, url, answered.status);
    if (noCall) {
      await answered.body?.cancel();
      return jsonError(c, noCall);
    }
    logRequest(c, app, user, answered.status);
    if (answered.status === 101 || key !== undefined) return answered;
    c.set("nonce", nonce);

    const { login, device } = app.cookies;
    // only the sign-in that asked for it runs a kept act, and answers with its page.
    const waiting =
      login && isActing && answered.status === 302
        ? await readActToResume(app, c.req.raw, app.actToResumeValue)
        : null;
    const isDropped = login !== undefined || app.cookies.actToResume === null;
    const actToResume = app.actToResume?.cookie ?? (isDropped ? forgetActToResume(c.req.raw) : null);
    const owner = waiting && login ? await createApp(c.env, { ...asker, loginToken: login.token }) : null;
    if (waiting && owner) dropSuspendedUser(owner.app, new URL(waiting.path, url).pathname);
    const post = async (request: Request, app: App) => answer(c, request, { app, nonce });
    const done =
      waiting && owner ? await resumeAfterSignIn(owner.app, c.req.raw, waiting, answered, post) : answered;

    const response = new Response(done.body, done);
    if (actToResume) response.headers.append("Set-Cookie", actToResume);
    if (isOpenView || isShared(response)) {
      response.headers.delete("Set-Cookie");
      return response;
    }
    if (login !== undefined) response.headers.append("Set-Cookie", loginCookie(https, login));
    if (device) response.headers.append("Set-Cookie", deviceCookie(https, device));
    if (url.pathname === handCalls.getCsrfCookie.path || (!cookies["XSRF-TOKEN"] && isPage(response)))
      response.headers.append("Set-Cookie", xsrfCookie(https, cookies["XSRF-TOKEN"] ?? newToken()));
    // Deferred work of a visitor, such as a reset mail, may have reached the database by now or not: the answer does not say.
    const mark = isActing && (user || login) ? (owner ?? { bookmark }).bookmark() : null;
    if (mark) response.headers.append("Set-Cookie", bookmarkCookie(https, mark));
    return response;
  });
  hono.onError((thrown, c) => bareError(c, thrown));
  return { fetch: (request, ...rest) => hono.fetch(withoutCookies(underOnePath(request)), ...rest) };
}

/** The parts of a request without its login that an answer may show. */
function seenIn(c: Context<HonoEnv>, cookies: Cookies): VisitorContext {
  const own = (name: string) => cookies[cookieName(isSecure(new URL(c.req.url)), name)];
  return {
    theme: themeOf(own("theme")),
    timeZone: validZone(own("tz")),
    locale: preferredLocale((c.req.header("Accept-Language") ?? "").slice(0, 100)),
    isForwarded: isForwarded(c.req.raw),
  };
}

const askingOf = (c: Context<HonoEnv>) => ({
  ownOrigin: new URL(c.req.url).origin,
  origin: originOf(c),
  defer: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
});

/** Most processes begin with a page, so the calls with their schemas load on the first call (decision 71). */
const loadCalls = loadOnce(() => import("./api"));
const loadStores = loadOnce(() => import("./local/serve-stores"));
const loadReference = loadOnce(() => import("./reference"));
const answerCall =
  (route: string): Handler<HonoEnv> =>
  async (c) =>
    (await loadCalls()).answerCall(route, c);

/**
 * Where two calls match an address, the one with the literal end comes first: `parts/reorder` is no part, and an activity
 * may be called `members`. A `{` sorts behind every letter.
 */
const byLastSegments = ([, a]: readonly [string, string], [, b]: readonly [string, string]): number => {
  const reversed = (path: string) => path.split("/").reverse().join("/");
  return reversed(a) < reversed(b) ? -1 : 1;
};

/** The doors of a request whose user is known. */
function createDoors(pages: Pages): Hono<HonoEnv> {
  const doors = new Hono<HonoEnv>();
  doors.use(admit);
  doors.get(handCalls.getCsrfCookie.path, (c) => c.body(null, 204));
  doors.get("/sessions/:session/socket", openSocket);
  for (const call of Object.values(paths).toSorted(byLastSegments))
    if (!NAMED.has(call)) doors.on(call[0], pathOf(call[1]), answerCall(call.join(" ")));
  doors.post(WEBHOOK, answerCall(`POST ${WEBHOOK}`));
  doors.post(CSP_REPORTS, takeCspReport);
  doors.route("/", localRoutes);
  doors.get("/api/*", async (c, next) => {
    const app = c.get("app");
    const [, , first = ""] = c.req.path.split("/");
    if (first !== "" && !isReservedSegment(first)) return next();
    try {
      // A key opens only the documented calls (O-03).
      if (app.key !== undefined) throw new AppError("NOT_FOUND");
      return await forGuests(c, () => pages(c.req.raw, { app, nonce: c.get("nonce"), isJson: true }));
    } catch (thrown) {
      return jsonError(c, thrown);
    }
  });
  for (const call of NAMED) doors.on(call[0], pathOf(call[1]), answerCall(call.join(" ")));
  doors.all("/api/*", (c) => jsonError(c, new AppError("NOT_FOUND")));
  doors.all("*", (c) => {
    const request = SAFE.has(c.req.method) ? c.req.raw : withoutOrigin(c.req.raw);
    return forGuests(c, () => pages(request, { app: c.get("app"), nonce: c.get("nonce") }));
  });
  doors.onError((thrown, c) => bareError(c, thrown));
  return doors;
}

/**
 * The page, unless a guest asks for one that guests may not see: FORBIDDEN, as the page says it, or in its place where it
 * says nothing (H-19). Its data is then a visitor's.
 */
async function forGuests(c: Context<HonoEnv>, page: () => Promise<Response>): Promise<Response> {
  const app = c.get("app");
  if (!isGuest(app.user) || mayGuestVisit(app.user, c.req.path)) return page();
  app.refusedGuestOf = app.user.guestOf;
  app.user = null;
  const answered = await page();
  if (answered.status >= 400) return answered;
  await answered.body?.cancel();
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

/**
 * The security log's line of a request; `user` is the user before the request. A query may hold a reset link and is
 * left out.
 */
function logRequest(c: Context<HonoEnv>, app: App, user: App["user"], status: number): void {
  const { pathname: path } = new URL(c.req.url);
  const { method } = c.req;
  const userId = user?.id ?? null;
  if (c.req.header("Upgrade") === "websocket") {
    if (status !== 101) logSecurity(app, { event: "socket-refused", userId, status, path });
  } else if (status === 403 || status === 419)
    logSecurity(app, { event: "request-refused", userId, status, method, path });
  if (!user || !isSuperAdmin(user)) return;
  const { intent = null } = app;
  logSecurity(app, { event: "super-admin-acted", userId: user.id, status, method, path, intent });
}

/** Whether a browser asks for a page. */
const isTyped = (c: Context<HonoEnv>): boolean =>
  c.req.method === "GET" &&
  c.req.header("Upgrade") === undefined &&
  c.req.header("Accept")?.includes("text/html") === true;

/** A shared cache may keep it, so it carries nothing of one user. */
const isShared = (response: Response) => response.headers.get("Cache-Control")?.includes("public") ?? false;

const isPage = (response: Response) => response.headers.get("Content-Type")?.startsWith("text/html") ?? false;

const zoneOf = memoiseByKey((zone): string | null => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return null;
  }
});
const validZone = (zone: string | undefined): string | undefined =>
  zone && zone.length <= 60 ? (zoneOf(zone) ?? undefined) : undefined;

const preferredLocale = memoiseByKey((header): string => {
  const first = header.split(",")[0]?.split(";")[0]?.trim() ?? "";
  try {
    // Tags that format alike become one, such as de-XX and de.
    return new Intl.DateTimeFormat(first).resolvedOptions().locale;
  } catch {
    return "en-GB";
  }
});

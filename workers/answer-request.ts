// Answers a request that may carry a login or a key, in five steps: read it, guard it, let a door answer, resume the act
// that waited for a sign-in, and set the cookies.
import type { Context, Handler } from "hono";
import { cookieName } from "~/domain/cookies";
import { asAppError, STATUS_OF } from "~/domain/errors";
import { forgetActToResume, readActToResume } from "~/http/resume-after-sign-in.server";
import type { App } from "~/use-cases/app.server";
import { requireMadeFor } from "~/use-cases/made-for.server";
import { dropSuspendedUser } from "~/use-cases/safety/suspended-user.server";
import { newToken } from "~/use-cases/tokens.server";
import { handCalls } from "~/wire/calls/by-hand";
import { MADE_FOR_HEADER, MADE_FOR_PARAM } from "~/wire/made-for";
import { bareError } from "./bare-page";
import { keyOf, unknownCallError } from "./bearer";
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
import { type AppOptions, type CreatedApp, createApp } from "./create-app";
import { guardOrigin, hasXsrfToken, isUnsafe } from "./guards";
import { isPageRequest, requestOptionsOf, visitorContextOf } from "./request-context";
import { logRequest } from "./request-log";
import { resumeAfterSignIn } from "./resume-after-sign-in";
import { type HonoEnv, jsonError } from "./serve";
import { isForEverybody } from "./visitor-pages";

/** Passes the request to the doors. */
export type AnswerByDoor = (
  c: Context<HonoEnv>,
  request: Request,
  variables: HonoEnv["Variables"],
) => Response | Promise<Response>;

/** The parts of the request that the steps share. */
type RequestParts = {
  url: URL;
  cookies: Cookies;
  /** A page for everybody reads no login and sets no cookie (J-08, J-11). */
  isForEverybody: boolean;
  hasKey: boolean;
  /** It may write, and must prove that it comes from our own pages. */
  isActing: boolean;
  appOptions: AppOptions;
};

export const answerRequest =
  (answerByDoor: AnswerByDoor): Handler<HonoEnv> =>
  async (c) => {
    const parts = readRequest(c);
    const { app, bookmark } = await createApp(c.env, parts.appOptions);
    // The door may remove or change the App's user.
    const { user } = app;
    const refusal = guard(c, parts, app);
    if (refusal) return refusal;
    dropSuspendedUser(app, parts.url.pathname);
    const nonce = newToken().slice(0, 22);
    const doorAnswer = await answerByDoor(c, c.req.raw, { app, nonce });
    const noCall = isPageRequest(c) ? null : unknownCallError(c, parts.url, doorAnswer.status);
    if (noCall) {
      await doorAnswer.body?.cancel();
      return jsonError(c, noCall);
    }
    logRequest(c, app, user, doorAnswer.status);
    if (doorAnswer.status === 101 || parts.hasKey) return doorAnswer;
    c.set("nonce", nonce);
    const post = async (request: Request, app: App) => answerByDoor(c, request, { app, nonce });
    const { response, signedIn } = await resumeWaitingAct(c, parts, app, doorAnswer, post);
    return withCookies(c, parts, app, response, () => {
      // A visitor's answer has no bookmark. It would reveal whether deferred work, such as a reset mail, wrote to D1.
      const isBookmarkAllowed = parts.isActing && (user || app.cookies.login);
      return isBookmarkAllowed ? (signedIn ?? { bookmark }).bookmark() : null;
    });
  };

function readRequest(c: Context<HonoEnv>): RequestParts {
  const url = new URL(c.req.url);
  const key = keyOf(c.req.raw, url);
  const isOpen = isForEverybody(url.pathname);
  const cookies = isOpen ? {} : readCookies(c.req.raw);
  const secure = isSecure(url);
  const isActing = key === undefined && isUnsafe(c.req.raw, url);
  const bookmark = cookies[cookieName(secure, "d1")] ?? "";
  const lastWrite = /^[\da-f-]{1,100}$/.test(bookmark) ? bookmark : "first-unconstrained";
  const appOptions: AppOptions = {
    ...requestOptionsOf(c),
    ...visitorContextOf(c, cookies),
    loginToken: cookies[loginCookieName(secure)],
    key,
    deviceToken: cookies[deviceCookieName(secure)],
    xsrfToken: cookies["XSRF-TOKEN"],
    // A program stores no bookmark, and a revoked key must fail at the next request.
    readsFrom: isActing || key !== undefined ? "first-primary" : lastWrite,
  };
  return { url, cookies, isForEverybody: isOpen, hasKey: key !== undefined, isActing, appOptions };
}

/** The refusal of an unsafe request from another site, or of a page made for another user; null for any other. */
function guard(c: Context<HonoEnv>, { url, cookies, isActing }: RequestParts, app: App): Response | null {
  if (!isActing) return null;
  try {
    guardOrigin(c.req.raw, app.settings.origin, hasXsrfToken(c.req.raw, cookies));
    requireMadeFor(app.user, c.req.header(MADE_FOR_HEADER) ?? url.searchParams.get(MADE_FOR_PARAM));
    return null;
  } catch (thrown) {
    const noCall = unknownCallError(c, url, STATUS_OF[asAppError(thrown).code]);
    const refusal = bareError(c, noCall ?? thrown);
    logRequest(c, app, app.user, refusal.status);
    return refusal;
  }
}

/** only the sign-in that asked for it runs the act that waited, and answers with its page. */
async function resumeWaitingAct(
  c: Context<HonoEnv>,
  { url, isActing, appOptions }: RequestParts,
  app: App,
  answered: Response,
  post: (request: Request, app: App) => Promise<Response>,
): Promise<{ response: Response; signedIn: CreatedApp | null }> {
  const { login } = app.cookies;
  if (!login || !isActing || answered.status !== 302) return { response: answered, signedIn: null };
  const act = await readActToResume(app, c.req.raw, app.actToResumeToken);
  if (!act) return { response: answered, signedIn: null };
  const signedIn = await createApp(c.env, { ...appOptions, loginToken: login.token });
  dropSuspendedUser(signedIn.app, new URL(act.path, url).pathname);
  return { response: await resumeAfterSignIn(signedIn.app, c.req.raw, act, answered, post), signedIn };
}

/** Sets the cookies of an answer to one user; an answer that a shared cache may store gets none. */
function withCookies(
  c: Context<HonoEnv>,
  { url, cookies, isForEverybody: isOpen }: RequestParts,
  app: App,
  answered: Response,
  bookmarkAfterWrite: () => string | null,
): Response {
  const secure = isSecure(url);
  const { login, device } = app.cookies;
  const response = new Response(answered.body, answered);
  const addCookie = (cookie: string) => response.headers.append("Set-Cookie", cookie);
  const actCookie = actToResumeCookie(c.req.raw, app);
  if (actCookie) addCookie(actCookie);
  if (isOpen || isShared(response)) {
    response.headers.delete("Set-Cookie");
    return response;
  }
  if (login !== undefined) addCookie(loginCookie(secure, login));
  if (device) addCookie(deviceCookie(secure, device));
  if (url.pathname === handCalls.getCsrfCookie.path || (!cookies["XSRF-TOKEN"] && isPage(response)))
    addCookie(xsrfCookie(secure, cookies["XSRF-TOKEN"] ?? newToken()));
  const bookmark = bookmarkAfterWrite();
  if (bookmark) addCookie(bookmarkCookie(secure, bookmark));
  return response;
}

/** Stores the act that this answer asks to resume. A sign-in, a sign-out or a reset of the password deletes the stored act. */
function actToResumeCookie(request: Request, app: App): string | null {
  if (app.actToResume) return app.actToResume.cookie;
  const isDropped = app.cookies.login !== undefined || app.cookies.actToResume === null;
  return isDropped ? forgetActToResume(request) : null;
}

/** True for an answer that a shared cache may store, so it must hold nothing of one user. */
const isShared = (response: Response) => response.headers.get("Cache-Control")?.includes("public") ?? false;

const isPage = (response: Response) => response.headers.get("Content-Type")?.startsWith("text/html") ?? false;

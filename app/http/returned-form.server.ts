// Carries the values of a form to the confirmation page and back without JavaScript, in a cookie that scripts cannot
// read.
import { cookieName } from "~/domain/cookies";
import type { ActResult, RefusedAct } from "~/wire/act";
import { isSecure, readCookie } from "./request-cookies.server";

const COOKIE_NAME = "returned";
/** The longest duration of a set-up or a second step. */
const MAX_AGE_SECONDS = 10 * 60;
/** Browsers limit a cookie to 4096 bytes; a longer form returns empty. */
const MAX_CHARS = 3500;

type RefusedForm = RefusedAct["form"];
type WaitingForm = { userId: number; path: string; intent: string; values: unknown };

const pathOf = (request: Request): string =>
  new URL(request.url).pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/");

const cookieOf = (request: Request, value: string, seconds: number): string => {
  const secure = isSecure(request);
  const flags = `Path=/; Max-Age=${seconds}; SameSite=Strict; HttpOnly${secure ? "; Secure" : ""}`;
  return `${cookieName(secure, COOKIE_NAME)}=${value}; ${flags}`;
};

function readWaiting(request: Request): WaitingForm | null {
  const cookie = readCookie(request, COOKIE_NAME);
  if (cookie === "") return null;
  try {
    const waiting = JSON.parse(decodeURIComponent(cookie)) as WaitingForm | null;
    const isWhole =
      typeof waiting?.intent === "string" && typeof waiting.values === "object" && waiting.values;
    return isWhole && !Array.isArray(waiting.values) ? waiting : null;
  } catch {
    return null;
  }
}

/** The header that stores the form; `values` contain no passwords. */
export function saveReturnedForm(request: Request, form: Omit<WaitingForm, "path">): string {
  const waiting: WaitingForm = { ...form, path: pathOf(request) };
  const value = encodeURIComponent(JSON.stringify(waiting));
  return cookieOf(request, value.length > MAX_CHARS ? "" : value, MAX_AGE_SECONDS);
}

/** The header that deletes it after the waiting form was accepted; none after the form of the confirmation page. */
export function deleteReturnedForm(request: Request, intent: string): Record<string, string> {
  const waiting = readWaiting(request);
  const isAccepted = waiting?.path === pathOf(request) && waiting.intent === intent;
  return isAccepted ? { "Set-Cookie": cookieOf(request, "", 0) } : {};
}

/** The waiting form of this page, in the shape of a refused one; null for anybody but its user. */
export function returnedForm(request: Request, userId: number | undefined): ActResult | null {
  const waiting = readWaiting(request);
  if (!waiting || waiting.userId !== userId || waiting.path !== pathOf(request)) return null;
  const { intent } = waiting;
  const initialValue = waiting.values as RefusedForm["initialValue"] & {};
  return { intent, ok: false, code: "REAUTH_REQUIRED", message: "", sentences: [], form: { initialValue } };
}

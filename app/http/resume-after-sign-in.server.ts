// Stores the act of a visitor without JavaScript in a sealed cookie for ten minutes, until the sign-in that the act
// needs. Only a sign-in whose form carries the act's token runs it, once.
import { isResumable } from "~/domain/accounts/resume-after-sign-in";
import { cookieName } from "~/domain/cookies";
import type { Reader } from "~/domain/numbers";
import type { App } from "~/use-cases/app.server";
import { newToken } from "~/use-cases/tokens.server";
import { READER_FIELD, readerField } from "~/wire/reader";
import { isSecure, readCookie } from "./request-cookies.server";

/** `token` names only this act; `madeFor` is the mark of its page, null for a visitor's. */
export type ActToResume = { path: string; body: string; token: string; madeFor: string | null };
/** The sealed JSON of an act; its `value` is the token. */
type StoredAct = Omit<ActToResume, "token"> & { value: string; until: number };

/** The field `stay` of an act that runs after the sign-in. */
export const RESUMED = "resumed";
const COOKIE_NAME = "interrupted";
const MAX_AGE_SECONDS = 10 * 60;
/** Browsers limit a cookie to 4096 bytes, and the seal lengthens it by a half. */
const MAX_CHARS = 2200;
const SECRET_FIELD = /password|token/i;

const cookieOf = (request: Request, value: string, seconds: number): string => {
  const secure = isSecure(request);
  const flags = `Path=/; Max-Age=${seconds}; SameSite=Strict; HttpOnly${secure ? "; Secure" : ""}`;
  return `${cookieName(secure, COOKIE_NAME)}=${value}; ${flags}`;
};

/** Stores an act that may resume, unless it is too long or holds a file or a secret. */
export async function storeActToResume(
  app: App,
  request: Request,
  {
    form,
    intent,
    reader,
    madeFor,
  }: Pick<ActToResume, "madeFor"> & {
    form: FormData;
    intent: string;
    reader: Reader;
  },
): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const fields = [...form];
  const mayBeStored =
    app.vault !== null &&
    isResumable(pathname, intent) &&
    fields.every(([name, value]) => typeof value === "string" && !SECRET_FIELD.test(name));
  if (!mayBeStored) return;
  const body = new URLSearchParams([
    ...(fields as [string, string][]),
    ["intent", intent],
    ["stay", RESUMED],
    [READER_FIELD, readerField(reader)],
  ]).toString();
  const token = newToken();
  const storedAct: StoredAct = {
    path: pathname + search,
    body,
    value: token,
    madeFor,
    until: app.now + MAX_AGE_SECONDS * 1000,
  };
  const text = JSON.stringify(storedAct);
  if (text.length > MAX_CHARS) return;
  const sealed = await app.vault?.seal(text, COOKIE_NAME);
  if (sealed)
    app.actToResume = {
      token,
      intent,
      cookie: cookieOf(request, encodeURIComponent(sealed), MAX_AGE_SECONDS),
    };
}

/** The act that this request has stored, for the sign-in form in its answer. */
export const actToResumeOf = ({ actToResume }: App): { token: string; intent: string } | null =>
  actToResume ? { token: actToResume.token, intent: actToResume.intent } : null;

/** The act that waits for the sign-in whose form carried `token`; null without one. */
export async function readActToResume(
  app: App,
  request: Request,
  token: string | undefined,
): Promise<ActToResume | null> {
  const cookie = readCookie(request, COOKIE_NAME);
  if (cookie === "" || !app.vault || !token) return null;
  try {
    const text = await app.vault.open(decodeURIComponent(cookie), COOKIE_NAME);
    if (text === null) return null;
    const { value, until, ...act } = JSON.parse(text) as StoredAct;
    return value === token && until > app.now ? { ...act, token } : null;
  } catch {
    return null;
  }
}

/** The header that deletes the stored act; null without one. */
export const forgetActToResume = (request: Request): string | null =>
  readCookie(request, COOKIE_NAME) === "" ? null : cookieOf(request, "", 0);

// The act of a visitor that asked for sign-in without JavaScript: a sealed cookie of ten minutes holds it, until the
// sign-in runs it once.
import { cookieName } from "~/domain/cookies";
import type { App } from "~/use-cases/app.server";
import { isSecure, readCookie } from "./request-cookies.server";

export type Interrupted = { path: string; body: string };
type Kept = Interrupted & { until: number };

/** The field `stay` of an act that runs after the sign-in. */
export const RESUMED = "resumed";
const NAME = "interrupted";
const SECONDS = 10 * 60;
/** Browsers limit a cookie to 4096 bytes, and the seal lengthens it by a half. */
const LONGEST = 2200;
const SECRET = /password|token/i;

const written = (request: Request, value: string, seconds: number): string => {
  const secure = isSecure(request);
  const flags = `Path=/; Max-Age=${seconds}; SameSite=Strict; HttpOnly${secure ? "; Secure" : ""}`;
  return `${cookieName(secure, NAME)}=${value}; ${flags}`;
};

/** The headers that keep a form; none for one that is too long, holds a file or a secret, or signs in itself. */
export async function keepInterrupted(
  app: App,
  request: Request,
  form: FormData,
  intent: string,
): Promise<Record<string, string>> {
  const { pathname, search } = new URL(request.url);
  const fields = [...form];
  const isKept =
    app.vault !== null &&
    !pathname.startsWith("/auth/") &&
    fields.every(([name, value]) => typeof value === "string" && !SECRET.test(name));
  if (!isKept) return {};
  const body = new URLSearchParams([
    ...(fields as [string, string][]),
    ["intent", intent],
    ["stay", RESUMED],
  ]).toString();
  const interrupted: Kept = { path: pathname + search, body, until: app.now + SECONDS * 1000 };
  const text = JSON.stringify(interrupted);
  if (text.length > LONGEST) return {};
  const sealed = await app.vault?.seal(text, NAME);
  return sealed ? { "Set-Cookie": written(request, encodeURIComponent(sealed), SECONDS) } : {};
}

/** The act that waits for this sign-in; null without one. */
export async function readInterrupted(app: App, request: Request): Promise<Interrupted | null> {
  const cookie = readCookie(request, NAME);
  if (cookie === "" || !app.vault) return null;
  try {
    const text = await app.vault.open(decodeURIComponent(cookie), NAME);
    const interrupted = text === null ? null : (JSON.parse(text) as Kept);
    return interrupted && interrupted.until > app.now
      ? { path: interrupted.path, body: interrupted.body }
      : null;
  } catch {
    return null;
  }
}

/** The header after which the act cannot run again. */
export const forgetInterrupted = (request: Request): string => written(request, "", 0);

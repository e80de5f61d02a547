// Reads the personal keys of JSON calls, and checks their scopes and limits (O-03 to O-07). Pages, forms and sockets ignore
// keys.
import type { Context } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { KEY_CALLS, KEY_REFUSED, KEY_WINDOW_SECONDS, SCOPE_REFUSED } from "~/domain/accounts/api-keys";
import { AppError } from "~/domain/errors";
import { logLine } from "~/domain/log-line";
import { isReservedSegment } from "~/domain/slugs";
import { isWellFormed } from "~/use-cases/accounts/api-keys.server";
import { logSecurity } from "~/use-cases/security-log.server";
import type { Call } from "~/wire/call";
import * as paths from "~/wire/paths";
import { limitsApply } from "./adapters/attempts";
import type { Env } from "./env";
import { CALLS_BY_NAME, type HonoEnv, METHODS, pathOf } from "./serve";

const callsByPath = new TrieRouter<true>();
const namedByPath = new TrieRouter<true>();
for (const call of Object.values(paths))
  (CALLS_BY_NAME.has(call) ? namedByPath : callsByPath).add(call[0], pathOf(call[1]), true);

/**
 * The key in `Authorization`, empty when the header has no key. Another scheme beside cookies is ignored, because a
 * browser sends it behind a proxy that requires a password.
 */
function bearerOf({ headers }: Request): string | undefined {
  const credentials = headers.get("Authorization");
  if (credentials === null) return undefined;
  const key = /^Bearer\b\s*(.*)$/i.exec(credentials)?.[1];
  return key ?? (headers.has("Cookie") ? undefined : "");
}

/** The request, without its cookies when it has credentials in the header (O-05). */
export function withoutCookies(request: Request): Request {
  if (bearerOf(request) === undefined || !request.headers.has("Cookie")) return request;
  const headers = new Headers(request.headers);
  headers.delete("Cookie");
  return new Request(request, { headers });
}

/** The key of a JSON call; undefined without credentials, and for every other request. */
export function keyOf(request: Request, url: URL): string | undefined {
  const key = bearerOf(request);
  if (key === undefined || request.headers.has("Upgrade")) return undefined;
  const method = request.method === "HEAD" ? "GET" : request.method;
  return [callsByPath, namedByPath].some((calls) => matches(calls, method, url.pathname)) ? key : undefined;
}

const matches = (calls: TrieRouter<true>, method: string, path: string): boolean =>
  calls.match(method, path)[0].length > 0;

/** The methods of the calls at `path`. The calls of a person or an item count only if no other call has the path. */
function methodsAt(path: string): string[] {
  const methodsIn = (calls: TrieRouter<true>) => METHODS.filter((method) => matches(calls, method, path));
  const methods = methodsIn(callsByPath);
  if (methods.length > 0 || isReservedSegment(path.split("/")[2] ?? "")) return methods;
  return methodsIn(namedByPath);
}

/**
 * The error for a request with credentials that no call and no page has answered: METHOD_NOT_ALLOWED with `Allow`,
 * or NOT_FOUND. Null for any other request.
 */
export function unknownCallError(c: Context<HonoEnv>, url: URL, status: number): AppError | null {
  const isAnswered = status !== 404 && status !== 405 && status !== 419;
  if (isAnswered || bearerOf(c.req.raw) === undefined || c.req.header("Upgrade")) return null;
  const methods = methodsAt(url.pathname);
  const { method } = c.req;
  if (methods.includes(method === "HEAD" ? "GET" : method)) return null;
  if (methods.length === 0) return new AppError("NOT_FOUND");
  c.header("Allow", methods.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", "));
  return new AppError("METHOD_NOT_ALLOWED");
}

type CallKind = keyof typeof KEY_CALLS;

/**
 * Refuses a request with a key: UNAUTHENTICATED if the key is not valid, RATE_LIMITED above its calls of a minute, FORBIDDEN
 * without the call's scope.
 */
export async function admitKey(
  c: Context<HonoEnv>,
  call: Pick<Call, "method" | "scope" | "writes" | "isForGoalKeys">,
): Promise<void> {
  const app = c.get("app");
  if (app.key === undefined) return;
  if (app.key === null) {
    if (isWellFormed(bearerOf(c.req.raw) ?? "")) logSecurity(app, { event: "api-key-refused", userId: null });
    throw new AppError("UNAUTHENTICATED", KEY_REFUSED);
  }
  await countCall(c, app.key.id, call.method === "GET" && !call.writes ? "read" : "write");
  // A goal's key needs no scope for these calls, because their use cases check that the goal is the key's.
  if (app.key.goalId !== null && call.isForGoalKeys) return;
  if (!app.key.scopes.some((scope) => scope === call.scope)) throw new AppError("FORBIDDEN", SCOPE_REFUSED);
}

/** The calls of each key in the current minute, counted by this process for the headers. */
const windows = new Map<string, { calls: number; endsAt: number }>();
/** Above this many windows, those that are over are deleted. */
const MAX_WINDOWS = 10_000;

function windowOf(name: string, now: number) {
  const current = windows.get(name);
  if (current && current.endsAt > now) return current;
  if (windows.size >= MAX_WINDOWS)
    for (const [oldName, { endsAt }] of windows) if (endsAt <= now) windows.delete(oldName);
  const newWindow = { calls: 0, endsAt: now + KEY_WINDOW_SECONDS * 1000 };
  windows.set(name, newWindow);
  return newWindow;
}

/**
 * Counts a call and sets the RateLimit headers. The platform's limit covers all processes of a location, and this process's
 * own count is exact.
 */
async function countCall(c: Context<HonoEnv>, id: string, kind: CallKind): Promise<void> {
  const { now } = c.get("app");
  const name = `${kind}:${id}`;
  const window = windowOf(name, now);
  const limit = KEY_CALLS[kind];
  const applies = limitsApply(c.env);
  const isFull = window.calls >= limit || !(await takeFromPlatform(c.env, kind, name));
  if (!isFull || !applies) window.calls++;
  const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
  c.header("RateLimit-Limit", String(limit));
  c.header("RateLimit-Remaining", String(isFull ? 0 : limit - window.calls));
  c.header("RateLimit-Reset", String(resetSeconds));
  if (isFull && applies) throw new AppError("RATE_LIMITED", undefined, { retryAfter: resetSeconds });
}

/** False above the platform's limit. Without the binding, or when it fails, only the count of this process decides. */
async function takeFromPlatform(env: Env, kind: CallKind, name: string): Promise<boolean> {
  const binding = kind === "read" ? env.KEY_READS : env.KEY_WRITES;
  if (!binding || !limitsApply(env)) return true;
  try {
    return (await binding.limit({ key: name })).success;
  } catch (error) {
    console.error(logLine({ event: "key-limit-failed", error: String(error).slice(0, 200) }));
    return true;
  }
}

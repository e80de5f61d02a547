// Serves a JSON call: it parses the input, runs the use case and formats the answer.
import type { Context, MiddlewareHandler } from "hono";
import type { z } from "zod";
import { requireCheck } from "~/domain/accounts/sign-in";
import { AppError, asAppError, type FieldErrors, NO_SUCH_FIELD } from "~/domain/errors";
import { admitToSession } from "~/domain/guest-rights";
import { loadOnce } from "~/domain/load-once";
import { isSuperAdmin } from "~/domain/permissions";
import { readBody } from "~/http/read-body.server";
import { errorAnswer } from "~/http/reply.server";
import type { App, UseCase } from "~/use-cases/app.server";
import { withIdempotencyKey } from "~/use-cases/idempotency.server";
import { nameReserves } from "~/use-cases/payments/reserves.server";
import { type Call, errorsOf } from "~/wire/call";
import * as paths from "~/wire/paths";
import type { Env } from "./env";
import { refuseCrossSite } from "./guards";

const loadAnswerCheck = loadOnce(() => import("./answer-check"));
const loadLimits = loadOnce(() => import("~/wire/limited-lists"));
const loadFields = loadOnce(() => import("~/wire/unknown-fields"));

export type HonoEnv = {
  Bindings: Env;
  Variables: {
    app: App;
    nonce: string;
    /** Whether a body may have the field, or has it; a door of a call sets it. */
    isField?: (name: string) => boolean;
  };
};

/** The environment of the doors. It contains `variables`, because a Hono app accepts no others with a request. */
export type DoorsEnv = HonoEnv["Bindings"] & { variables: HonoEnv["Variables"] };

/** Copies the variables from the environment into the context. */
export const setVariables: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const { app, nonce } = (c.env as DoorsEnv).variables;
  c.set("app", app);
  c.set("nonce", nonce);
  await next();
};

/** TRACE would echo a request's cookies, and CORS preflights are never granted. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** The calls of a person and an item. They match last, because a name may be any first segment that no page has. */
export const CALLS_BY_NAME: ReadonlySet<readonly [string, string]> = new Set([
  paths.viewPerson,
  paths.viewItem,
]);

export const WEBHOOK = "/webhooks/stripe";

/** The path of a call in Hono's notation: `/groups/:hut` for `/groups/{hut}`. */
export const pathOf = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

export type ServedCall = { call: Call<never, never>; respond(c: Context<HonoEnv>): Promise<Response> };

/** Reads the answer of a call whose work is done already. `insertedId` is the id of the inserted row, or 0. */
type ReadAgain<I, R> = (app: App, input: I, insertedId: number) => Promise<R>;

/**
 * The served call, such as `serve(calls.joinSession, joinSession)`. A retry whose first answer was not stored runs the use
 * case again, which finds its rows by their ids. For a use case that cannot do so, pass `readAgain`.
 */
export const serve = <I, R>(
  call: Call<I, R>,
  useCase: UseCase<I, R>,
  readAgain?: ReadAgain<I, R>,
): ServedCall => ({
  call: call as unknown as Call<never, never>,
  respond: (c) =>
    answer(c, call, useCase, readAgain).catch(async (error) =>
      rethrowDeclared(c, call, await nameReserves(c.get("app"), error)),
    ),
});

/** `more`: fields that the answer of a call has beside or in place of these. */
export function jsonError(
  c: Context<HonoEnv>,
  thrown: unknown,
  more: (sentence: string) => object = () => ({}),
): Response {
  const { status, body, headers } = errorAnswer(thrown);
  if (status === 401 && c.req.header("Authorization") !== undefined) headers["WWW-Authenticate"] = "Bearer";
  // Use cases use the inside names of fields, the wire the outside names.
  const isField = c.get("isField");
  const fields = Object.fromEntries(
    Object.entries(body.fields).map(([name, sentences]) => [isField?.(name) ? name : snake(name), sentences]),
  );
  return c.json({ ...body, fields, ...more(body.message) }, status as 400, headers);
}

async function answer<I, R>(
  c: Context<HonoEnv>,
  call: Call<I, R>,
  useCase: UseCase<I, R>,
  readAgain: ReadAgain<I, R> | undefined,
): Promise<Response> {
  const app = withDeclaredLimits(c.get("app"), call);
  if (call.writes) refuseCrossSite(c.req.raw);
  if (call.who !== "anyone" && !app.user) throw new AppError("UNAUTHENTICATED");
  if (call.who === "super-admin" && !isSuperAdmin(app.user)) throw new AppError("FORBIDDEN");
  const bytes = call.method === "GET" ? undefined : await readBody(c.req.raw, call.bodyLimit);
  const body = bytes && parseJson(bytes, c.req.header("Content-Type") ?? "");
  const query = c.req.query();
  const isLimited = call.rows !== undefined && query.limit !== undefined;
  const list = isLimited ? (await loadLimits()).limitedList(call, query) : null;
  const parsed = call.input.safeParse({ params: c.req.param(), query: list?.query ?? query, body });
  const unknownFields: string[] = [];
  if (call.method !== "GET") {
    const { findUnknownFields, hasField } = await loadFields();
    unknownFields.push(...findUnknownFields(call, body));
    c.set("isField", (name) => hasField(call, name) || unknownFields.includes(name));
  }
  if (!parsed.success || unknownFields.length > 0)
    throw inputError(parsed.error?.issues ?? [], unknownFields, call, body);
  admitToSession(app.user, parsed.data);
  requireCheck(app.user, { needsCheck: call.needsCheck, input: parsed.data, now: app.now });
  const reply = async (result: R) => {
    const status = call.statusOf?.(result) ?? call.status;
    const body = call.status === 204 ? "" : JSON.stringify((list ?? call).answer(result));
    if (body !== "" && app.settings.isLocalRun) {
      const { checkAnswer } = await loadAnswerCheck();
      checkAnswer(`${call.method} ${call.path}`, JSON.parse(body));
    }
    return { status, body };
  };
  const run = async (app: App) =>
    reply(await useCase(list ? withPageSize(app, list.most) : app, parsed.data));
  const runAgain = async (app: App, insertedId: number | null) => {
    if (!readAgain) return run(app);
    return reply(await readAgain(app, parsed.data, insertedId ?? 0));
  };
  const key = call.isRepeatable && app.user ? repeatKey(c, body) : null;
  const request = key !== null && {
    key,
    call: `${call.method} ${c.req.path}`,
    bodyHash: await digest(bytes),
  };
  const result =
    request && app.user
      ? await withIdempotencyKey(app, { userId: app.user.id, ...request }, run, runAgain, {
          asksFirst: call.keyFirst !== undefined,
        })
      : await run(app);
  if (call.deprecated) c.header("Deprecation", deprecatedSince(call.deprecated));
  if (result.status === 204) return c.body(null, 204);
  return c.body(result.body, result.status as 200, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-store",
  });
}

const withPageSize = (app: App, perPage: number): App => ({ ...app, settings: { ...app.settings, perPage } });

/** The first day from which a field is deprecated, as RFC 9745 writes it. */
const deprecatedSince = (days: Readonly<Record<string, string>>): string =>
  `@${Math.min(...Object.values(days).map((day) => Date.parse(day) / 1000))}`;

/** The App that refuses a counter of attempts that the call does not declare, in tests and local runs. */
function withDeclaredLimits<I, R>(app: App, call: Call<I, R>): App {
  if (!app.settings.isLocalRun) return app;
  const take: App["attempts"]["take"] = (key, ...limit) => {
    const counter = key.slice(0, key.indexOf(":"));
    if (!call.limits.includes(counter))
      throw new Error(`${call.method} ${call.path} does not declare the limit "${counter}".`);
    return app.attempts.take(key, ...limit);
  };
  return { ...app, attempts: { ...app.attempts, take } };
}

/** Rethrows the error. In tests and local runs, a code that the call does not declare becomes a fault. */
function rethrowDeclared<I, R>(c: Context<HonoEnv>, call: Call<I, R>, error: unknown): never {
  const code = asAppError(error).code;
  if (c.get("app").settings.isLocalRun && !errorsOf(call as unknown as Call<never, never>).has(code))
    throw new Error(`${call.method} ${call.path} does not declare ${code}.`, { cause: error });
  throw error;
}

const MAX_KEY_CHARS = 300;

/**
 * The key of `Idempotency-Key`, or of `client_uuid` and `request_uuid` in the body. The prefixes separate them from each
 * other and from our own locks.
 */
export function repeatKey(c: Context<HonoEnv>, body: unknown): string | null {
  const header = c.req.header("Idempotency-Key");
  if (header) return `key:${header.slice(0, MAX_KEY_CHARS)}`;
  const { client_uuid, request_uuid } = (body ?? {}) as Record<string, unknown>;
  return typeof client_uuid === "string" && typeof request_uuid === "string"
    ? `pair:${JSON.stringify([client_uuid, request_uuid]).slice(0, MAX_KEY_CHARS)}`
    : null;
}
export async function digest(bytes: Uint8Array<ArrayBuffer> | undefined): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes ?? new Uint8Array());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function parseJson(bytes: Uint8Array, type: string): unknown {
  if (bytes.byteLength === 0) return undefined;
  if (!/^application\/(\w+\+)?json\b/i.test(type))
    throw new AppError("UNSUPPORTED_TYPE", "Please send JSON.");
  const { isDeep, values } = shapeOf(bytes);
  if (isDeep) throw new AppError("INVALID", "The JSON is nested too deeply.");
  if (values > MAX_VALUES) throw new AppError("INVALID", "The JSON has too many values.");
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new AppError("INVALID", "The JSON could not be read.");
  }
}

const MAX_LEVELS = 50;
/** More than the largest plan has. Each value costs two bytes of the body, but a hundred of memory. */
const MAX_VALUES = 50_000;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING_BRACKETS = new Set([0x5b, 0x7b]);
const CLOSING_BRACKETS = new Set([0x5d, 0x7d]);

/** Whether a body nests deeper than any schema, so that recursive code could overflow, and how many values it has. */
function shapeOf(json: Uint8Array): { isDeep: boolean; values: number } {
  let levels = 0;
  let values = 1;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] ?? 0;
    if (isInString && byte === BACKSLASH) index++;
    else if (byte === QUOTE) isInString = !isInString;
    else if (isInString) continue;
    else if (byte === COMMA) values++;
    else if (OPENING_BRACKETS.has(byte) && ++levels > MAX_LEVELS) return { isDeep: true, values };
    else if (CLOSING_BRACKETS.has(byte)) levels--;
  }
  return { isDeep: false, values };
}

/** An answer names at most this many issues, because each wrong value of a long list is an issue. */
const MAX_ISSUES = 100;

/** The error for input that is not valid: NOT_FOUND for a path parameter, otherwise INVALID with the caller's field names. */
function inputError<I, R>(
  issues: readonly z.core.$ZodIssue[],
  unknownFields: readonly string[],
  call: Call<I, R>,
  body: unknown,
): AppError {
  const params = new Set([...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const fields: FieldErrors = {};
  for (const issue of issues.slice(0, MAX_ISSUES)) {
    const path = issue.path.map(String);
    if (path.length === 1 && path[0] && params.has(path[0]) && !(isRecord(body) && path[0] in body))
      return new AppError("NOT_FOUND");
    const name = path.join(".") || "body";
    fields[name] = [...(fields[name] ?? []), issue.message];
  }
  for (const name of unknownFields.slice(0, MAX_ISSUES)) fields[name] = [NO_SUCH_FIELD];
  return new AppError("INVALID", undefined, { fields });
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

// The door of a JSON call: guard, parse, one use case, the wire shape. Mounts a line of wire/calls.ts on Hono.
import type { Context, Hono } from "hono";
import type { z } from "zod";
import { AppError, type FieldErrors } from "~/domain/errors";
import { isSuperAdmin } from "~/domain/permissions";
import { readBody } from "~/http/read-body.server";
import { errorAnswer } from "~/http/reply.server";
import type { App, UseCase } from "~/use-cases/app.server";
import { once } from "~/use-cases/repeat.server";
import type { Call } from "~/wire/call";
import type { Env } from "./env";

export type HonoEnv = { Bindings: Env; Variables: { app: App; nonce: string } };

export type Served = { call: Call<never, never>; mount(hono: Hono<HonoEnv>): void };

/** `serve(calls.joinSession, joinSession)`. */
export const serve = <I, R>(call: Call<I, R>, useCase: UseCase<I, R>): Served => ({
  call: call as unknown as Call<never, never>,
  mount(hono) {
    hono.on(call.method, call.path.replace(/\{(\w+)\}/g, ":$1"), async (c) => {
      try {
        return await answer(c, call, useCase);
      } catch (thrown) {
        return jsonError(c, thrown);
      }
    });
  },
});

export function jsonError(c: Context<HonoEnv>, thrown: unknown): Response {
  const { status, body, headers } = errorAnswer(thrown);
  // Use cases say our names of fields; the wire says the documents'.
  const fields = Object.fromEntries(
    Object.entries(body.fields).map(([name, sentences]) => [snake(name), sentences]),
  );
  return c.json({ ...body, fields }, status as 400, headers);
}

async function answer<I, R>(
  c: Context<HonoEnv>,
  call: Call<I, R>,
  useCase: UseCase<I, R>,
): Promise<Response> {
  const app = c.get("app");
  if (call.who !== "anyone" && !app.user) throw new AppError("UNAUTHENTICATED");
  if (call.who === "super-admin" && !isSuperAdmin(app.user)) throw new AppError("FORBIDDEN");
  const body = call.method === "GET" ? undefined : await readJson(c, call.bodyLimit);
  const parsed = call.input.safeParse({ params: c.req.param(), query: c.req.query(), body });
  if (!parsed.success) throw asInvalid(parsed.error, call, body);
  const run = async () => {
    const result = await useCase(app, parsed.data);
    return { status: call.status, body: call.status === 204 ? "" : JSON.stringify(call.answer(result)) };
  };
  const key = call.isRepeatable && app.user ? repeatKey(c, body) : null;
  const done =
    key && app.user
      ? await once(app, { userId: app.user.id, key, call: `${call.method} ${c.req.path}` }, run)
      : await run();
  if (done.status === 204) return c.body(null, 204);
  return c.body(done.body, done.status as 200, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-store",
  });
}

/** `Idempotency-Key`, or `client_uuid` + `request_uuid` of the body. */
function repeatKey(c: Context<HonoEnv>, body: unknown): string | null {
  const header = c.req.header("Idempotency-Key");
  if (header) return header.slice(0, 200);
  const { client_uuid, request_uuid } = (body ?? {}) as Record<string, unknown>;
  return typeof client_uuid === "string" && typeof request_uuid === "string"
    ? `${client_uuid}:${request_uuid}`.slice(0, 200)
    : null;
}

async function readJson(c: Context<HonoEnv>, limit: number): Promise<unknown> {
  const bytes = await readBody(c.req.raw, limit);
  if (bytes.byteLength === 0) return undefined;
  const type = c.req.header("Content-Type") ?? "";
  if (!/^application\/(\w+\+)?json\b/i.test(type))
    throw new AppError("UNSUPPORTED_TYPE", "Please send JSON.");
  if (isDeep(bytes)) throw new AppError("INVALID", "The JSON is nested too deeply.");
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new AppError("INVALID", "The JSON could not be read.");
  }
}

const MAX_LEVELS = 50;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENS = new Set([0x5b, 0x7b]);
const CLOSES = new Set([0x5d, 0x7d]);

/** Whether lists and objects nest further than any schema reads; code that walks a value recursively would fail on it. */
function isDeep(json: Uint8Array): boolean {
  let levels = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (isText && byte === BACKSLASH) at++;
    else if (byte === QUOTE) isText = !isText;
    else if (!isText && OPENS.has(byte) && ++levels > MAX_LEVELS) return true;
    else if (!isText && CLOSES.has(byte)) levels--;
  }
  return false;
}

/** A bad path parameter is NOT_FOUND; anything else says what is wrong at which field, in the caller's names. */
function asInvalid<I, R>(error: z.ZodError, call: Call<I, R>, body: unknown): AppError {
  const params = new Set([...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const fields: FieldErrors = {};
  for (const issue of error.issues) {
    const path = issue.path.map(String);
    if (path.length === 1 && path[0] && params.has(path[0]) && !(isRecord(body) && path[0] in body))
      return new AppError("NOT_FOUND");
    const name = path.map(snake).join(".") || "body";
    fields[name] = [...(fields[name] ?? []), issue.message];
  }
  return new AppError("INVALID", undefined, { fields });
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

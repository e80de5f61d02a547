// Sends real HTTP requests to the worker inside workerd, with the headers and cookies of a browser's call.
import { exports } from "cloudflare:workers";
import type { TestUser } from "./factories";

export const ORIGIN = "http://127.0.0.1:8787";
const XSRF = "test-xsrf-token-0123456789";

type Fetchable = { fetch(request: Request): Promise<Response> };
const worker = (exports as unknown as { default: Fetchable }).default;

export const ask = (path: string, init?: RequestInit): Promise<Response> =>
  worker.fetch(new Request(`${ORIGIN}${path}`, init));

export const SECURE_ORIGIN = "https://bothy.test";
export const askSecurely = (path: string, init?: RequestInit): Promise<Response> =>
  worker.fetch(new Request(`${SECURE_ORIGIN}${path}`, init));

// biome-ignore lint/suspicious/noExplicitAny: tests read any shape
export type Json = any;
export type Answered = { status: number; body: Json; headers: Headers };

/** A JSON call as `user` (null: a visitor), with the XSRF token and our Origin. */
export async function callAs(
  user: TestUser | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const cookies = [`XSRF-TOKEN=${XSRF}`, ...(user ? [`login=${user.loginToken}`] : [])].join("; ");
  const response = await ask(path, {
    method,
    redirect: "manual",
    headers: {
      Cookie: cookies,
      Origin: ORIGIN,
      "X-XSRF-TOKEN": XSRF,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  let parsed: unknown = text;
  try {
    parsed = text === "" ? null : JSON.parse(text);
  } catch {}
  return { status: response.status, body: parsed, headers: response.headers };
}

/** The data of a JSON twin of a page. */
export const dataOf = async (user: TestUser | null, path: string): Promise<Json> =>
  (await callAs(user, "GET", path)).body.serverData;

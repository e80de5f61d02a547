// The request of a JSON call, with the XSRF token.
import type { ErrorBody } from "~/domain/errors";
import { callPath } from "~/wire/call-path";
import { getCsrfCookie } from "~/wire/early-paths";
import type { CallLine } from "~/wire/paths";
import { CallError, type CallInput, networkError } from "./call-server";

/** Browsers limit all pending keepalive requests together to 64 KB. */
const KEPT_ALIVE_CHARS = 8000;

/** See callServer. */
export async function makeCall<Answer>([method, path]: CallLine, input: CallInput): Promise<Answer> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const url = callPath(path, input.params) + (query.size > 0 ? `?${query}` : "");
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-XSRF-TOKEN"] = await xsrfToken();
  if (input.idempotencyKey) headers["Idempotency-Key"] = input.idempotencyKey;
  if (input.body !== undefined) headers["Content-Type"] = "application/json";
  const body = input.body === undefined ? null : JSON.stringify(input.body);
  const response = await fetch(url, {
    method,
    headers,
    credentials: "same-origin",
    body,
    keepalive: input.keepalive ?? (method !== "GET" && (body?.length ?? 0) <= KEPT_ALIVE_CHARS),
    signal: input.signal ?? null,
  }).catch(() => null);
  if (!response) throw new CallError(networkError());
  if (response.status === 204) return null as Answer;
  const answer: unknown = await response.json().catch(() => networkError());
  if (!response.ok) throw new CallError(answer as ErrorBody);
  return answer as Answer;
}

export async function xsrfToken(): Promise<string> {
  const read = () => /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1];
  const token = read();
  if (token) return decodeURIComponent(token);
  await fetch(getCsrfCookie[1], { credentials: "same-origin" });
  return decodeURIComponent(read() ?? "");
}

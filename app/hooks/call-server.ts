// A JSON call from the browser, with the XSRF token. Every error becomes a CallError.
import type { ErrorBody, ErrorCode } from "~/domain/errors";
import type { CallPath } from "~/wire/call-path";
import { callPath, type PathParams } from "~/wire/call-path";
import { MADE_FOR_HEADER } from "~/wire/made-for";
import * as paths from "~/wire/paths";
import { madeFor } from "./made-for";

export const NOT_REACHED = "We could not reach the server. Please check your connection and try again.";

export class CallError extends Error {
  readonly code: ErrorCode;
  readonly body: ErrorBody;
  constructor(body: ErrorBody) {
    super(body.message);
    this.code = body.error_code;
    this.body = body;
  }
  /** The network failed, or the answer came from a proxy. */
  get isUnanswered(): boolean {
    return this.code === "SERVER_ERROR" && !("request_id" in this.body);
  }
}

const networkError = (): ErrorBody => {
  const message = NOT_REACHED;
  return { message, error: message, error_code: "SERVER_ERROR", errors: [message], fields: {} };
};

export type CallInput = {
  params?: PathParams;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Continues after the page is closed (S-16); on by default for small writes. */
  keepalive?: boolean;
  /** The same key makes a retry idempotent; null where a uuid in the body does so. */
  idempotencyKey?: string | null;
  /** The record that the body names, where an address has several (C-06). */
  record?: string | number;
  signal?: AbortSignal;
};

/** Browsers limit all pending keepalive requests together to 64 KB. */
const MAX_KEEPALIVE_CHARS = 8000;

export function addressOf([, path]: CallPath, input: CallInput): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(key, String(value));
  return callPath(path, input.params) + (query.size > 0 ? `?${query}` : "");
}

const inFlight = new Set<string>();

/**
 * Claims the address, and the record in the body, for a call. Returns the function that releases them, or null while
 * another call for the same is in flight (C-06).
 */
export function claimCall(call: CallPath, input: CallInput): (() => void) | null {
  const claim = `${addressOf(call, input)} ${input.record}`;
  if (inFlight.has(claim)) return null;
  inFlight.add(claim);
  return () => inFlight.delete(claim);
}

/** The JSON of the answer (null for 204). Throws CallError; a network failure is SERVER_ERROR. */
export async function callServer<Answer = unknown>(call: CallPath, input: CallInput = {}): Promise<Answer> {
  const [method] = call;
  const url = addressOf(call, input);
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-XSRF-TOKEN"] = await xsrfToken();
  const mark = madeFor();
  if (mark !== null) headers[MADE_FOR_HEADER] = mark;
  if (input.idempotencyKey) headers["Idempotency-Key"] = input.idempotencyKey;
  if (input.body !== undefined) headers["Content-Type"] = "application/json";
  const body = input.body === undefined ? null : JSON.stringify(input.body);
  const response = await fetch(url, {
    method,
    headers,
    credentials: "same-origin",
    body,
    keepalive: input.keepalive ?? (method !== "GET" && (body?.length ?? 0) <= MAX_KEEPALIVE_CHARS),
    signal: input.signal ?? null,
  }).catch(() => null);
  if (!response) throw new CallError(networkError());
  if (response.status === 204) return null as Answer;
  const answer: unknown = await response.json().catch(() => networkError());
  if (!response.ok) throw new CallError(answer as ErrorBody);
  return answer as Answer;
}

export async function xsrfToken(): Promise<string> {
  const readToken = () => /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1];
  const token = readToken();
  if (token) return decodeURIComponent(token);
  await fetch(paths.getCsrfCookie[1], { credentials: "same-origin" });
  return decodeURIComponent(readToken() ?? "");
}

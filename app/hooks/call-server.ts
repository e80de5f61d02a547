// A JSON call from the browser; every error becomes a CallError. The code of the calls (named-call.ts) loads with the first,
// or before: see useSoon.
import type { ErrorBody, ErrorCode } from "~/domain/errors";
import type { PathParams } from "~/wire/call-path";
import type { CallName } from "~/wire/paths";

/**
 * Random for each page load. It marks requests that may be repeated and operations that return over the socket (E-01).
 */
export const CLIENT_UUID = typeof document === "undefined" ? "" : crypto.randomUUID();

export class CallError extends Error {
  readonly code: ErrorCode;
  readonly body: ErrorBody;
  constructor(body: ErrorBody) {
    super(body.message);
    this.code = body.error_code;
    this.body = body;
  }
}

export const networkError = (): ErrorBody => {
  const message = "We could not reach the server. Please check your connection and try again.";
  return { message, error: message, error_code: "SERVER_ERROR", errors: [message], fields: {} };
};

export type CallInput = {
  params?: PathParams;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Continues after the page is closed (S-16); on by default for small writes. */
  keepalive?: boolean;
  /** The same key makes a retry idempotent. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

let caller: typeof import("./named-call") | undefined;
/** Once it is here, a call begins in the same task: a page that is being closed has no other. */
export async function fetchCaller(): Promise<typeof import("./named-call")> {
  caller ??= await import("./named-call");
  return caller;
}

/** The JSON of the answer (null for 204). Throws CallError; a network failure is SERVER_ERROR. */
export async function callServer<Answer = unknown>(name: CallName, input: CallInput = {}): Promise<Answer> {
  const { makeNamedCall } = await fetchCaller().catch(() => {
    throw new CallError(networkError());
  });
  return makeNamedCall<Answer>(name, input);
}

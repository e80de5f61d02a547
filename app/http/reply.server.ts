// Maps every thrown error to an answer. Unknown errors are logged with a request id, which is all that the answer
// shows.
import { AppError, asAppError, type ErrorBody, errorBody, STATUS_OF } from "~/domain/errors";
import { logLine } from "~/domain/log-line";

export type ErrorAnswer = {
  status: number;
  /** `trace`: only under `npm run dev`. */
  body: ErrorBody & { request_id?: string; trace?: string };
  headers: Record<string, string>;
};

/** Status, body and headers for any thrown value. */
export function errorAnswer(thrown: unknown): ErrorAnswer {
  const error = asAppError(thrown);
  const headers: Record<string, string> = {};
  if (error.retryAfter !== undefined)
    headers["Retry-After"] = String(Math.max(1, Math.ceil(error.retryAfter)));
  if (error.code !== "SERVER_ERROR")
    return { status: STATUS_OF[error.code], body: errorBody(error), headers };
  const requestId = crypto.randomUUID();
  const chain = trace(thrown);
  console.error(logLine({ event: "unknown-error", requestId, error: chain }));
  return {
    status: 500,
    body: {
      ...errorBody(new AppError("SERVER_ERROR")),
      request_id: requestId,
      ...(import.meta.env.MODE === "development" && { trace: chain }),
    },
    headers,
  };
}

function trace(thrown: unknown): string {
  const lines: string[] = [];
  for (let e: unknown = thrown; e !== undefined; e = e instanceof Error ? e.cause : undefined) {
    lines.push(e instanceof Error ? (e.stack ?? e.message) : String(e));
  }
  return lines.join("\ncaused by ");
}

// The answers of a room's RPC calls. Errors are returned as values, because an error thrown across RPC loses its code.
import { type AppError, asAppError, type ErrorCode, type FieldErrors, type Newer } from "~/domain/errors";
import { logRoomError } from "./log";

export type RoomAnswer<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      code: ErrorCode;
      message: string;
      sentences: string[];
      fields: FieldErrors;
      retryAfter: number | undefined;
      newer: Newer | undefined;
    };

/** The error that people may read. An unexpected error is logged. */
export function knownError(thrown: unknown, session: number | undefined): AppError {
  const error = asAppError(thrown);
  if (error.code === "SERVER_ERROR") logRoomError({ event: "room-error", session, error: thrown });
  return error;
}

export async function answerOf<T>(
  work: () => Promise<T>,
  session: () => number | undefined,
): Promise<RoomAnswer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    const { code, message, sentences, fields, retryAfter, newer } = knownError(thrown, session());
    return { ok: false, code, message, sentences, fields, retryAfter, newer };
  }
}

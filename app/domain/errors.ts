// The closed list of error codes, each with its HTTP status (X-02).
import type { Instant } from "./time";

export const STATUS_OF = {
  UNAUTHENTICATED: 401,
  INSUFFICIENT_TOKENS: 402,
  FORBIDDEN: 403,
  REAUTH_REQUIRED: 403,
  WRONG_CODE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  SESSION_FULL: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_TYPE: 415,
  CSRF_MISMATCH: 419,
  INVALID: 422,
  RATE_LIMITED: 429,
  SERVER_ERROR: 500,
} as const;
export type ErrorCode = keyof typeof STATUS_OF;

export type FieldErrors = Record<string, string[]>;

/** The body of every failed call (X-01). `message` and `error` are the same readable sentence. */
export type ErrorBody = {
  message: string;
  error: string;
  error_code: ErrorCode;
  errors: string[];
  fields: FieldErrors;
  /**
   * For INSUFFICIENT_TOKENS: the account that lacks tokens, the user's own or the host's, who pays for a free join.
   * `reserve`: the user's own, part of which is reserved; the sentence says for which chat.
   */
  lacks_tokens?: TokenLack;
  /** For a CONFLICT with a newer save (R-69): its version in epoch milliseconds, and its texts. */
  newer?: Newer;
};
export type Newer = { updatedAt: Instant; texts: { label: string; text: string }[] };
export type TokenLack = "you" | "host" | "reserve";

const SENTENCES: Record<ErrorCode, string> = {
  UNAUTHENTICATED: "Please sign in to use that feature.",
  INSUFFICIENT_TOKENS: "You're out of tokens",
  FORBIDDEN: "You are not allowed to do that.",
  REAUTH_REQUIRED: "Please confirm that it's you.",
  WRONG_CODE: "That code does not open this session.",
  NOT_FOUND: "We could not find that.",
  METHOD_NOT_ALLOWED: "This call has another method.",
  CONFLICT: "That is not possible any more.",
  SESSION_FULL: "This session is full and is not accepting additional participants.",
  TOO_LARGE: "That is too large.",
  UNSUPPORTED_TYPE: "That kind of content is not accepted here.",
  CSRF_MISMATCH: "This page has been open for too long. Please reload it and try again.",
  INVALID: "Please check the marked fields.",
  RATE_LIMITED: "That was a lot at once. Please wait a moment and try again.",
  SERVER_ERROR: "Something went wrong on our side. Please try again.",
};

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors;
  /** Seconds until a retry can succeed (RATE_LIMITED). */
  readonly retryAfter: number | undefined;
  /** The account that lacks tokens (INSUFFICIENT_TOKENS). */
  readonly lacksTokens: TokenLack;
  /** The user's address must be confirmed first (FORBIDDEN, R-39). */
  readonly asksToConfirm: boolean;
  readonly newer: Newer | undefined;
  /** The sentences of the `errors` array; by default only the message. */
  readonly sentences: string[];

  constructor(
    code: ErrorCode,
    message?: string,
    details: {
      fields?: FieldErrors;
      retryAfter?: number;
      sentences?: string[];
      lacksTokens?: TokenLack;
      asksToConfirm?: true;
      newer?: Newer;
    } = {},
  ) {
    const fieldSentences = Object.values(details.fields ?? {}).flat();
    super(message ?? fieldSentences[0] ?? details.sentences?.[0] ?? SENTENCES[code]);
    this.name = "AppError";
    this.code = code;
    this.fields = details.fields ?? {};
    this.retryAfter = details.retryAfter;
    this.lacksTokens = details.lacksTokens ?? "you";
    this.asksToConfirm = details.asksToConfirm ?? false;
    this.newer = details.newer;
    this.sentences = details.sentences ?? (fieldSentences.length > 0 ? fieldSentences : [this.message]);
  }
}

/** An error with the same sentence at each of `fields`. */
export const errorAt = (
  code: ErrorCode,
  sentence: string,
  fields: readonly string[],
  newer?: Newer,
): AppError =>
  new AppError(code, sentence, {
    fields: Object.fromEntries(fields.map((name) => [name, [sentence]])),
    sentences: [sentence],
    ...(newer && { newer }),
  });

/** A validation error at one field. */
export const invalid = (field: string, sentence: string): AppError => errorAt("INVALID", sentence, [field]);

export const errorBody = (error: AppError): ErrorBody => ({
  message: error.message,
  error: error.message,
  error_code: error.code,
  errors: error.sentences,
  fields: error.fields,
  ...(error.code === "INSUFFICIENT_TOKENS" ? { lacks_tokens: error.lacksTokens } : {}),
  ...(error.newer ? { newer: error.newer } : {}),
});

/** A row holds at most 1,000,000 bytes of text. */
export const TOO_LONG_TO_KEEP = "That is too long. Please shorten it.";
export const UNKNOWN_CATEGORY = "Please choose one of the categories.";
/** The sentence of a field that its call does not have (C-01). */
export const NO_SUCH_FIELD = "This call has no such field.";
export const TOO_LARGE_A_PLAN = "That is too many timers for one session.";

export const takenGoalUuid = (): AppError => new AppError("CONFLICT", "Another goal has this uuid.");
/** The refusal of a log that takes away more than was logged (V-12). */
export const belowZero = (measure: "amount" | "distance"): AppError =>
  invalid(measure, `Progress cannot go below zero. Please correct the ${measure}.`);

/** The named constraints of db/schema, and the error of each. */
const CONSTRAINTS: Record<string, () => AppError> = {
  tokens_sufficient: () => new AppError("INSUFFICIENT_TOKENS"),
  tokens_not_negative: () => new AppError("INSUFFICIENT_TOKENS"),
  pool_not_negative: () => new AppError("CONFLICT", "The shared pool is empty right now."),
  session_not_full: () => new AppError("SESSION_FULL"),
  activity_not_full: () => new AppError("CONFLICT", "This activity has no free places left."),
  "goals.uuid": () => takenGoalUuid(),
  one_running_log: () => new AppError("CONFLICT", "A timer is already running for this goal."),
  goal_progress_not_negative: () => belowZero("amount"),
  goal_distance_not_negative: () => belowZero("distance"),
  row_fits_content: () => invalid("content", TOO_LONG_TO_KEEP),
  row_fits_prompt: () => invalid("prompt", TOO_LONG_TO_KEEP),
  row_fits_todo: () => invalid("todo", TOO_LONG_TO_KEEP),
  row_fits_done: () => invalid("done", TOO_LONG_TO_KEEP),
  row_fits_items: () => invalid("items", TOO_LONG_TO_KEEP),
  row_fits_timers: () => invalid("timers", TOO_LONG_TO_KEEP),
  row_fits_quick_log_buttons: () => invalid("quick_log_buttons", TOO_LONG_TO_KEEP),
  row_fits_template: () => invalid("content", TOO_LONG_TO_KEEP),
  row_fits_schedule: () => invalid("schedule", TOO_LARGE_A_PLAN),
  session_length: () => invalid("duration", "A session lasts from 5 minutes to 30 days."),
  // A referenced row was deleted in the meantime.
  "FOREIGN KEY": () => new AppError("NOT_FOUND", "This belongs to something that has been deleted."),
  // A payment is recorded once, whatever happened to it later.
  entry_written_once: () => new AppError("CONFLICT", "This has been done already."),
  request_once: () => new AppError("CONFLICT", "This has been done already."),
  one_seat_per_user: () => new AppError("CONFLICT", "This has been done already."),
  users_email_unique: () => invalid("email", "There is already an account with this email address."),
  users_username_unique: () => invalid("username", "This username is taken. Please choose another."),
  persons_username_unique: () => invalid("username", "This username is taken. Please choose another."),
};

/** The name of the constraint in a database error, or null. Drizzle wraps D1's error as `cause`. */
export function brokenConstraint(error: unknown): string | null {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const match =
      /CHECK constraint failed: (\w+)/.exec(e.message) ??
      /(FOREIGN KEY) constraint failed/.exec(e.message) ??
      /NOT NULL constraint failed: ([\w.]+)/.exec(e.message) ??
      /UNIQUE constraint failed: (?:index ')?([\w.]+)/.exec(e.message);
    if (match?.[1]) return UNIQUE_COLUMNS[match[1]] ?? match[1];
  }
  return null;
}
// For a broken UNIQUE without an expression, SQLite names the columns instead of the constraint.
const UNIQUE_COLUMNS: Record<string, string> = {
  "logs.goal_id": "one_running_log",
  "sessions.series_id": "one_session_per_series_day",
  "purchases.payment_intent": "payment_credited_once",
  "participants.user_id": "one_seat_per_user",
  "participants.session_id": "one_host_per_session",
  "repeated_requests.user_id": "request_once",
  "token_entries.reference": "entry_written_once",
  "pool_entries.reference": "pool_entry_written_once",
};

/** Checks the fields instead of the class, because a bundle may contain a second copy of the class. */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof Error &&
  error.name === "AppError" &&
  "code" in error &&
  Object.hasOwn(STATUS_OF, String(error.code));

/** Any thrown value as an AppError. An unexpected one becomes SERVER_ERROR, and the caller logs it. */
export function asAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  const name = brokenConstraint(error);
  const constraint = name ? CONSTRAINTS[name] : undefined;
  return constraint ? constraint() : new AppError("SERVER_ERROR");
}

// Error sentences, and the error code of each broken database constraint.
import { expect, test } from "vitest";
import { AppError, asAppError, brokenConstraint, errorBody, invalid, isAppError, STATUS_OF } from "./errors";

test("X-01 an error's message is its own sentence, else the first field's, else the first additional one, else that of its code", () => {
  const fields = { title: ["No title.", "Too short."], content: ["No content."] };
  expect(new AppError("INVALID", "Mine.", { fields }).message).toBe("Mine.");
  expect(new AppError("INVALID", undefined, { fields, sentences: ["Further."] }).message).toBe("No title.");
  expect(new AppError("INVALID", undefined, { sentences: ["Further.", "More."] }).message).toBe("Further.");
  expect(new AppError("NOT_FOUND").message).toBe("We could not find that.");
});

test("X-01 an answer lists every sentence once, by field and in one list", () => {
  const fields = { title: ["No title.", "Too short."], content: ["No content."] };
  expect(errorBody(new AppError("INVALID", undefined, { fields }))).toEqual({
    message: "No title.",
    error: "No title.",
    error_code: "INVALID",
    errors: ["No title.", "Too short.", "No content."],
    fields,
  });
  expect(errorBody(new AppError("CONFLICT", "Over.", { sentences: ["A.", "B."] })).errors).toEqual([
    "A.",
    "B.",
  ]);
  expect(errorBody(new AppError("CONFLICT", "Over."))).toMatchObject({ errors: ["Over."], fields: {} });
  expect(errorBody(invalid("amount", "Less."))).toMatchObject({
    errors: ["Less."],
    fields: { amount: ["Less."] },
  });
});

test("X-02 only INSUFFICIENT_TOKENS names the account that lacks tokens", () => {
  expect(errorBody(new AppError("CONFLICT"))).not.toHaveProperty("lacks_tokens");
  expect(errorBody(new AppError("INSUFFICIENT_TOKENS")).lacks_tokens).toBe("you");
  expect(errorBody(new AppError("INSUFFICIENT_TOKENS", "H", { lacksTokens: "host" })).lacks_tokens).toBe(
    "host",
  );
});

test.each([
  ["CHECK constraint failed: tokens_sufficient", "tokens_sufficient", "INSUFFICIENT_TOKENS"],
  ["D1_ERROR: UNIQUE constraint failed: logs.goal_id: SQLITE_CONSTRAINT", "one_running_log", "CONFLICT"],
  [
    "D1_ERROR: UNIQUE constraint failed: repeated_requests.user_id, repeated_requests.key: SQLITE_CONSTRAINT",
    "request_once",
    "CONFLICT",
  ],
  ["UNIQUE constraint failed: index 'users_email_unique'", "users_email_unique", "INVALID"],
  ["FOREIGN KEY constraint failed", "FOREIGN KEY", "NOT_FOUND"],
  ["CHECK constraint failed: nobody_knows", "nobody_knows", "SERVER_ERROR"],
])("X-02 the database's %j is %s: %s", (message, name, code) => {
  // drizzle wraps the error once or more.
  const error = new Error("Failed query", { cause: new Error("D1", { cause: new Error(message) }) });
  expect(brokenConstraint(error)).toBe(name);
  expect(asAppError(error).code).toBe(code);
});

test("X-02 an unexpected error becomes SERVER_ERROR, and an AppError stays itself", () => {
  for (const thrown of [new Error("no such table"), "text", null, undefined, { code: "CONFLICT" }]) {
    expect(brokenConstraint(thrown)).toBeNull();
    expect(asAppError(thrown).code).toBe("SERVER_ERROR");
  }
  const own = new AppError("CONFLICT");
  expect(asAppError(own)).toBe(own);
});

test("X-02 an error of a second copy of the class is recognised by its name and code", () => {
  const like = (name: string, more: object) => Object.assign(new Error("x"), { name, ...more });
  expect(isAppError(like("AppError", { code: "CONFLICT" }))).toBe(true);
  expect(isAppError(like("AppError", { code: "EVERYTHING" }))).toBe(false);
  expect(isAppError(like("AppError", {}))).toBe(false);
  expect(isAppError(like("Error", { code: "CONFLICT" }))).toBe(false);
  expect(isAppError({ name: "AppError", code: "CONFLICT" })).toBe(false);
});

test("X-02 each code has its HTTP status", () => {
  expect(STATUS_OF).toEqual({
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
  });
});

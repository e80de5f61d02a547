// The text of a log line.
import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { logLine } from "./log-line";

test("ASVS 16.2.5 a log line holds no parameter of a failed query, and keeps its query, stack and cause", () => {
  const query = "insert into notes (title) values (?)";
  const failed = new DrizzleQueryError(query, ["dear diary\n    at last"], new Error("disk full"));
  const line = logLine({
    event: "unknown-error",
    error: `${failed.stack}\ncaused by ${failed.cause?.stack}`,
    short: String(failed),
  });
  expect(line).not.toContain("diary");
  expect(line).not.toContain("at last");
  expect(line).toContain(query);
  expect(line).toMatch(/log-line\.test\.ts:\d+:\d+.*caused by Error: disk full/);
  expect(JSON.parse(line).short).toBe(`Error: Failed query: ${query}`);
});

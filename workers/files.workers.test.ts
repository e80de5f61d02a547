// Files that are refused or missing: calendars, tables, images and the export answer a sentence.
import { expect, test } from "vitest";
import { ask } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";

const MISSING = [
  "/sessions/999999/calendar.ics",
  "/sessions/999999/attendance.csv",
  "/sessions/999999/recap.csv",
  "/sessions/none/recap.markdown",
  "/uploads/none.png",
  `/account/calendar/${"a".repeat(43)}.ics`,
  "/account/calendar/short.ics",
  "/group/no-such-hut/calendar.ics",
  "/activities/no-such-activity/calendar.ics",
];

test.each(MISSING)("M-06 the missing file %s answers a sentence with status 404", async (path) => {
  const answer = await visit(await makeUser(), path);
  expect(answer.status).toBe(404);
  expect(answer.html).toMatch(/[A-Z][^.]+ [^.]+\./);
  expect(answer.html).not.toContain("Server Error");
});

test("M-06 a table of another person's session answers why it is refused", async () => {
  const session = await makeSession(await makeUser());
  const answer = await visit(await makeUser(), `/sessions/${session.id}/attendance.csv`);
  expect([403, 404]).toContain(answer.status);
  expect(answer.html).toMatch(/^[A-Z][^.]+\.\s*$/);
});

test("M-06 a program reads the refusal of a file as JSON", async () => {
  const answer = await ask("/uploads/none.png", { headers: { Accept: "application/json" } });
  expect(await answer.json()).toMatchObject({ error_code: "NOT_FOUND" });
});

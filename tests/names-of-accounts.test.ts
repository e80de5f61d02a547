// Each statement that reads the name of an account, or the person as whom a user acts now, has its reason here: other
// people read the person that acted, from a row that stores it.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const OWN = "Only the account itself reads it.";
const OPERATORS = "Super admins read it, who act on accounts.";
const ACTING = "The person acts now.";
const DELETED = "The account is deleted, and has one name.";
const GUEST = "A guest has one name.";
const OLDER_ROWS = "For rows from before the column.";
const SITE = "The site's own account.";

/** By file: the number of places, and the reasons. */
const READS: Record<string, [count: number, ...reasons: string[]]> = {
  "db/queries/accounts/accounts.ts": [6, OWN],
  "db/queries/accounts/api-keys.ts": [1, ACTING],
  "db/queries/accounts/confirmations.ts": [3, OWN],
  "db/queries/accounts/deletion.ts": [3, OWN],
  "db/queries/accounts/logins.ts": [1, ACTING],
  "db/queries/chat-of-user.ts": [1, DELETED],
  "db/queries/goals/goals.ts": [1, OWN],
  // The name of a session's host is that of the seat.
  "db/queries/huts/outsiders.ts": [2, OPERATORS],
  "db/queries/library.ts": [3, SITE],
  "db/queries/notices/deliveries.ts": [2, OWN],
  "db/queries/person-of-row.ts": [2, OLDER_ROWS],
  "db/queries/safety/audit.ts": [1, OPERATORS],
  "db/queries/safety/reports.ts": [3, OPERATORS, OWN],
  "db/queries/safety/sanctions.ts": [1, OPERATORS],
  // An invitation names a person, who has to act at that moment.
  "db/queries/series/rota.ts": [1, ACTING],
  "db/queries/sessions/guests.ts": [3, GUEST],
  "db/queries/sessions/recaps.ts": [1, GUEST, DELETED],
};

/** The names under which the statements of a file read the table. */
const aliasesIn = (text: string): string[] => [
  "users",
  ...[...text.matchAll(/\b(?:FROM|JOIN) users (?!ON\b|WHERE\b)(\w+)/g)].flatMap(([, alias]) => alias ?? []),
];
const placesIn = (text: string): number =>
  [...new Set(aliasesIn(text))].reduce(
    (sum, alias) =>
      sum + (text.match(new RegExp(`\\b${alias}\\.(?:username|personId|person_id)\\b`, "g"))?.length ?? 0),
    0,
  );

test("A-12 each read of an account's name has a reason", () => {
  const files = globSync("db/queries/**/*.ts").filter((path) => !path.includes(".test."));
  expect(files.length).toBeGreaterThan(50);
  const found = files.map((path) => [path, placesIn(readFileSync(path, "utf8"))] as const);
  expect(Object.fromEntries(found.filter(([, count]) => count > 0))).toEqual(
    Object.fromEntries(Object.entries(READS).map(([path, [count]]) => [path, count])),
  );
  expect(placesIn("sql`SELECT u.username FROM users u JOIN persons p ON p.id = u.person_id`")).toBe(2);
  expect(placesIn("db.select({ name: users.username })")).toBe(1);
});

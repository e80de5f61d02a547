// The pages of notices, walked to the oldest (N-08).
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { newEventId } from "#db/queries/notices/events";
import { dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUsers, type TestUser } from "#tests/support/factories";
import { emptySpine } from "#tests/support/notices";
import { visit } from "#tests/support/visit";
import { type Instant, instant, MINUTE } from "~/domain/time";

beforeEach(emptySpine);

keepBystanders();

const NOW = instant(Date.now());
/** A row of a session that a series laid out without a seat for the user, as one of several at this instant. */
const skippedRow = (user: TestUser, at: Instant, title: string) => ({
  userId: user.id,
  id: newEventId(at, { isFirst: true }),
  kind: "standing-unpaid" as const,
  subject: "series:1",
  body: { title, path: "/my/series/1", startedAt: at },
  others: [],
  at,
});
const ago = (minutes: number) => instant(NOW - minutes * MINUTE);
const hrefOfOlder = (html: string) =>
  /<a(?=[^>]*href="(?<href>[^"]*after=[^"]*)")[^>]*>Older notices</.exec(html)?.groups?.href;

test("N-08 R-96 the pages reach the oldest notice past each that a series sent for a missing token", async () => {
  const [holder, other] = await makeUsers(2);
  const titles = Array.from({ length: 14 }, (_, n) => `Date ${n}.`);
  for (const [n, title] of titles.entries())
    for (const user of [holder, other])
      await db.insert(schema.notices).values(skippedRow(user, ago(n), title));

  const found: string[] = [];
  for (let after: string | null = ""; after !== null && found.length < 20; ) {
    const page: { notices: { text: string }[]; after: string | null } = await dataOf(
      holder,
      `/api/my/notices?limit=1&after=${encodeURIComponent(after)}`,
    );
    found.push(...page.notices.map(({ text }) => text));
    after = page.after;
  }
  expect(found).toHaveLength(14);
  expect(new Set(found).size).toBe(14);

  const href = hrefOfOlder((await visit(holder, "/my/notices")).html);
  const older = await visit(holder, href ?? "");
  const shown = titles.filter((title) => older.html.includes(`No seat in ${title}`));
  expect(shown).toEqual(titles.slice(12));
  expect((await dataOf(other, "/api/my/notices")).notices[0]).toMatchObject({ is_unread: 1 });
});

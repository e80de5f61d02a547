// Remembered queries: the same statements as if each call built its own.

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, type Database, remembered, schema } from "#db/connect.server";
import { countActivities, findActivity, listActivities, listTemplates } from "#db/queries/activities";
import { listCategories } from "#db/queries/categories";
import { listGoals, listTags } from "#db/queries/goals";
import { findCurrentUser } from "#db/queries/logins";
import { listOpenLogs } from "#db/queries/logs";
import { selectSessionCards } from "#db/queries/session-cards";
import { instant } from "~/domain/time";

type Built = { sql: string; params: unknown[] };
const db = connect({ prepare: () => null } as unknown as D1Database);
const direct = (statement: unknown): Built => (statement as { toSQL(): Built }).toSQL();
const inBatch = (statement: unknown): Built =>
  (statement as { _prepare(): { getQuery(): Built } })._prepare().getQuery();

const page = { page: 1, perPage: 20 };
const STATEMENTS = [7, 8, 0].flatMap((userId) => {
  const now = instant(1_700_000_000_000 + userId);
  const since = `2026-01-0${userId + 1}`;
  const scopes = [
    {},
    { hutId: userId + 1 },
    { category: "sport", difficulty: 2 },
    { isJoined: true },
    { words: [["tour", "tours"]] },
    { activityId: 3 },
    { page: 2 },
    { after: "7001", hutId: 2 },
    { after: "7002", hutId: 2, isPrivateHut: true, words: [["sea"]] },
  ];
  return [
    findCurrentUser(db, `hash ${userId}`, now),
    findActivity(db, `tour-${userId}`, userId),
    listTemplates(db, 3),
    listTemplates(db, 4),
    listCategories(db),
    listTags(db, userId),
    listOpenLogs(db, userId, null, 50),
    listOpenLogs(db, userId, userId + 3, 20),
    ...scopes.flatMap((scope) => [
      selectSessionCards(db, { ...page, now, userId, ...scope } as never),
      listActivities(db, { ...page, userId, ...scope } as never),
      countActivities(db, { ...page, userId, ...scope } as never),
    ]),
    ...[null, "sea", "hut"].flatMap((tag) =>
      ([null, 1, 2] as const).flatMap((status) =>
        [[], ["walk"], ["swim"]].map((words) =>
          listGoals(db, { userId, since, ...page, status, words, tag }),
        ),
      ),
    ),
  ];
});

test("P3 a remembered statement has the text and parameters of a new one", () => {
  for (const statement of STATEMENTS) {
    const { sql: text, params } = direct(statement);
    expect(inBatch(statement)).toEqual({ sql: text, params });
  }
  // Each shape has been built now.
  for (const statement of STATEMENTS) expect(inBatch(statement).params).toEqual(direct(statement).params);
});

test("P3 a remembered query throws when it computes with a variable value", () => {
  const remember = (computed: (limit: number) => number) =>
    remembered([0], (db: Database, limit: number) =>
      db
        .select({ id: schema.users.id })
        .from(schema.users)
        .where(sql`id < ${computed(limit)}`),
    );
  expect(() => inBatch(remember((limit) => limit * 2)(db, 5))).toThrow("computes");
  expect(() => inBatch(remember((limit) => limit + 1)(db, 5))).toThrow("computes");
});

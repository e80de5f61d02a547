// Remembered queries: the same statements as if each call built its own.

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, type Database, remembered, schema } from "#db/connect.server";
import {
  activityIdOf,
  countActivities,
  findActivity,
  listActivities,
  listGoalsOf,
  listTemplates,
} from "#db/queries/activities";
import { listCategories } from "#db/queries/categories";
import { listSessionGoals } from "#db/queries/goal-copies";
import { listGoals, listGoalsTiedTo, listTags } from "#db/queries/goals";
import { hutIdOf } from "#db/queries/huts";
import { findCurrentUser } from "#db/queries/logins";
import { listOpenLogs, listSessionLogs, listUserLogs } from "#db/queries/logs";
import { selectSessionCards } from "#db/queries/session-cards";
import { listMyRunning, listMyTotals } from "#db/queries/session-logs";
import { findSession } from "#db/queries/sessions";
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
    { activityId: activityIdOf(`tour-${userId}`) },
    { hutId: hutIdOf(`hut-${userId}`) },
    { page: 2 },
    { after: "7001", hutId: 2 },
    { after: "7002", hutId: 2, isPrivateHut: true, words: [["sea"]] },
  ];
  return [
    findCurrentUser(db, `hash ${userId}`, now),
    findActivity(db, `tour-${userId}`, userId),
    listGoalsOf(db, `tour-${userId}`),
    listGoalsTiedTo(db, `tour-${userId}`, userId),
    findSession(db, userId + 4, userId),
    listSessionGoals(db, userId + 4),
    listMyTotals(db, userId + 4, userId),
    listMyRunning(db, userId + 4, userId),
    listSessionLogs(db, userId + 4, userId, page),
    listSessionLogs(db, userId + 4, userId, { ...page, page: 3 }),
    listUserLogs(db, userId, page),
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

// The clock of the header: the newest log that runs, on every page.
import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { connect, schema } from "#db/connect.server";
import { actingUser } from "#db/queries/accounts/logins";
import { countingD1 } from "#tests/support/counting-d1";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { visit } from "#tests/support/visit";
import { instant, MINUTE, seconds } from "~/domain/time";
import { completeLog } from "./log-moves.server";
import { startProgress } from "./logs.server";

const { users, persons } = schema;

/** `text → href` of the links in the header that name a running log. */
async function clockOf(user: TestUser | null, path = "/events") {
  const links = await (await visit(user, path)).links("header");
  return Object.entries(links).filter(([text]) => text.startsWith("Running"));
}

test("R-85 the header of every page has the running clock, of nobody else, and of several the newest", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const cello = await makeGoal(user, { title: "Cello" });
  const app = await appOf(user);
  expect(await clockOf(user)).toEqual([]);
  const { log } = await startProgress(app, { goalId: cello.id });
  vi.setSystemTime(instant(app.now + 2 * MINUTE));
  for (const path of ["/events", "/", "/my/notes", "/account"]) {
    const [[text, href] = []] = await clockOf(user, path);
    expect([text, href], path).toEqual([
      expect.stringMatching(/^Running: Cello, .*\d\d:\d\d$/),
      `/my/goals/${cello.id}`,
    ]);
  }
  for (const one of [other, null]) expect(await clockOf(one)).toEqual([]);
  const walk = await makeGoal(user, { title: "Walk" });
  await startProgress(app, { goalId: walk.id });
  const [[text, href] = []] = await clockOf(user);
  expect([text, href]).toEqual([expect.stringContaining("Running: Walk and 1 more, "), "/my/goals"]);
  await db
    .update(schema.logs)
    .set({ status: 3, pausedAt: app.now })
    .where(and(eq(schema.logs.userId, user.id), eq(schema.logs.goalId, walk.id)));
  expect((await clockOf(user))[0]?.[0]).toContain("Cello");
  await completeLog(app, { log: log.id });
  expect(await clockOf(user)).toEqual([]);
});

test("R-62 the header has no clock of an interval timer past its end", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, {
    title: "Sets",
    isInterval: true,
    duration: seconds(60),
    timers: [{ uuid: "t", title: "", duration: seconds(60), isInterval: false, sets: 1, timers: [] }],
  });
  const app = await appOf(user);
  await startProgress(app, { goalId: goal.id });
  vi.setSystemTime(instant(app.now + MINUTE / 2));
  expect(await clockOf(user)).toHaveLength(1);
  vi.setSystemTime(instant(app.now + 2 * MINUTE));
  expect(await clockOf(user)).toEqual([]);
});

test("D2 a login reads at most 8 rows, also beside 1,000 logs, and 3 more with a clock", async () => {
  const [fresh, user] = [await makeUser(), await makeUser()];
  const goal = await makeGoal(user);
  const app = await appOf(user);
  await db.run(
    sql`INSERT INTO logs (id, uuid, goal_id, user_id, username, status, amount, day, created_at, updated_at)
      WITH RECURSIVE n(i) AS (SELECT 100001 UNION ALL SELECT i + 1 FROM n WHERE i < 101000)
      SELECT i, 'many-' || i, ${goal.id}, ${user.id}, 'm', 2, 1000, '2026-11-21', 1, 1 FROM n`,
  );
  const { d1, counts } = countingD1(env.DB);
  const readOf = async ({ id }: TestUser) => {
    counts.rowsRead = 0;
    await connect(d1)
      .select(actingUser(app.now))
      .from(users)
      .innerJoin(persons, eq(persons.id, users.personId))
      .where(eq(users.id, id));
    return counts.rowsRead;
  };
  for (const one of [fresh, user]) expect(await readOf(one)).toBeLessThanOrEqual(8);
  await startProgress(app, { goalId: goal.id });
  expect(await readOf(user)).toBeLessThanOrEqual(11);
});

// The figures on /admin.
import { env } from "cloudflare:workers";
import { eq, lt } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { countingD1 } from "#tests/support/counting-d1";
import { appOf, db, makeUser, NOW, testApp } from "#tests/support/factories";
import { visit } from "#tests/support/visit";
import { dayAt } from "~/domain/days";
import { DAY, instant } from "~/domain/time";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import { viewFailures } from "./failed-deliveries.server";

/** So many days before `NOW`. */
const ago = (days: number) => instant(NOW - days * DAY);

/** Accounts of the given ages in days, in this order, with gaps between their ids. */
async function makeAccounts(ages: number[]) {
  const made = [];
  for (const age of ages) {
    const user = await makeUser();
    made.push({ user, age });
    if (age % 2 === 0) {
      const gone = await makeUser();
      await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(gone.id).run();
    }
  }
  for (const { user, age } of made)
    await env.DB.prepare("UPDATE users SET created_at = ? WHERE id = ?").bind(ago(age), user.id).run();
  return made.map(({ user }) => user);
}
const countsOf = async (admin: Awaited<ReturnType<typeof makeUser>>) => {
  const { figures } = await viewFailures(await appOf(admin, NOW));
  return Object.fromEntries(figures.map(({ label, counts }) => [label, counts.map(({ count }) => count)]));
};

test("/admin counts accounts, seats, deliveries, failures and open reports of 1, 7 and 30 days", async () => {
  const [first] = await makeAccounts([400, 90, 40, 31, 29, 12, 8, 6, 3, 1.5, 0.5, 0.1]);
  const admin = await makeUser({ roleId: 10 });
  await env.DB.prepare("UPDATE users SET created_at = ? WHERE id = ?").bind(ago(0.05), admin.id).run();
  const userId = first?.id ?? 0;
  const row = {
    userId,
    kind: "session-cancelled" as const,
    subject: "1",
    channel: "mail" as const,
    body: {},
  };
  await db.insert(schema.deliveries).values(
    [
      ["waiting", 0.2],
      ["waiting", 3],
      ["failed", 5],
      ["failed", 40],
      ["sent", 0.1],
    ].map(([state, age], n) => ({
      ...row,
      key: `${userId}:${n}`,
      state: state as "waiting",
      at: ago(Number(age)),
      dueAt: NOW,
    })),
  );
  await db.insert(schema.deliveryDays).values([
    { day: dayAt(NOW, "UTC"), state: "sent", deliveries: 4 },
    { day: dayAt(ago(1), "UTC"), state: "sent", deliveries: 20 },
    { day: dayAt(ago(6), "UTC"), state: "dropped", deliveries: 3 },
    { day: dayAt(ago(29), "UTC"), state: "dropped", deliveries: 5 },
    { day: dayAt(ago(31), "UTC"), state: "dropped", deliveries: 100 },
  ]);
  await db.insert(schema.failedRows).values({ job: "tidy-up", row: "1", reason: "no", at: ago(10) });
  const report = {
    kind: "user" as const,
    targetId: String(userId),
    reporterId: admin.id,
    reason: "spam" as const,
    authorId: userId,
    authorName: "x",
    snapshot: "",
    path: "/",
    createdAt: ago(2),
    updatedAt: ago(2),
  };
  await db.insert(schema.reports).values(report as never);
  expect(await countsOf(admin)).toMatchObject({
    // An account that is gone was new as well.
    "New users": [3, 7, 12],
    "Deliveries waiting": [1, 2, 2],
    "Deliveries failed": [0, 1, 1],
    "Deliveries sent, until last night": [20, 20, 20],
    "Deliveries dropped, until last night": [0, 3, 8],
    "Rows of jobs that failed": [0, 0, 1],
    "Open reports": [0, 1, 1],
  });
  const page = (await visit(admin, "/admin")).html;
  expect(page).toContain("New users");
  expect(page).toContain("Release");
});

test("/admin knows the decided deliveries of 30 days, which each night counts before it deletes them", async () => {
  const { id } = await makeUser();
  const first = ago(300);
  const row = (n: number, state: "sent" | "dropped" | "failed" | "waiting", days: number) => ({
    key: `${id}:counted:${n}`,
    userId: id,
    kind: "session-cancelled" as const,
    subject: "1",
    channel: "mail" as const,
    body: {},
    dueAt: first,
    state,
    at: instant(first + days * DAY),
  });
  await db
    .insert(schema.deliveries)
    .values([row(0, "sent", 0), row(1, "sent", 0), row(2, "dropped", 0), row(3, "failed", 0)]);
  await db.insert(schema.deliveries).values([row(4, "sent", 6), row(5, "waiting", 6)]);
  const counted = async (days: number) => {
    await deleteExpiredRows(await testApp({ now: instant(first + days * DAY) }));
    const rows = await db
      .select()
      .from(schema.deliveryDays)
      .where(lt(schema.deliveryDays.day, dayAt(ago(250), "UTC")));
    return rows.map(({ day, state, deliveries }) => [day, state, deliveries]);
  };
  const [day, later] = [dayAt(first, "UTC"), dayAt(instant(first + 6 * DAY), "UTC")];
  const all = [
    [day, "dropped", 1],
    [day, "sent", 2],
    [later, "sent", 1],
  ];
  for (const days of [6, 6, 9]) expect(await counted(days)).toEqual(all);
  const left = await db.select().from(schema.deliveries).where(eq(schema.deliveries.userId, id));
  expect(left.map(({ state }) => state)).not.toContain("dropped");
  expect(await counted(33)).toEqual([all[2]]);
});

test("/admin reads at most 2,000 rows of a site with 20,000 accounts and seats, and says where it stopped", async () => {
  const admin = await makeUser({ roleId: 10 });
  await env.DB.prepare(
    `INSERT INTO users (email, username, password_hash, created_at, updated_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      SELECT 'many' || i || '@cabins.dev', 'many' || i, '', ${NOW - 60 * DAY} + i * ${(60 * DAY) / 20000}, 0 FROM n`,
  ).run();
  await env.DB.prepare(
    `INSERT INTO deliveries (key, user_id, kind, subject, channel, body, due_at, state, at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      SELECT 'm' || i, 1, 'session-cancelled', '1', 'mail', '{}', 1, 'waiting', ${NOW - 1000} FROM n`,
  ).run();
  await env.DB.prepare(
    `INSERT OR IGNORE INTO delivery_days WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 31)
      SELECT date(${NOW / 1000}, 'unixepoch', '-' || i || ' days'), state, 900 FROM n JOIN (SELECT 'sent' AS state UNION SELECT 'dropped')`,
  ).run();
  const app = await appOf(admin, NOW);
  const { d1, counts } = countingD1(env.DB);
  const { figures } = await viewFailures({ ...app, db: connect(d1) });
  expect(counts.trips).toBe(1);
  expect(counts.rowsRead).toBeLessThanOrEqual(2000);
  const of = (label: string) => figures.find((figure) => figure.label === label)?.counts;
  expect(of("New users")?.[2]?.count).toBeGreaterThanOrEqual(10_000);
  expect(of("New users")?.[0]?.count).toBeLessThan(400);
  expect(of("Deliveries waiting")?.[0]).toMatchObject({ isLowerBound: true });
});

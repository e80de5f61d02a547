// Every job of cron and of the queue: a row that fails stops no other, is counted, and ends in the failed list.

import { env } from "cloudflare:workers";
import { eq, getTableName, inArray } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { TABLES_WITH_TEXTS } from "#db/queries/rendered-texts";
import { setMark } from "#db/queries/upkeep";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, NOW, setUser, type TestUser, testApp, userNow } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { spineApp } from "#tests/support/notices";
import { makeSeries, sessionsOf } from "#tests/support/series";
import { makeHut, makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { MARKDOWN_VERSION } from "~/domain/rich-text";
import { DAY, HOUR, instant, MINUTE, seconds } from "~/domain/time";
import { createKey, warnOfEndingKeys } from "~/use-cases/accounts/api-keys.server";
import { resealSecrets } from "~/use-cases/accounts/second-step.server";
import type { App } from "~/use-cases/app.server";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { deliver, runJobs, wakeJobs } from "~/use-cases/deliveries.server";
import { eraseGuests } from "~/use-cases/erase-guests.server";
import { endOverdueTimers } from "~/use-cases/goals/log-ends.server";
import { planGoalReminders } from "~/use-cases/goals/reminders.server";
import { creditPaidPurchases } from "~/use-cases/payments/purchases.server";
import { renewSubscriptions } from "~/use-cases/payments/subscriptions.server";
import { catchUpWithProvider } from "~/use-cases/payments/webhook.server";
import type { Payments, ProviderEvent, Room } from "~/use-cases/ports.server";
import { renderTextsAgain } from "~/use-cases/render-again.server";
import { copyChats } from "~/use-cases/room/chat-copies.server";
import { eraseChats } from "~/use-cases/room/chat-erasures.server";
import { layOutSeries } from "~/use-cases/series/lay-out.server";
import { notifyMarkedRooms } from "~/use-cases/sessions/log-marks.server";
import { planReminders } from "~/use-cases/sessions/reminders.server";
import { passExpiredOffers } from "~/use-cases/sessions/waiting.server";
import { deleteExpiredRows, wakeRooms } from "~/use-cases/upkeep.server";
import cronSource from "./cron.ts?raw";

const BROKEN = "broken on purpose";

/** Two rows of a job, of which `bad` fails; `isDone` reads whether the other was served. */
type Stage = { run(): Promise<object>; bad: string; isDone(): Promise<boolean> };

const breakRow = (table: string, act: "INSERT" | "UPDATE" | "DELETE", when: string) =>
  env.DB.prepare(
    `CREATE TRIGGER broken_on_purpose BEFORE ${act} ON ${table} WHEN ${when} BEGIN SELECT RAISE(ABORT, '${BROKEN}'); END`,
  ).run();
const failing = async () => Promise.reject(new Error(BROKEN));

/** The consumer runs as soon as it is woken. */
const atOnce = (app: App): App["jobs"] => ({
  wake: async (ids) => {
    if (ids.length > 0) await runJobs(app, ids);
  },
});

/** The app whose room of the session `bad` fails at `call`. */
function withBrokenRoom(app: App, bad: number, call: keyof Room, seen: number[]): App {
  const of = (id: number): Room =>
    ({ ...app.rooms.of(id), [call]: id === bad ? failing : async () => void seen.push(id) }) as Room;
  return { ...app, rooms: { ...app.rooms, of } };
}
const withPayments = (app: App, over: Partial<Payments>): App => ({
  ...app,
  payments: { ...app.payments, ...over },
});
const twoSessions = async (over: Record<string, unknown> = {}) => {
  const host = await makeUser();
  return { host, bad: await makeSession(host, over), good: await makeSession(host, over) };
};
const badZone = (user: TestUser) => setUser(user.id, { timeZone: "Nowhere/Bad" });
const mailTo = (user: TestUser, id: number, body: object) => ({
  key: `${user.id}:session-recap:session:${id}:${NOW}:mail`,
  userId: user.id,
  kind: "session-recap" as const,
  subject: `session:${id}`,
  channel: "mail" as const,
  body,
  dueAt: NOW,
  state: "waiting" as const,
  at: NOW,
});

const STAGES: Record<string, () => Promise<Stage>> = {
  async "pass-expired-offers"() {
    const { host, bad, good } = await twoSessions();
    const waiter = await makeUser();
    for (const { id } of [bad, good])
      await db.insert(schema.waiters).values({
        sessionId: id,
        since: NOW,
        userId: waiter.id,
        personId: host.personId,
        offeredUntil: instant(NOW - 1),
      });
    await breakRow("waiters", "DELETE", `OLD.session_id = ${bad.id}`);
    return {
      run: async () => passExpiredOffers(await testApp()),
      bad: String(bad.id),
      isDone: async () =>
        (await db.select().from(schema.waiters).where(eq(schema.waiters.sessionId, good.id))).length === 0,
    };
  },
  async "plan-reminders"() {
    await breakRow("cron_marks", "INSERT", "NEW.job = 'reminders-60'");
    const read = async () =>
      (await db.select().from(schema.cronMarks)).some(({ job }) => /^reminders-(?!60$)/.test(job));
    return { run: async () => planReminders(await testApp()), bad: "reminders-60", isDone: read };
  },
  async "end-timers"() {
    const [bad, good] = [await makeUser(), await makeUser()];
    const timer = { uuid: "i", title: "", duration: seconds(60), isInterval: true, sets: 1 };
    const intervals = [{ ...timer, timers: [{ title: "", duration: seconds(60) }] }];
    const logs: number[] = [];
    for (const user of [bad, good]) {
      const goal = await makeGoal(user, { timers: intervals });
      const ask = { goal_id: goal.id, status: 1, amount: 0, duration: 60, timer_uuid: "i" };
      logs.push((await callAs(user, "POST", "/api/logs/store-quick-log", ask)).body.log.id as number);
    }
    await breakRow("logs", "UPDATE", `OLD.user_id = ${bad.id}`);
    return {
      run: async () => endOverdueTimers(await testApp({ now: instant(Date.now() + 5 * MINUTE) })),
      bad: `${bad.id}-${logs[0]}`,
      isDone: async () =>
        (await db.select().from(schema.logs).where(eq(schema.logs.userId, good.id)))[0]?.status === 2,
    };
  },
  async "plan-goal-reminders"() {
    const [bad, good] = [await makeUser(), await makeUser()];
    const minute = 9 * 60 + 30;
    const daily = { recurrence: { every: "day" } as never, remindAt: minute, status: 1 as const };
    const goals = [await makeGoal(bad, daily), await makeGoal(good, daily)];
    await badZone(bad);
    return {
      run: async () => planGoalReminders(await testApp()),
      bad: `goal-${goals[0]?.id}`,
      isDone: async () =>
        (await db.select().from(schema.events)).some(({ subject }) => subject === `goal:${goals[1]?.id}`),
    };
  },
  async "wake-jobs"() {
    const [bad, good] = [await makeUser(), await makeUser()];
    const event = (user: TestUser, id: string) => ({
      id,
      kind: "series-unpaid" as const,
      subject: `series:${user.id}`,
      actorId: null,
      body: { title: "T", path: "/", startedAt: NOW, to: [user.id] },
      at: NOW,
    });
    await db.insert(schema.events).values([event(bad, "e0-bad"), event(good, "e1-good")]);
    await breakRow("events", "DELETE", "OLD.id = 'e0-bad'");
    const { app } = await spineApp(NOW);
    let failed = 0;
    app.jobs = {
      wake: async (ids) => {
        if (ids.length > 0) failed += (await runJobs(app, ids)).failed;
      },
    };
    return {
      run: async () => ({ ...(await wakeJobs(app)), failed }),
      bad: "e0-bad",
      isDone: async () => (await db.select().from(schema.events)).every(({ id }) => id !== "e1-good"),
    };
  },
  async "wake-rooms"() {
    const { bad, good } = await twoSessions({
      is_manually_started: 0,
      started_at: new Date(Date.now() + 5 * MINUTE).toISOString(),
    });
    const seen: number[] = [];
    const app = await testApp({ now: instant(Date.now()) });
    return {
      run: () => wakeRooms(withBrokenRoom(app, bad.id, "refresh", seen)),
      bad: String(bad.id),
      isDone: async () => seen.includes(good.id),
    };
  },
  async "follow-logs"() {
    const { bad, good } = await twoSessions();
    const marks = [bad, good].map(({ id }) => ({ sessionId: id, uuid: "a-log", logId: 1, version: 1 }));
    await db.insert(schema.logMarks).values(marks);
    const seen: number[] = [];
    const app = await testApp();
    return {
      run: () => notifyMarkedRooms(withBrokenRoom(app, bad.id, "followLogs", seen)),
      bad: String(bad.id),
      isDone: async () => seen.includes(good.id),
    };
  },
  async "renew-subscriptions"() {
    const rows = [];
    for (const id of ["sub_bad", "sub_good"])
      rows.push(
        ...(await db
          .insert(schema.subscriptions)
          .values({
            userId: (await makeUser()).id,
            product: "goals_sub",
            providerId: id,
            stripeSubStatus: "active",
            startDate: NOW,
            periodStart: instant(NOW - 31 * DAY),
            periodEnd: instant(NOW - 1),
            createdAt: NOW,
            updatedAt: instant(NOW - DAY),
          })
          .returning()),
      );
    const seen: string[] = [];
    const getSubscription = async (id: string) => {
      if (id === "sub_bad") throw new Error(BROKEN);
      seen.push(id);
      return null;
    };
    return {
      run: async () => renewSubscriptions(withPayments(await testApp(), { getSubscription })),
      bad: String(rows[0]?.id),
      isDone: async () => seen.includes("sub_good"),
    };
  },
  async "credit-paid-purchases"() {
    const user = await makeUser();
    for (const paymentIntent of ["pi_bad", "pi_good"])
      await db
        .insert(schema.openPayments)
        .values({ paymentIntent, userId: user.id, lookAt: NOW, createdAt: instant(NOW - 8 * DAY) });
    const getPaymentIntent = async (id: string) => (id === "pi_bad" ? failing() : null);
    return {
      run: async () => creditPaidPurchases(withPayments(await testApp(), { getPaymentIntent })),
      bad: "pi_bad",
      isDone: async () =>
        (await db.select().from(schema.openPayments)).every(
          ({ paymentIntent }) => paymentIntent !== "pi_good",
        ),
    };
  },
  async "catch-up-with-provider"() {
    const event = (id: string): ProviderEvent =>
      ({ id, type: "t", createdAt: NOW, subscription: id, paymentIntent: null }) as ProviderEvent;
    const over: Partial<Payments> = {
      isPractice: false,
      listEvents: async () => [event("evt_bad"), event("evt_good")],
      getSubscription: async (id) => (id === "evt_bad" ? failing() : null),
    };
    return {
      run: async () => catchUpWithProvider(withPayments(await testApp(), over)),
      bad: "evt_bad",
      isDone: async () => (await db.select().from(schema.providerEvents)).some(({ id }) => id === "evt_good"),
    };
  },
  async "copy-chats"() {
    const { bad, good } = await twoSessions();
    for (const { id } of [bad, good])
      await db.insert(schema.chatsToCopy).values({ sessionId: id, dueAt: NOW });
    const app = await testApp();
    return {
      run: () => copyChats(withBrokenRoom(app, bad.id, "copyChat", [])),
      bad: String(bad.id),
      isDone: async () =>
        (await db.select().from(schema.chatsToCopy)).every(({ sessionId }) => sessionId !== good.id),
    };
  },
  async "render-again"() {
    const host = await makeUser();
    const [bad, good] = [await makeHut(host), await makeHut(host)];
    await db.update(schema.huts).set({ content: "Some *text*.", contentHtml: "old" });
    const at = TABLES_WITH_TEXTS.findIndex((table) => getTableName(table) === "huts");
    await setMark(db, "render-again", JSON.stringify({ version: MARKDOWN_VERSION, at, after: [bad.id - 1] }));
    await breakRow("huts", "UPDATE", `OLD.id = ${bad.id}`);
    return {
      run: async () => renderTextsAgain(await testApp()),
      bad: `${at}:${bad.id}`,
      isDone: async () =>
        (await db.select().from(schema.huts).where(eq(schema.huts.id, good.id)))[0]?.contentHtml ===
        "<p>Some <em>text</em>.</p>",
    };
  },
  async "tidy-up"() {
    const user = await makeUser();
    const old = {
      recipient: user.email,
      subject: "old",
      html: "",
      text: "",
      sentAt: instant(NOW - 31 * DAY),
    };
    await db.insert(schema.mailbox).values(old);
    await db
      .insert(schema.repeatedRequests)
      .values({ userId: user.id, key: "old", call: "POST /x", createdAt: instant(NOW - 2 * DAY) });
    await breakRow("mailbox", "DELETE", `OLD.recipient = '${user.email}'`);
    return {
      run: async () => deleteExpiredRows(await testApp()),
      bad: "mails",
      isDone: async () => (await db.select().from(schema.repeatedRequests)).every(({ key }) => key !== "old"),
    };
  },
  async "seal-again"() {
    const [bad, good] = [await makeUser(), await makeUser()];
    for (const { id } of [bad, good])
      await db.insert(schema.twoStep).values({ userId: id, secret: `old:${id}`, createdAt: NOW });
    const app = await testApp();
    const vault = {
      mark: Promise.resolve("new:"),
      seal: async (secret: string) => `new:${secret}`,
      open: async (sealed: string) => (sealed === `old:${bad.id}` ? failing() : sealed),
    } as unknown as App["vault"];
    return {
      run: () => resealSecrets({ ...app, vault }),
      bad: String(bad.id),
      isDone: async () =>
        (await db.select().from(schema.twoStep).where(eq(schema.twoStep.userId, good.id)))[0]?.secret ===
        `new:old:${good.id}`,
    };
  },
  async "delete-accounts"() {
    const [bad, good] = [await makeUser(), await makeUser()];
    await db
      .update(schema.users)
      .set({ deletionDueAt: instant(NOW - 1) })
      .where(inArray(schema.users.id, [bad.id, good.id]));
    const app = await testApp();
    const copies = {
      ...app.copies,
      noteDeletion: async ({ id }: { id: number }) => (id === bad.id ? failing() : undefined),
    } as App["copies"];
    return {
      run: () => deleteDueAccounts({ ...app, copies }),
      bad: String(bad.id),
      isDone: async () => (await userNow(good.id))?.username !== good.username,
    };
  },
  async "lay-out-series"() {
    await db.update(schema.series).set({ endedAt: NOW });
    const host = await makeUser();
    const [bad, good] = [await makeSeries(host), await makeSeries(host)];
    await db.update(schema.series).set({ timeZone: "Nowhere/Bad" }).where(eq(schema.series.id, bad));
    const count = async (id: number) => (await sessionsOf(id)).length;
    const before = await count(good);
    return {
      run: async () => layOutSeries(await testApp({ now: instant(Date.now() + 14 * DAY) })),
      bad: String(bad),
      isDone: async () => (await count(good)) > before,
    };
  },
  async "erase-guests"() {
    const [{ id }, bad, good] = [await makeSession(await makeUser()), await makeUser(), await makeUser()];
    for (const user of [bad, good]) await setUser(user.id, { guestOf: id, endsAt: instant(NOW - 1) });
    await breakRow("users", "UPDATE", `OLD.id = ${bad.id}`);
    return {
      run: async () => eraseGuests(await testApp()),
      bad: String(bad.id),
      isDone: async () => (await userNow(good.id))?.username === `~guest.${good.id}`,
    };
  },
  async "erase-chats"() {
    const { host, bad, good } = await twoSessions();
    for (const { id } of [bad, good])
      await db.insert(schema.chatErasures).values({ userId: host.id, sessionId: id });
    const app = await testApp();
    return {
      run: () => eraseChats(withBrokenRoom(app, bad.id, "eraseAuthor", [])),
      bad: `account ${host.id} in session ${bad.id}`,
      isDone: async () =>
        (await db.select().from(schema.chatErasures)).every(({ sessionId }) => sessionId !== good.id),
    };
  },
  async "warn-of-ending-keys"() {
    const [bad, good] = [await makeUser(), await makeUser()];
    for (const user of [bad, good]) {
      const key = { name: "Kettle", scopes: ["read"] as const, days: 30 };
      await createKey(await appOf(user), key);
    }
    await breakRow("api_keys", "UPDATE", `OLD.user_id = ${bad.id}`);
    const keyOf = async ({ id }: TestUser) =>
      (await db.select().from(schema.apiKeys).where(eq(schema.apiKeys.userId, id)))[0];
    return {
      run: async () => warnOfEndingKeys(await testApp({ now: instant(NOW + 24 * DAY) })),
      bad: `${bad.id}:${(await keyOf(bad))?.start}`,
      isDone: async () => (await keyOf(good))?.warnedAt != null,
    };
  },
};

/** Jobs whose rows cannot fail alone: one call of the storage takes all of them, and a repeat does no harm. */
const TOGETHER = ["delete-unused-uploads", "delete-orphaned-uploads", "install-library", "mark-minute"];

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare("DROP TRIGGER IF EXISTS broken_on_purpose").run();
});

describe("N-06 a row that fails", () => {
  const jobs = [...cronSource.matchAll(/\{ name: "([\w-]+)"/g)].map(([, name = ""]) => name);

  test("N-06 has a case for every job of cron", () => {
    expect(jobs.length).toBeGreaterThan(10);
    expect([...Object.keys(STAGES), ...TOGETHER].sort()).toEqual([...jobs].sort());
  });

  for (const [job, stage] of Object.entries(STAGES))
    test(`N-06 in ${job} fails alone, is counted and ends in the failed list`, async () => {
      await db.delete(schema.failedRows);
      const { run, bad, isDone } = await stage();
      expect(await run()).toMatchObject({ failed: 1 });
      expect(await isDone()).toBe(true);
      const [listed, ...more] = await db.select().from(schema.failedRows);
      expect(more).toEqual([]);
      expect(listed).toMatchObject({ row: bad, tries: 1, reason: expect.stringMatching(/\S/) });
      await run();
      expect(await db.select().from(schema.failedRows)).toMatchObject([{ row: bad }]);
    });
});

test("N-06 a delivery that cannot be written or read is tried again alone, fails for good, and its neighbours leave once", async () => {
  const [bad, good] = [await makeUser(), await makeUser()];
  const sessions = await twoSessions();
  const body = { title: "T", path: "/" };
  const rows = [
    mailTo(bad, sessions.bad.id, { ...body, next: "never" }),
    mailTo(good, sessions.bad.id, body),
    mailTo(good, sessions.good.id, body),
  ];
  await db.insert(schema.deliveries).values(rows);
  const keys = rows.map(({ key }) => key);
  const stateOf = async (key = "") =>
    (await db.select().from(schema.deliveries).where(eq(schema.deliveries.key, key)))[0];
  const { app, mails } = await spineApp(NOW);
  await deliver(app, keys);
  expect(mails.filter(({ to }) => to === good.email)).toHaveLength(2);
  expect(await stateOf(keys[0])).toMatchObject({ state: "waiting", tries: 1 });
  for (let hours = 1; hours < 6; hours++)
    await deliver({ ...app, now: instant(NOW + hours * 3 * HOUR) }, keys);
  expect(mails.filter(({ to }) => to === good.email)).toHaveLength(2);
  expect(await stateOf(keys[0])).toMatchObject({ state: "failed" });
});

test("N-06 an event whose fan-out failed five times waits, and the cron of a later week tries it again", async () => {
  await db.delete(schema.events);
  await db.delete(schema.failedRows);
  const user = await makeUser();
  await db.insert(schema.events).values({
    id: "e9-bad",
    kind: "series-unpaid",
    subject: `series:${user.id}`,
    body: { title: "T", path: "/", startedAt: NOW, to: [user.id] },
    at: NOW,
  });
  await breakRow("events", "DELETE", "OLD.id = 'e9-bad'");
  const { app } = await spineApp(NOW);
  app.jobs = atOnce(app);
  for (const events of [1, 1, 1, 1, 1, 0, 0]) expect(await wakeJobs(app)).toMatchObject({ events });
  await env.DB.prepare("DROP TRIGGER broken_on_purpose").run();
  await deleteExpiredRows({ ...app, now: instant(NOW + 8 * DAY) });
  expect(await wakeJobs(app)).toMatchObject({ events: 1 });
  expect(await db.select().from(schema.events)).toEqual([]);
});

test("N-06 super admins see the failed rows of jobs on /admin", async () => {
  const admin = await makeUser({ roleId: 10 });
  await db
    .insert(schema.failedRows)
    .values({ job: "erase-chats", row: "account 7 in session 9", tries: 3, reason: BROKEN, at: NOW });
  const page = await visit(admin, "/admin");
  for (const words of ["erase-chats", "account 7 in session 9", BROKEN]) expect(page.html).toContain(words);
});

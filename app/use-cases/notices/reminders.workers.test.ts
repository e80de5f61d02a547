import { env } from "cloudflare:workers";
import { eq, inArray, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { connect, runBatch, type Statement, schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUser, makeUsers, setUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { deliveryRows, drain, emptySpine, noticeRows, spineApp } from "#tests/support/notices";
import { moveTo, PLANNED_NOW as NOW, plannedSession, START } from "#tests/support/planned";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { makeSession, setSession } from "#tests/support/sessions";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { writeNotice } from "~/domain/notices/texts";
import { HOUR, type Instant, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { planGoalReminders } from "~/use-cases/goals/reminders.server";
import { planReminders } from "~/use-cases/sessions/reminders.server";

beforeEach(async () => {
  await db.update(schema.sessions).set({ closedAt: NOW });
  await emptySpine();
});

test("N-05 N-19 in random histories nobody is reminded of an ended, full or left session, and everybody else once", async () => {
  const people = await makeUsers(8);
  const histories = runsOf(10_000, 20);
  const host = await makeUser({ tokens: 1_000_000 });
  const ids: number[] = [];
  for (let n = 0; n < Math.min(histories, 80); n++) ids.push((await makeSession(host)).id);
  let state = propertySeed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 2 ** 31) * below);
  };
  const counts = { sent: 0, left: 0, over: 0, moved: 0, waiting: 0 };
  for (let round = 0; round * ids.length < histories; round++) {
    await emptySpine();
    await db.delete(schema.participants);
    await db.delete(schema.waiters);
    const { app, mails } = await spineApp(NOW);
    type Session = { start: Instant; isOver: boolean; seats: Map<number, Instant> };
    const world = new Map<number, Session>();
    for (const id of ids) {
      const start = instant(NOW + (50 + 5 * random(12)) * MINUTE);
      world.set(id, { start, isOver: false, seats: new Map() });
      await moveTo(id, start);
    }
    await db.update(schema.sessions).set({ closedAt: null }).where(inArray(schema.sessions.id, ids));
    const reminded = new Set<string>();
    let before = instant(NOW - MINUTE);
    for (let step = 0; step < 14; step++) {
      const now = instant(NOW + step * 10 * MINUTE);
      const changes: Statement[] = [];
      for (const [id, session] of world) {
        const user = people[random(people.length)] ?? host;
        const seat = sql`session_id = ${id} AND user_id = ${user.id}`;
        if (session.isOver) continue;
        const act = random(12);
        if (act < 5 && !session.seats.has(user.id)) {
          session.seats.set(user.id, now);
          const { id: userId, username } = user;
          const row = {
            userId,
            personId: userId,
            username,
            seat: `h:${id}:${userId}:${now}`,
            paidBy: userId,
          };
          changes.push(db.insert(schema.participants).values({ ...row, sessionId: id, joinedAt: now }));
          changes.push(db.delete(schema.waiters).where(seat));
        } else if (act < 7 && session.seats.delete(user.id)) {
          counts.left++;
          changes.push(db.delete(schema.participants).where(seat));
        } else if (act === 7 && session.start > now) {
          session.start = instant(Math.max(now + 5 * MINUTE, session.start + (random(12) - 4) * 10 * MINUTE));
          counts.moved++;
          changes.push(moveTo(id, session.start) as never);
        } else if (act === 8) {
          session.isOver = true;
          counts.over++;
          const over = random(2) === 0 ? { closedAt: now } : { startedAt: instant(now - 1), endedAt: now };
          changes.push(setSession(id, over));
        } else if (act === 9 && !session.seats.has(user.id)) {
          // Full for this person, who waits.
          counts.waiting++;
          changes.push(
            db
              .insert(schema.waiters)
              .values({ sessionId: id, since: now, userId: user.id, personId: user.id })
              .onConflictDoNothing(),
          );
        }
      }
      await runBatch(db, changes);
      mails.length = 0;
      await planReminders({ ...app, now });
      await drain({ ...app, now });
      const expected: string[] = [];
      for (const [id, { start, isOver, seats }] of world) {
        const at = start - HOUR;
        // After an outage the planner looks back for half an hour at most.
        if (isOver || at <= Math.max(before, now - 30 * MINUTE) || at > now || start <= now) continue;
        for (const [user, joined] of seats)
          if (joined <= at) expected.push(`${user}:session-reminder:session:${id}:${start}:mail`);
      }
      const fresh = expected.filter((key) => !reminded.has(key)).sort();
      expect(mails.map(({ key }) => key).sort(), `round ${round}, step ${step}`).toEqual(fresh);
      for (const key of fresh) reminded.add(key);
      counts.sent += fresh.length;
      before = now;
    }
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  if (histories > 1000) console.log(JSON.stringify({ histories, ...counts }));
}, 900_000);

test("N-18 N-19 N-20 the planner reminds once per start, and people who joined in time", async () => {
  const { id, host, guest } = await plannedSession();
  const { app, mails } = await spineApp(NOW);
  const runAt = async (now: Instant) => {
    const at = { ...app, now };
    await planReminders(at);
    return drain(at);
  };
  await runAt(instant(START - HOUR - MINUTE));
  expect(mails).toEqual([]);
  await db
    .update(schema.participants)
    .set({ joinedAt: instant(START - HOUR + 1) })
    .where(eq(schema.participants.userId, guest.id));
  await runAt(instant(START - HOUR));
  await runAt(instant(START - HOUR));
  await runAt(instant(START - HOUR + MINUTE));
  expect(mails.map(({ to }) => to)).toEqual([host.email]);
  // Moved later: again for the new start. The guest has joined before that reminder's instant.
  await moveTo(id, instant(START + HOUR));
  await runAt(START);
  expect(mails.map(({ to }) => to).sort()).toEqual([host.email, host.email, guest.email].sort());
  // In the app, 10 minutes before. An outage of less than half an hour is caught up, unless the session has started.
  const begins = instant(START + HOUR);
  await runAt(instant(begins - 11 * MINUTE));
  expect(await noticeRows()).toEqual([]);
  await runAt(instant(begins - 2 * MINUTE));
  expect(await noticeRows()).toHaveLength(2);
  await moveTo(id, instant(begins + HOUR));
  await runAt(instant(begins + HOUR));
  expect(await noticeRows()).toHaveLength(2);
});

/** A person in Berlin with a confirmed address, who gets no email about sessions of other tests. */
async function berliner() {
  const user = await makeUser();
  await setUser(user.id, { timeZone: "Europe/Berlin" });
  const set = (kind: "goal-reminder" | "still-open", channel: "app" | "mail", value: number) =>
    db.insert(schema.noticeSettings).values({ userId: user.id, kind, channel, value });
  const days = (day: string, change: Partial<typeof schema.goalDays.$inferInsert>) => (goalId: number) =>
    db.insert(schema.goalDays).values({ goalId, userId: user.id, day, ...change });
  return { user, set, days };
}
const planGoalsAt = async (app: App, time: string) => {
  const now = instant(Date.parse(time));
  const did = await planGoalReminders({ ...app, now });
  await drain({ ...app, now });
  return did;
};

test("N-23 a goal reminds at its local time, on days it asks for, unless it is done or skipped", async () => {
  const { user, set, days } = await berliner();
  await set("goal-reminder", "mail", 1);
  const made = await callAs(user, "POST", "/api/goals/store", {
    title: "Read",
    amount: 10,
    recurrence: { every: "weekdays", weekdays: [1, 2] },
    remind_at: "08:00",
  });
  const { goal } = made.body;
  expect([made.status, goal.remind_at]).toEqual([201, "08:00"]);
  const change = (remind_at: string | null) =>
    callAs(user, "PATCH", `/api/goals/update/${goal.id}`, { remind_at });
  expect((await change("8")).body.fields.remind_at).toEqual([
    "Please give a time as hours and minutes, like 07:30.",
  ]);
  expect((await change("02:30")).body.goal.remind_at).toBe("02:30");
  const { app, mails } = await spineApp();
  // Monday 29 March 2027 is the day after the clock change; on Sunday 02:30 does not exist.
  expect(await planGoalsAt(app, "2027-03-28T01:00:00Z")).toEqual({ goals: 0, lists: 0, failed: 0 });
  expect(await planGoalsAt(app, "2027-03-29T00:29:00Z")).toEqual({ goals: 0, lists: 0, failed: 0 });
  expect(await planGoalsAt(app, "2027-03-29T00:30:00Z")).toEqual({ goals: 1, lists: 0, failed: 0 });
  expect(await planGoalsAt(app, "2027-03-29T00:30:00Z")).toEqual({ goals: 0, lists: 0, failed: 0 });
  expect(await noticeRows()).toMatchObject([{ userId: user.id, subject: `goal:${goal.id}` }]);
  expect(mails.map(({ subject }) => subject)).toEqual(["It is time for Read"]);
  // An outage of less than half an hour is caught up. Half done is not done.
  await days("2027-03-30", { amount: 5000, logs: 1 })(goal.id);
  await planGoalsAt(app, "2027-03-30T00:29:00Z");
  expect(await planGoalsAt(app, "2027-03-30T00:50:00Z")).toEqual({ goals: 1, lists: 0, failed: 0 });
  // Wednesday is no day of the goal.
  await planGoalsAt(app, "2027-03-31T00:29:00Z");
  expect(await planGoalsAt(app, "2027-03-31T00:30:00Z")).toEqual({ goals: 0, lists: 0, failed: 0 });
  await days("2027-04-05", { amount: 10_000, logs: 1 })(goal.id);
  await days("2027-04-06", { isSkipped: true })(goal.id);
  for (const day of ["05", "06"]) {
    await planGoalsAt(app, `2027-04-${day}T00:29:00Z`);
    expect(await planGoalsAt(app, `2027-04-${day}T00:30:00Z`)).toEqual({ goals: 0, lists: 0, failed: 0 });
  }
  // Its email waits for the quiet hours, and is dropped when the goal is done meanwhile.
  await setUser(user.id, { quietFrom: 0, quietTo: 7 * 60 });
  await planGoalsAt(app, "2027-04-12T00:29:00Z");
  expect(await planGoalsAt(app, "2027-04-12T00:30:00Z")).toEqual({ goals: 1, lists: 0, failed: 0 });
  await days("2027-04-12", { amount: 10_000, logs: 1 })(goal.id);
  await drain({ ...app, now: instant(Date.parse("2027-04-12T05:00:00Z")) });
  expect((await deliveryRows()).map(({ reason }) => reason).sort()).toEqual(["", "", "goal-done"]);
  await change(null);
  await planGoalsAt(app, "2027-04-19T00:29:00Z");
  expect(await planGoalsAt(app, "2027-04-19T00:30:00Z")).toEqual({ goals: 0, lists: 0, failed: 0 });
});

test("N-24 the open recurring goals are listed at the chosen time, ten at most, and nothing when none is open", async () => {
  const { user, days } = await berliner();
  const { status } = await callAs(user, "PATCH", "/account/notifications", {
    settings: [
      { kind: "still-open", channel: "app", value: 20 * 60 + 31 },
      { kind: "still-open", channel: "mail", value: 21 * 60 + 1 },
    ],
  });
  expect(status).toBe(200);
  const every = { recurrence: { every: "day" } as const };
  const first = await makeGoal(user, { ...every, title: "Walk" });
  await makeGoal(user, { title: "Once" });
  const { app, mails } = await spineApp();
  await planGoalsAt(app, "2027-06-01T18:29:00Z");
  expect(await planGoalsAt(app, "2027-06-01T18:30:00Z")).toEqual({ goals: 0, lists: 1, failed: 0 });
  const texts = async () =>
    (await noticeRows()).map((row) => writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text);
  expect(await texts()).toEqual(["Still open today: Walk."]);
  expect(mails).toEqual([]);
  await planGoalsAt(app, "2027-06-01T18:59:00Z");
  await planGoalsAt(app, "2027-06-01T19:00:00Z");
  expect([(await texts()).length, mails.length]).toEqual([1, 1]);
  await days("2027-06-02", { amount: 10_000, logs: 1 })(first.id);
  await planGoalsAt(app, "2027-06-02T18:29:00Z");
  expect(await planGoalsAt(app, "2027-06-02T18:30:00Z")).toEqual({ goals: 0, lists: 0, failed: 0 });
  for (let n = 0; n < 12; n++) await makeGoal(user, { ...every, title: `Goal ${n}` });
  await planGoalsAt(app, "2027-06-03T18:29:00Z");
  await planGoalsAt(app, "2027-06-03T18:30:00Z");
  expect((await texts()).at(-1)?.split(", ")).toHaveLength(10);
});

test("N-23 N-24 a minute reads the goals and people of its local times, and no others", async () => {
  const { user } = await berliner();
  const { set } = await berliner();
  const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 14400)";
  await env.DB.prepare(
    `${many} INSERT INTO goals (uuid, user_id, title, status, remind_at, created_at, updated_at) SELECT 'timed-' || i, ?, 'G', 1 + i % 2, i % 1440, 1, 1 FROM n`,
  )
    .bind(user.id)
    .run();
  await set("still-open", "app", 721);
  let read = 0;
  const d1 = wrappedD1(env.DB, {
    one: async (statement, asked) => {
      const all = await statement.all<Record<string, unknown>>();
      read += all.meta.rows_read;
      return asked === "raw" ? all.results.map((row) => Object.values(row)) : all;
    },
    batch: async (_, ask) => {
      const results = await ask();
      for (const { meta } of results) read += meta.rows_read;
      return results;
    },
  });
  const { app } = await spineApp(instant(Date.parse("2027-06-01T10:00:00Z")));
  await planGoalReminders({ ...app, now: instant(app.now - MINUTE) });
  const planned = await planGoalReminders({ ...app, db: connect(d1 as never) });
  // 12:00 in Berlin: of 7,200 open goals ten have this minute. Those of other zones at theirs are read too.
  await env.DB.prepare("DELETE FROM goals WHERE uuid LIKE 'timed-%'").run();
  expect(planned).toEqual({ goals: 10, lists: 0, failed: 0 });
  expect(read).toBeLessThan(1200);
});

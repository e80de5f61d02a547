// The spine of notices: a cause and its event, the fan-out, the consumer, retries and the minute cron, on real D1.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, inArray, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { connect, runBatch, type Statement, schema } from "#db/connect.server";
import { recordAccountChange } from "#db/queries/accounts/changes";
import { insertConfirmation } from "#db/queries/accounts/confirmations";
import { recordEvent } from "#db/queries/notices/events";
import { callAs } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { makeGoal } from "#tests/support/goals";
import { db, deliveryRows, drain, emptySpine, eventRows, noticeRows, spineApp } from "#tests/support/notices";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { seatCrowd } from "#tests/support/rooms";
import { makeSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { createAttempts } from "#workers/adapters/attempts";
import { runCron } from "#workers/cron";
import { writeNotice } from "~/domain/notices/texts";
import { mailsOfDay } from "~/domain/notices/unsubscribe";
import { USER_ROLE } from "~/domain/roles";
import { DAY, HOUR, type Instant, instant, MINUTE } from "~/domain/time";
import { accountChange } from "~/use-cases/accounts/changes.server";
import { newConfirmation } from "~/use-cases/accounts/confirmations.server";
import type { App } from "~/use-cases/app.server";
import { deliver, runJobs, wakeJobs } from "~/use-cases/deliveries.server";
import { planGoalReminders } from "~/use-cases/goals/reminders.server";
import { MailFailure } from "~/use-cases/ports.server";
import { planReminders } from "~/use-cases/sessions/reminders.server";
import { hashToken } from "~/use-cases/tokens.server";
import { fanOut, newEvent, wakeEvents } from "./events.server";

beforeEach(async () => {
  await db.update(schema.sessions).set({ closedAt: NOW });
  await emptySpine();
});

/** In the future, because the rooms of the sessions use the real clock. */
const NOW = instant(Math.ceil(Date.now() / HOUR) * HOUR + DAY);
const START = instant(NOW + 3 * HOUR);
/** A session of a host and a guest that begins at START, planned by the record alone. */
async function plannedSession(start: Instant = START) {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession(host);
  await callAs(guest, "POST", `/challenge-events/${id}/join`, {});
  await moveTo(id, start);
  await db.update(schema.participants).set({ joinedAt: NOW }).where(eq(schema.participants.sessionId, id));
  return { host, guest, id };
}
const moveTo = (id: number, start: Instant) =>
  db
    .update(schema.sessions)
    .set({ startedAt: start, endedAt: instant(start + HOUR) })
    .where(eq(schema.sessions.id, id));
const moved = (app: App, id: number, startedAt: Instant = START) =>
  newEvent(app, {
    kind: "session-moved",
    subject: `session:${id}`,
    body: { title: "Morning pages", path: `/sessions/${id}`, startedAt },
  });
const unreadOf = async (user: TestUser) =>
  (await db.select().from(schema.users).where(eq(schema.users.id, user.id)))[0]?.unreadNotices;

test("N-01 a cause writes its event in its own batch, and a failed batch writes none", async () => {
  const { id, host } = await plannedSession();
  const { app } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  const broken = db.insert(schema.users).values({ id: host.id } as never);
  await expect(runBatch(db, [recordEvent(db, moved(app, id)), broken])).rejects.toThrow();
  expect(await eventRows()).toEqual([]);
  await runBatch(db, [recordEvent(db, moved(app, id))]);
  expect(await eventRows()).toMatchObject([{ kind: "session-moved", actorId: host.id, mark: 0 }]);
});

test("N-01 an action that nobody listens to writes no row", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host);
  const { app } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  const empty = newEvent(app, { kind: "hut-deleted", subject: "hut:1", body: { title: "Hut", to: [] } });
  await runBatch(db, [recordEvent(db, moved(app, id)), recordEvent(db, empty)]);
  expect(await eventRows()).toEqual([]);
});

test("N-01 the fan-out of a cause begins at once, without waiting for the minute cron", async () => {
  const { id } = await plannedSession();
  const { app } = await spineApp(NOW);
  const woken: string[][] = [];
  app.jobs = { wake: async (ids) => void woken.push([...ids]) };
  const event = moved(app, id);
  wakeEvents(app, []);
  wakeEvents(app, [event]);
  expect(woken).toEqual([[event.id]]);
});

test("N-02 a repeated fan-out writes nothing, and each person gets one notice and one delivery a channel", async () => {
  const { id, host, guest } = await plannedSession();
  const { app } = await spineApp(NOW);
  const event = moved(app, id);
  for (let run = 0; run < 3; run++) {
    await runBatch(db, [recordEvent(db, event)]);
    expect(await Promise.all([fanOut(app, event.id), fanOut(app, event.id)])).toHaveLength(2);
    expect(await eventRows()).toEqual([]);
    if (run === 0) expect([await unreadOf(host), await unreadOf(guest)]).toEqual([1, 1]);
  }
  expect((await noticeRows()).map(({ userId }) => userId).sort()).toEqual([host.id, guest.id].sort());
  expect(await deliveryRows()).toHaveLength(2);
  expect([await unreadOf(host), await unreadOf(guest)]).toEqual([1, 1]);
});

test("N-03 a fan-out that is killed after any statement continues at its mark and serves everybody once", async () => {
  const { id } = await plannedSession();
  await seatCrowd(id, 1200);
  const seats = await db.select().from(schema.participants).where(eq(schema.participants.sessionId, id));
  for (const when of ["before", "after"] as const)
    for (const at of [1, 2, 3, 5, 6, 8, 9, 11]) {
      await emptySpine();
      const { app } = await spineApp(NOW);
      const event = moved(app, id);
      await runBatch(db, [recordEvent(db, event)]);
      const { d1 } = failingD1(env.DB, { at, when });
      await fanOut({ ...app, db: connect(d1) }, event.id).catch(() => {});
      await fanOut(app, event.id);
      const notices = await noticeRows();
      expect(notices.length, `${when} ${at}`).toBe(seats.length);
      const users = await db.select().from(schema.users);
      expect(users.filter(({ unreadNotices }) => unreadNotices > 1)).toEqual([]);
      expect(users.filter(({ unreadNotices }) => unreadNotices === 1)).toHaveLength(seats.length);
      expect(await eventRows()).toEqual([]);
    }
}, 60_000);

test("N-03 a cause that deletes its recipients carries their ids and the payers", async () => {
  const { id, host, guest } = await plannedSession();
  const { app } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  const event = newEvent(app, {
    kind: "session-cancelled",
    subject: `session:${id}`,
    body: { title: "Morning pages", path: `/sessions/${id}` },
  });
  const seats = sql`SELECT user_id AS id FROM participants WHERE session_id = ${id}`;
  await runBatch(db, [
    recordEvent(db, event, { listed: { to: seats, payers: sql`${seats} AND paid_by = user_id` } }),
    db.delete(schema.participants).where(eq(schema.participants.sessionId, id)),
  ]);
  await drain(app);
  expect(await noticeRows()).toMatchObject([
    { userId: guest.id, body: { title: "Morning pages", isPayer: true } },
  ]);
  const [mail] = await deliveryRows();
  expect(mail).toMatchObject({ userId: guest.id, state: "sent" });
});

test("N-04 two consumers never send the same claim, and a lost claim is free after its lease", async () => {
  const { id } = await plannedSession();
  const { app, mails } = await spineApp(NOW);
  const event = moved(app, id);
  await runBatch(db, [recordEvent(db, event)]);
  const { due } = await fanOut(app, event.id);
  await Promise.all([deliver(app, due), deliver(app, due), deliver(app, due)]);
  expect(mails.map(({ key }) => key).sort()).toEqual([...due].sort());
  await db.update(schema.deliveries).set({ state: "waiting" });
  // The claim of a killed consumer.
  await deliver({ ...app, now: instant(app.now + MINUTE) }, due);
  expect(mails).toHaveLength(2);
  await deliver({ ...app, now: instant(app.now + 2 * MINUTE) }, due);
  expect(mails).toHaveLength(4);
});

test("N-04 a consumer that is killed at any step loses nothing, and repeats carry the same key", async () => {
  const { id } = await plannedSession();
  await seatCrowd(id, 20);
  const { app, mails } = await spineApp(NOW);
  const event = moved(app, id);
  await runBatch(db, [recordEvent(db, event)]);
  await db.update(schema.users).set({ emailConfirmedAt: NOW });
  const { due } = await fanOut(app, event.id);
  const kills = { hit: 0, repeated: 0 };
  const runs = runsOf(1000, 16);
  for (let run = 0; run < runs; run++) {
    const [when, at] = [run % 2 === 0 ? "before" : "after", 1 + (Math.floor(run / 2) % 8)] as const;
    const keys = due.slice(0, 1 + ((run * 7) % due.length));
    const said = `run ${run}, ${when} ${at}, ${keys.length}`;
    mails.length = 0;
    await db.update(schema.deliveries).set({ state: "sent", leaseUntil: null, tries: 0 });
    await db.update(schema.deliveries).set({ state: "waiting" }).where(inArray(schema.deliveries.key, keys));
    const { d1, counter } = failingD1(env.DB, { at, when });
    await deliver({ ...app, db: connect(d1) }, keys).catch(() => {});
    const early = mails.map(({ key }) => key);
    // The claim comes first. When the facts of all cannot be read, each delivery reads its own.
    if (counter.hasFailed && at === 1) expect(early, said).toEqual([]);
    const sentOnce = (await deliveryRows()).filter(({ state }) => state === "waiting").map(({ key }) => key);
    await drain({ ...app, now: instant(app.now + 3 * MINUTE) });
    const all = mails.map(({ key }) => key);
    expect(new Set(all), said).toEqual(new Set(keys));
    // Repeats are the messages that were sent and not yet marked, under the same keys.
    const repeated = all.filter((key, n) => all.indexOf(key) !== n);
    expect(repeated.sort(), said).toEqual(early.filter((key) => sentOnce.includes(key ?? "")).sort());
    expect(repeated.length, said).toBeLessThanOrEqual(6);
    expect((await deliveryRows()).filter(({ state }) => state !== "sent")).toEqual([]);
    if (counter.hasFailed) kills.hit++;
    if (repeated.length > 0) kills.repeated++;
  }
  expect(kills.hit).toBeGreaterThan(runs / 4);
  expect(kills.repeated).toBeGreaterThan(0);
}, 600_000);

test("N-05 N-19 in random histories nobody is reminded of an ended, full or left session, and everybody else once", async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => makeUser()));
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
          changes.push(db.update(schema.sessions).set(over).where(eq(schema.sessions.id, id)));
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

test("N-04 the seats of sessions that begin in one minute are reminded in time, by few messages", async () => {
  const seats = runsOf(10_000, 300);
  const { id } = await plannedSession(instant(NOW + HOUR));
  await seatCrowd(id, seats - 2);
  await db.update(schema.users).set({ emailConfirmedAt: NOW });
  await db.update(schema.participants).set({ joinedAt: instant(NOW - 1) });
  const { app } = await spineApp(NOW);
  const sentAfter: number[] = [];
  const begun = performance.now();
  app.mail = { send: async () => void sentAfter.push(performance.now() - begun) };
  // Two consumers take messages of 50 ids from a queue.
  const queue: string[][] = [];
  let messages = 0;
  app.jobs = {
    wake: async (ids) => {
      for (let at = 0; at < ids.length; at += 50) {
        queue.push(ids.slice(at, at + 50));
        messages++;
      }
    },
  };
  await planReminders(app);
  await wakeJobs(app);
  while (queue.length > 0) await Promise.all(queue.splice(0, 2).map((ids) => runJobs(app, ids)));
  sentAfter.sort((a, b) => a - b);
  const [most, last] = [sentAfter[Math.floor(seats * 0.99)] ?? 0, sentAfter.at(-1) ?? 0];
  if (seats > 1000)
    console.log(JSON.stringify({ seats, messages, most: Math.round(most), last: Math.round(last) }));
  expect(sentAfter).toHaveLength(seats);
  expect(messages).toBeLessThanOrEqual(seats / 50);
  expect(most).toBeLessThan(60_000);
  expect(last).toBeLessThan(120_000);
}, 600_000);

test("N-07 the minute cron wakes due deliveries of which no message arrived", async () => {
  const { id } = await plannedSession(instant(NOW + HOUR));
  const { app } = await spineApp(NOW);
  app.jobs = { wake: async () => {} };
  await planReminders(app);
  for (const { id: event } of await db.select().from(schema.events)) await fanOut(app, event);
  const waiting = (await db.select().from(schema.deliveries)).filter(({ key }) => key.includes(`:${id}`));
  const woken: string[] = [];
  app.jobs = { wake: async (ids) => void woken.push(...ids) };
  await wakeJobs(app);
  expect(waiting.length).toBeGreaterThan(0);
  expect(woken).toEqual(expect.arrayContaining(waiting.map(({ key }) => key)));
});

test("N-07 of more due deliveries than a run handles the oldest are woken", async () => {
  const start = instant(NOW + 10 * DAY);
  const { id, host } = await plannedSession(start);
  const { app } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  for (const later of [2, 1, 3]) await announce({ ...app, now: instant(NOW + later) }, id, start);
  const woken: string[] = [];
  app.jobs = { wake: async (ids) => void woken.push(...ids) };
  await wakeJobs({ ...app, now: instant(NOW + HOUR) }, 2);
  expect(woken).toMatchObject([
    expect.stringContaining(`:${NOW + 1}:`),
    expect.stringContaining(`:${NOW + 2}:`),
  ]);
});

test("N-05 a stale delivery is dropped with its reason and never sent", async () => {
  const cases: [string, (of: Awaited<ReturnType<typeof plannedSession>>) => Promise<unknown>][] = [
    [
      "no-seat",
      ({ guest }) => db.delete(schema.participants).where(eq(schema.participants.userId, guest.id)),
    ],
    ["over", ({ id }) => db.update(schema.sessions).set({ closedAt: NOW }).where(eq(schema.sessions.id, id))],
    ["moved", ({ id }) => moveTo(id, instant(START + HOUR))],
    [
      "address-unconfirmed",
      ({ guest }) =>
        db.update(schema.users).set({ emailConfirmedAt: null }).where(eq(schema.users.id, guest.id)),
    ],
    [
      "channel-off",
      ({ guest }) =>
        db
          .insert(schema.noticeSettings)
          .values({ userId: guest.id, kind: "session-changed", channel: "mail", value: 0 }),
    ],
  ];
  for (const [reason, change] of cases) {
    await emptySpine();
    const staged = await plannedSession();
    const { app, mails } = await spineApp(NOW);
    app.user = { id: staged.host.id } as App["user"];
    const event = moved(app, staged.id);
    await runBatch(db, [recordEvent(db, event)]);
    const { due } = await fanOut(app, event.id);
    await change(staged);
    await deliver(app, due);
    expect(mails, reason).toEqual([]);
    expect(await deliveryRows()).toMatchObject([{ state: "dropped", reason }]);
  }
});

test("N-15 quiet hours that end after the start drop a reminder, even when they are set after its fan-out", async () => {
  const { guest } = await plannedSession();
  const { app, mails } = await spineApp(instant(START - HOUR));
  await planReminders(app);
  const [reminder] = await eventRows();
  const { due } = await fanOut(app, reminder?.id ?? "");
  const minute = Math.floor((app.now % DAY) / MINUTE);
  await db
    .update(schema.users)
    .set({ quietFrom: minute, quietTo: (minute + 120) % 1440 })
    .where(eq(schema.users.id, guest.id));
  await deliver(app, due);
  expect(mails.map(({ to }) => to)).not.toContain(guest.email);
  const theirs = (await deliveryRows()).filter(({ userId }) => userId === guest.id);
  expect(theirs).toMatchObject([{ state: "dropped", reason: "quiet" }]);
});

test("N-15 quiet hours that are set after the fan-out delay an email until they end", async () => {
  const start = instant(NOW + 10 * DAY);
  const { id, host, guest } = await plannedSession(start);
  const { app, mails } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  await announce(app, id, start);
  const minute = Math.floor((NOW % DAY) / MINUTE);
  await db
    .update(schema.users)
    .set({ quietFrom: minute, quietTo: (minute + 120) % 1440 })
    .where(eq(schema.users.id, guest.id));
  await drain(app);
  expect(mails).toEqual([]);
  const end = instant(NOW + 2 * HOUR);
  expect(await deliveryRows()).toMatchObject([{ state: "waiting", reason: "quiet", dueAt: end }]);
  await drain({ ...app, now: end });
  expect(mails.map(({ to }) => to)).toEqual([guest.email]);
});

test("N-06 a failed try is repeated after 1, 5, 30 and 120 minutes, and then the delivery has failed", async () => {
  const { id, host } = await plannedSession(instant(NOW + 10 * DAY));
  const { app } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  const event = moved(app, id, instant(NOW + 10 * DAY));
  await runBatch(db, [recordEvent(db, event)]);
  await fanOut(app, event.id);
  const down = { send: () => Promise.reject(new Error("no route")) };
  let now = app.now;
  for (const minutes of [1, 5, 30, 120]) {
    await drain({ ...app, mail: down, now });
    const next = instant(now + minutes * MINUTE);
    expect(await deliveryRows()).toMatchObject([{ state: "waiting", dueAt: next }]);
    await drain({ ...app, mail: down, now: instant(next - 1) });
    expect((await deliveryRows())[0]?.dueAt).toBe(next);
    now = next;
  }
  await drain({ ...app, mail: down, now });
  expect(await deliveryRows()).toMatchObject([{ state: "failed", tries: 5, reason: "Error: no route" }]);
});

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
  await db.update(schema.users).set({ timeZone: "Europe/Berlin" }).where(eq(schema.users.id, user.id));
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
  await db
    .update(schema.users)
    .set({ quietFrom: 0, quietTo: 7 * 60 })
    .where(eq(schema.users.id, user.id));
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
  const texts = async () => (await noticeRows()).map((row) => writeNotice(row, "UTC").text);
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

test("N-07 the minute cron plans reminders, serves events and sends, and a second run changes nothing", async () => {
  const { id } = await plannedSession(instant(NOW + HOUR));
  const run = () =>
    runCron(
      { cron: "* * * * *", scheduledTime: NOW },
      { ...env, JOBS: undefined } as never,
      createExecutionContext(),
    );
  await db.update(schema.participants).set({ joinedAt: instant(NOW - 1) });
  expect((await run()).slice(-4)).toMatchObject([
    { job: "plan-reminders", ok: true },
    { job: "plan-goal-reminders", ok: true, did: { goals: 0, lists: 0 } },
    { job: "wake-jobs", ok: true, did: { events: 1 } },
    { job: "mark-minute", ok: true },
  ]);
  const sent = await deliveryRows();
  expect(sent).toHaveLength(2);
  expect(sent).toMatchObject([{ state: "sent" }, { state: "sent" }]);
  expect(sent[0]?.key).toContain(`:session-reminder:session:${id}:${NOW + HOUR}:mail`);
  const { results } = await env.DB.prepare("SELECT text FROM mailbox").all<{ text: string }>();
  expect(results).toHaveLength(2);
  expect(results[0]?.text).toContain("You get this because you have a seat in this session.");
  await run();
  expect(await deliveryRows()).toEqual(sent);
});

/** An event of a session far ahead, fanned out, for the host and the guest. */
async function announce(app: App, id: number, startedAt: Instant) {
  const event = moved(app, id, startedAt);
  await runBatch(db, [recordEvent(db, event)]);
  await fanOut(app, event.id);
}

test("N-36 at 80 % of a day's emails digests wait, at 100 % all others but security, until the next day", async () => {
  const start = instant(NOW + 10 * DAY);
  const { id, guest } = await plannedSession(start);
  const { app, mails } = await spineApp(NOW);
  app.settings = { ...app.settings, mailsADay: 5 };
  const at = (now: Instant): App => ({
    ...app,
    now,
    attempts: createAttempts({ ...env, RATE_LIMITS: "on" }, now),
  });
  const today = at(NOW);
  for (let n = 0; n < 2; n++) await announce(at(instant(NOW + n)), id, start);
  await drain(at(instant(NOW + 1)));
  expect(mails).toHaveLength(4);
  const digest = {
    key: `${guest.id}:digest::${NOW}:mail`,
    userId: guest.id,
    kind: "digest" as const,
    subject: "",
    channel: "mail" as const,
    dueAt: NOW,
    state: "waiting" as const,
    at: NOW,
  };
  const body = { title: "A", path: "/a" };
  const lines = [{ kind: "session-cancelled", subject: "session:1", actorId: null, body }];
  await db.insert(schema.deliveries).values({ ...digest, body: { lines } });
  await drain(today);
  const tomorrow = instant((Math.floor(NOW / DAY) + 1) * DAY);
  const waiting = async () => (await deliveryRows()).filter(({ state }) => state === "waiting");
  expect(await waiting()).toMatchObject([{ kind: "digest", dueAt: tomorrow, reason: "daily-limit" }]);
  await announce(at(instant(NOW + 2)), id, start);
  await drain(at(instant(NOW + 2)));
  expect(mails).toHaveLength(5);
  expect((await waiting()).map(({ dueAt }) => dueAt)).toEqual([tomorrow, tomorrow]);
  expect(mailsOfDay("moderation", 5)).toBeGreaterThan(1e9);
  await drain(at(tomorrow));
  expect(mails).toHaveLength(7);
});

test("N-35 two refusals of an address stop its mail, and the account says so until a new confirmation", async () => {
  const start = instant(NOW + 10 * DAY);
  const { id, host, guest } = await plannedSession(start);
  const { app } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  const refusing = { send: () => Promise.reject(new MailFailure("address", "SMTP: Invalid RCPT TO 550")) };
  const failingAt = async () =>
    (await db.select().from(schema.users).where(eq(schema.users.id, guest.id)))[0]?.mailFailingAt ?? null;
  for (const n of [1, 2]) {
    expect(await failingAt()).toBeNull();
    const at = { ...app, now: instant(NOW + n), mail: refusing };
    await announce(at, id, start);
    await drain(at);
  }
  expect(await failingAt()).toBe(NOW + 2);
  expect((await deliveryRows()).map(({ state, tries }) => [state, tries])).toEqual([
    ["failed", 1],
    ["failed", 1],
  ]);
  await announce({ ...app, now: instant(NOW + 3) }, id, start);
  expect(await deliveryRows()).toHaveLength(2);
  const sentence = `We could not reach ${guest.email}. Please check the address.`;
  expect((await visit(guest, "/account")).html).toContain(sentence);
  expect((await visit(host, "/account")).html).not.toContain("We could not reach");
  expect((await post(host, "/account/confirm-email", { intent: "send" })).status).toBe(409);
  expect((await post(guest, "/account/confirm-email", { intent: "send" })).status).toBe(200);
  const link = await newConfirmation({ ...app, now: instant(Date.now()) }, guest);
  await insertConfirmation(db, { ...link.record, tokenHash: await hashToken("again"), userId: guest.id });
  await post(null, "/account/confirm-email", { intent: "confirm", token: "again" });
  expect(await failingAt()).toBeNull();
  expect((await visit(guest, "/account")).html).not.toContain("We could not reach");
});

test("N-06 Q-29 a super admin sends a failed delivery again, and the audit has a row of it", async () => {
  const start = instant(NOW + 10 * DAY);
  const { id, host, guest } = await plannedSession(start);
  const admin = await makeUser({ roleId: USER_ROLE.superAdmin });
  const { app, mails } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  await announce(app, id, start);
  await db.update(schema.deliveries).set({ state: "failed", tries: 5, reason: "Error: no route" });
  const [row] = await deliveryRows();
  const { html } = await visit(admin, "/admin");
  for (const words of [guest.username, "A session moved or was cancelled", "Error: no route", "Send again"])
    expect(html).toContain(words);
  const again = () => post(admin, "/admin", { intent: "send-again", key: row?.key ?? "" });
  expect((await again()).status).toBe(302);
  expect((await again()).status).toBe(404);
  expect((await visit(admin, "/admin")).html).toContain("Nothing has failed.");
  expect(await deliveryRows()).toMatchObject([{ tries: 0, reason: "" }]);
  await drain(app);
  expect(mails.map(({ to }) => to)).toEqual([guest.email]);
  const acts = await db.select().from(schema.audit).where(eq(schema.audit.actorId, admin.id));
  expect(acts).toMatchObject([
    { action: "delivery-repeated", userId: guest.id, previous: "Error: no route", targetKind: "site" },
  ]);
});

test("N-34 N-15 Q-05 an email about the account waits in the outbox, for neither quiet hours nor a confirmation", async () => {
  const user = await makeUser({ isConfirmed: false });
  await db
    .update(schema.users)
    .set({ quietFrom: 0, quietTo: 1439, digest: "daily" })
    .where(eq(schema.users.id, user.id));
  const { app, mails } = await spineApp(NOW);
  const told = accountChange(app, "sign-in", "A recovery code was used just now. You have 9 left.");
  await runBatch(db, [recordAccountChange(db, told, user.id)]);
  // A thief replaces the address before the email leaves.
  await db
    .update(schema.users)
    .set({ email: `thief-${user.email}` })
    .where(eq(schema.users.id, user.id));
  const down = { send: () => Promise.reject(new Error("no route")) };
  await drain({ ...app, mail: down });
  expect(await deliveryRows()).toMatchObject([{ kind: "account-changed", state: "waiting", tries: 1 }]);
  await drain({ ...app, now: instant(NOW + MINUTE) });
  expect(mails).toMatchObject([{ kind: "sign-in-changed", to: user.email }]);
  expect(mails[0]?.text).toContain("A recovery code was used just now. You have 9 left.");
  expect(mails[0]?.headers).toBeUndefined();
  expect(await noticeRows()).toEqual([]);
});

import { env } from "cloudflare:workers";
import { eq, inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { connect, runBatch, schema } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { db, setUser } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { deliveryRows, drain, emptySpine, eventRows, spineApp } from "#tests/support/notices";
import { announce, moved, moveTo, PLANNED_NOW as NOW, plannedSession, START } from "#tests/support/planned";
import { runsOf } from "#tests/support/property-seed";
import { seatCrowd } from "#tests/support/rooms";
import { setSession } from "#tests/support/sessions";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { deliver, runJobs, wakeJobs } from "~/use-cases/deliveries.server";
import { planReminders } from "~/use-cases/sessions/reminders.server";
import { fanOut } from "./events.server";

beforeEach(async () => {
  await db.update(schema.sessions).set({ closedAt: NOW });
  await emptySpine();
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
    if (at === 1) expect([counter.hasFailed, early], said).toEqual([true, []]);
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

test("N-04 a consumer at a slow mail server hands back what it could not send before its lease ends", async () => {
  const { id } = await plannedSession();
  await seatCrowd(id, 30);
  await db.update(schema.users).set({ emailConfirmedAt: NOW });
  const { app } = await spineApp(NOW);
  const event = moved(app, id);
  await runBatch(db, [recordEvent(db, event)]);
  const { due } = await fanOut(app, event.id);
  expect(due.length).toBeGreaterThan(30);
  const [early = "", ...others] = due;
  await db
    .update(schema.deliveries)
    .set({ dueAt: instant(NOW + HOUR) })
    .where(eq(schema.deliveries.key, early));
  const sent: string[] = [];
  let now = NOW;
  let isHelped = false;
  // Six emails leave at once and take half a minute, and another consumer begins when the first lease has ended.
  const send = async ({ key = "" }: { key?: string }) => {
    sent.push(key);
    now = instant(now + 5_000);
    if (isHelped || now < NOW + 2 * MINUTE) return;
    isHelped = true;
    await deliver({ ...app, now, mail: { send } }, due, () => now);
  };
  await deliver({ ...app, mail: { send } }, due, () => now);
  expect(new Set(sent).size).toBe(sent.length);
  const waiting = (await deliveryRows()).filter(({ state }) => state === "waiting");
  expect(waiting.length).toBeGreaterThan(1);
  expect(waiting.every(({ tries, leaseUntil }) => tries === 0 && leaseUntil === null)).toBe(true);
  while (sent.length < others.length) await deliver({ ...app, now, mail: { send } }, due, () => now);
  expect(sent.sort()).toEqual(others.sort());
  expect((await deliveryRows()).filter(({ state }) => state === "waiting")).toMatchObject([
    { key: early, tries: 0 },
  ]);
});

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
    ["over", ({ id }) => setSession(id, { closedAt: NOW })],
    ["moved", ({ id }) => moveTo(id, instant(START + HOUR))],
    ["address-unconfirmed", ({ guest }) => setUser(guest.id, { emailConfirmedAt: null })],
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
  await setUser(guest.id, { quietFrom: minute, quietTo: (minute + 120) % 1440 });
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
  const begun = NOW - (NOW % MINUTE);
  const minute = (begun % DAY) / MINUTE;
  await setUser(guest.id, { quietFrom: minute, quietTo: (minute + 120) % 1440 });
  await drain(app);
  expect(mails).toEqual([]);
  const end = instant(begun + 2 * HOUR);
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

test("N-06 N-15 a wait for the end of the quiet hours is no try, so all four repeats follow it", async () => {
  const { id, host, guest } = await plannedSession(instant(NOW + 10 * DAY));
  const { app } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  await announce(app, id, instant(NOW + 10 * DAY));
  const begun = NOW - (NOW % MINUTE);
  const minute = (begun % DAY) / MINUTE;
  await setUser(guest.id, { quietFrom: minute, quietTo: (minute + 120) % 1440 });
  await drain(app);
  expect(await deliveryRows()).toMatchObject([{ state: "waiting", reason: "quiet", tries: 0 }]);
  const down = { send: () => Promise.reject(new Error("no route")) };
  const end = instant(begun + 2 * HOUR);
  await drain({ ...app, mail: down, now: end });
  expect(await deliveryRows()).toMatchObject([
    { state: "waiting", tries: 1, dueAt: instant(end + 1 * MINUTE) },
  ]);
});

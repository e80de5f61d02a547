// The spine of notices: a cause and its event, the fan-out and the minute cron, on real D1.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { connect, runBatch, schema } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { db, makeUser } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { deliveryRows, drain, emptySpine, eventRows, noticeRows, spineApp } from "#tests/support/notices";
import { moved, PLANNED_NOW as NOW, plannedSession, unreadOf } from "#tests/support/planned";
import { seatCrowd } from "#tests/support/rooms";
import { makeSession } from "#tests/support/sessions";
import { runCron } from "#workers/cron";
import { HOUR, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { fanOut, newEvent, wakeEvents } from "./events.server";

beforeEach(async () => {
  await db.update(schema.sessions).set({ closedAt: NOW });
  await emptySpine();
});

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
    recordEvent(db, event, { idLists: { to: seats, payers: sql`${seats} AND paid_by = user_id` } }),
    db.delete(schema.participants).where(eq(schema.participants.sessionId, id)),
  ]);
  await drain(app);
  expect(await noticeRows()).toMatchObject([
    { userId: guest.id, body: { title: "Morning pages", isPayer: true } },
  ]);
  const [mail] = await deliveryRows();
  expect(mail).toMatchObject({ userId: guest.id, state: "sent" });
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
  expect((await run()).slice(-6)).toMatchObject([
    { job: "plan-reminders", ok: true },
    { job: "plan-goal-reminders", ok: true, did: { goals: 0, lists: 0 } },
    { job: "follow-logs", ok: true, did: { followed: 0, failed: 0 } },
    { job: "wake-jobs", ok: true, did: { events: 1 } },
    { job: "install-library", ok: true },
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

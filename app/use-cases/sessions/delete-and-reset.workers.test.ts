// Deleting and resetting sessions through HTTP and their rooms, with permissions and what stays.
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { updateLog } from "#db/queries/goals/logs";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import {
  balanceOf,
  makeActivity,
  makeSession,
  seatsOf,
  sessionNow,
  setSession,
  stageSession,
} from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { moveLog, TIMER_NEEDS_GOAL } from "~/domain/goals/logs";
import { USER_ROLE } from "~/domain/roles";
import { HOUR, instant, MINUTE, millis, seconds } from "~/domain/time";
import { resetSessionsOf } from "./run.server";

type Staged = Awaited<ReturnType<typeof stageSession>>;
const refusal = ({ status, body }: { status: number; body: { error_code: string } }) => [
  status,
  body.error_code,
];

describe("R-15 deleting", () => {
  test("R-15 B-14 C-53 before the start every join is refunded, once, and the slug is free again", async () => {
    const { host, guest, admin, session, challenge } = await stageSession();
    for (const user of [guest, admin, await makeUser()])
      expect((await challenge(user, "DELETE", "")).status).toBe(403);
    const deleted = await Promise.all([challenge(host, "DELETE", ""), challenge(host, "DELETE", "")]);
    expect(deleted.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect([await balanceOf(host), await balanceOf(guest), await balanceOf(admin)]).toEqual([
      1000, 1000, 1000,
    ]);
    expect(await sessionNow(session.id)).toBeUndefined();
    expect(await seatsOf(session.id)).toEqual([]);
    expect(await db.select().from(schema.slugs).where(eq(schema.slugs.slug, session.slug))).toEqual([]);
    expect((await makeSession(host, { title: "Morning pages", parts: [] })).id).not.toBe(session.id);
  });

  test("R-15 never while it runs; after the end its logs stay and nothing is refunded", async () => {
    const { host, guest, session, event, challenge } = await stageSession();
    await event(host, "/start");
    const { body } = await event(guest, "/logs", { title: "Kept", duration: 60 });
    expect(refusal(await challenge(host, "DELETE", ""))).toEqual([409, "CONFLICT"]);
    await event(host, "/end");
    expect((await challenge(await makeUser({ roleId: 10 }), "DELETE", "")).status).toBe(204);
    expect(await sessionNow(session.id)).toBeUndefined();
    expect(await db.select().from(schema.logs).where(eq(schema.logs.id, body.log.id))).toHaveLength(1);
    expect(await balanceOf(guest)).toBe(1000 - 100 - 1);
    expect((await callAs(host, "GET", `/api/sessions/${session.id}`)).status).toBe(404);
  });

  const task = { title: "Read Ulysses", action: "Read", unit: "pages", amount: 300 };
  const pull = { title: "Pull-ups", action: "Do", amount: 5 };
  const two = { uuid: "two", title: "Two pages", amount: 2, action: "Read", status: 2 };

  test.each([
    ["its host, after the end", true, (one: Staged) => one.challenge(one.host, "DELETE", "")],
    ["its host, before the start", false, (one: Staged) => one.challenge(one.host, "DELETE", "")],
    [
      "a super admin, after a report",
      true,
      async ({ session, guest }: Staged) => {
        await callAs(guest, "POST", "/api/reports", { kind: "session", id: session.id, reason: "spam" });
        const root = await makeUser({ roleId: USER_ROLE.superAdmin });
        const fields = {
          intent: "decide",
          kind: "session",
          id: String(session.id),
          act: "remove",
          reason: "Spam",
        };
        expect((await post(root, "/admin/reports", fields)).status).toBe(302);
      },
    ],
  ] as const)(
    "R-15 C-53 logs on the goals of a session deleted by %s stay with their people, whole",
    async (_, hasEnded, remove) => {
      const one = await stageSession({ tasks: [{ ...task, quick_log_buttons: [two] }, pull] });
      const { host, guest, session, event, view } = one;
      const { goals } = await view(guest);
      const [read, pulls] = goals;
      if (hasEnded) await event(host, "/start");
      const noteOf = (user: TestUser) =>
        callAs(user, "POST", "/api/notes", { title: "Molly", content: "says yes", goal_id: read.id });
      expect((await noteOf(host)).status).toBe(201);
      const logged: Record<string, unknown>[] = [];
      for (const body of [
        { task_uuid: read.uuid, amount: 10, day: "2026-11-01" },
        { task_uuid: read.uuid, ql_button_uuid: "two" },
        { task_uuid: read.uuid, title: "Chapter 3", amount: 1, duration: 600 },
        { task_uuid: read.uuid, duration: 1200 },
        { task_uuid: pulls.uuid, amount: 3 },
      ])
        logged.push((await event(guest, "/logs", body)).body.log);
      if (hasEnded) await event(host, "/end");
      await remove(one);
      expect(await sessionNow(session.id)).toBeUndefined();
      const kept = (await dataOf(guest, "/api/my/logs")).logs as Record<string, unknown>[];
      const titles = ["Read Ulysses (pages)", "Two pages", "Chapter 3 (pages)", "Read Ulysses", "Pull-ups"];
      const gone = { goal: null, goal_id: null, challenge_event_id: null };
      const shown = (log: Record<string, unknown>) =>
        Object.fromEntries(
          ["uuid", "action", "status", "amount", "duration", "day", "created_at"].map((name) => [
            name,
            log[name],
          ]),
        );
      expect(kept.toReversed().map((log) => ({ ...shown(log), title: log.title }))).toEqual(
        logged.map((log, index) => ({ ...shown(log), title: titles[index] })),
      );
      for (const log of kept) expect(log).toMatchObject(gone);
      // The words of the goal find its logs.
      const found = async (q: string) => (await dataOf(guest, `/api/my/logs?q=${q}`)).logs.length;
      expect([await found("ulysses"), await found("pages"), await found("chapter")]).toEqual([2, 3, 1]);
      const page = await visit(guest, "/my/logs");
      const rows = (await page.texts("main li")).join("\n");
      for (const deed of ["Read 10", "Read 2", "Read 1 · 10m", "Read 20m", "3 times"])
        expect(rows).toContain(deed);
      expect(rows).not.toMatch(/(10|2|1) times/);
      const file = await visit(guest, "/account/export/everything.json");
      for (const title of titles) expect(file.html).toContain(`"${title}"`);
      expect((await dataOf(host, "/api/my/notes")).notes).toMatchObject([{ title: "Molly", goal_id: null }]);
      // They are still their people's own.
      const id = String(kept[0]?.id);
      const renamed = await callAs(guest, "PATCH", `/api/challenge-logs/${id}/update`, { title: "Chins" });
      expect([renamed.status, renamed.body.log.title]).toEqual([200, "Chins"]);
      expect((await callAs(guest, "DELETE", `/api/challenge-logs/${id}`, {})).status).toBe(204);
    },
  );

  test("R-15 S-13 a timer on the goal of a deleted session ends with its time, and a log to do stays one", async () => {
    const { host, guest, admin, event, challenge, view } = await stageSession({ tasks: [task, pull] });
    const { goals } = await view(guest);
    const now = Date.now();
    const ago = (minutes: number) => instant(now - minutes * MINUTE);
    const sets = { isInterval: true, duration: seconds(600) };
    const rows: [TestUser, number, Partial<typeof schema.logs.$inferInsert>][] = [
      [host, 0, { startedAt: ago(20), elapsedDuration: millis(5 * MINUTE) }],
      [host, 1, { startedAt: ago(20), endedAt: ago(15), duration: seconds(300) }],
      [guest, 0, { ...sets, startedAt: ago(20), endedAt: ago(10) }],
      [guest, 1, { ...sets, startedAt: ago(4), endedAt: ago(-6) }],
      [admin, 0, { status: 3, pausedAt: ago(20), elapsedDuration: millis(7 * MINUTE), startedAt: ago(27) }],
      [admin, 1, { status: 3, isTimed: false, startedAt: null }],
    ];
    const logged: { id: number; uuid: string }[] = [];
    for (const [user, goal, set] of rows) {
      const { body } = await event(user, "/logs", { task_uuid: goals[goal].uuid, status: 1 });
      logged.push(body.log);
      await db.update(schema.logs).set(set).where(eq(schema.logs.uuid, body.log.uuid));
    }
    expect((await challenge(host, "DELETE", "")).status).toBe(204);
    const stored = [];
    for (const { uuid } of logged) {
      const [log] = await db.select().from(schema.logs).where(eq(schema.logs.uuid, uuid));
      stored.push([
        log?.goalId,
        log?.status,
        (log?.elapsedDuration ?? 0) / MINUTE,
        log?.endedAt,
        log?.pausedAt,
      ]);
    }
    expect(stored).toEqual([
      [null, 4, 25, now, null],
      [null, 4, 20, now, null],
      [null, 2, 10, ago(10), null],
      [null, 4, 4, now, null],
      [null, 4, 7, ago(20), null],
      [null, 3, 0, null, null],
    ]);
    // Nothing starts them again or takes their time away.
    for (const user of [host, guest, admin]) {
      expect((await visit(user, "/my/goals")).html).not.toMatch(/aria-label="(Pause|Resume) /);
      expect((await visit(user, "/my/logs")).html).not.toMatch(/log\.(start|pause|reset)/);
    }
    const reset = await callAs(host, "POST", `/challenge-events/logs/${logged[0]?.id}/reset`, {});
    expect([reset.status, reset.body.message]).toEqual([409, TIMER_NEEDS_GOAL]);
    const done = await callAs(host, "POST", `/api/challenge-logs/${logged[0]?.id}/complete`, {});
    expect([done.status, done.body.log.elapsed_duration]).toEqual([200, 25 * MINUTE]);
  });

  test("R-15 S-13 a timer that was paused while its session was deleted is refused, not paused without a goal", async () => {
    const { host, guest, event, challenge, view } = await stageSession({ tasks: [task] });
    const { goals } = await view(guest);
    const { body } = await event(guest, "/logs", { task_uuid: goals[0].uuid, status: 1 });
    const [before] = await db.select().from(schema.logs).where(eq(schema.logs.uuid, body.log.uuid));
    await challenge(host, "DELETE", "");
    const change = moveLog(before as never, "pause", instant(Date.now()));
    expect(await updateLog(db, before as never, change).row).toEqual([]);
  });

  test("R-15 a refused deletion leaves the logs with their goals", async () => {
    const { host, guest, session, event, challenge, view } = await stageSession({ tasks: [task] });
    await event(host, "/start");
    const { goals } = await view(guest);
    await event(guest, "/logs", { task_uuid: goals[0].uuid, amount: 10 });
    expect((await challenge(host, "DELETE", "")).status).toBe(409);
    expect((await challenge(guest, "DELETE", "")).status).toBe(403);
    const [log] = (await dataOf(guest, "/api/my/logs")).logs;
    expect(log).toMatchObject({ title: "", goal_id: goals[0].id, challenge_event_id: session.id });
  });

  test("the activity's count of open sessions follows", async () => {
    const activity = await makeActivity(await makeUser());
    const open = async () =>
      (await db.select().from(schema.activities).where(eq(schema.activities.id, activity.id)))[0]
        ?.openSessionsCount;
    const a = await stageSession({ challenge_id: activity.id });
    const b = await stageSession({ challenge_id: activity.id, title: "B" });
    const c = await stageSession({ challenge_id: activity.id, title: "C" });
    expect(await open()).toBe(3);
    await a.challenge(a.host, "DELETE", "");
    await b.event(b.host, "/end");
    await c.event(c.host, "/start");
    expect(await open()).toBe(1);
    await c.event(c.host, "/end");
    expect(await open()).toBe(0);
    await c.challenge(c.host, "DELETE", "");
    expect(await open()).toBe(0);
  });
});

test("R-07 a reset of an activity leaves a session alone that is over at this instant", async () => {
  const admin = await makeUser({ roleId: 10 });
  const activity = await makeActivity(admin);
  const endedAt = instant(Date.now() + HOUR);
  const { id } = await makeSession(admin);
  await setSession(id, { activityId: activity.id, startedAt: instant(Date.now()), endedAt });
  expect(await resetSessionsOf(await appOf(admin, endedAt), activity.id)).toBe(0);
  expect(await resetSessionsOf(await appOf(admin, instant(endedAt - 1)), activity.id)).toBe(1);
});

test("R-07 C-56 a reset of an activity reaches all of its sessions, however many a statement lists", async () => {
  const admin = await makeUser({ roleId: 10 });
  const activity = await makeActivity(admin);
  const startedAt = instant(Date.now());
  for (let n = 0; n < 3; n++)
    await setSession((await makeSession(admin)).id, { activityId: activity.id, startedAt });
  const bystander = await makeSession(admin);
  await setSession(bystander.id, { startedAt });
  expect(await resetSessionsOf(await appOf(admin), activity.id, 2)).toBe(3);
  expect((await sessionNow(bystander.id))?.startedAt).toBe(startedAt);
});

test("R-07 a cancelled session, whose joins were refunded, is not reset", async () => {
  const { host, event, challenge } = await stageSession();
  await event(host, "/end");
  const refused = await challenge(await makeUser({ roleId: 10 }), "POST", "/reset", {});
  expect([...refusal(refused), refused.body.message]).toEqual([
    409,
    "CONFLICT",
    "This session was cancelled and its joins were refunded.",
  ]);
});

test("R-07 C-56 A-03 a super admin resets it to status 0, and logs stay", async () => {
  const { host, guest, event, challenge, view } = await stageSession();
  await event(host, "/start");
  await event(guest, "/logs", { title: "Kept", duration: 60 });
  await event(host, "/parts/a/start");
  for (const user of [host, guest]) expect((await challenge(user, "POST", "/reset", {})).status).toBe(403);
  expect((await challenge(await makeUser({ roleId: 10 }), "POST", "/reset", {})).status).toBe(200);
  const { session, logs } = await view(guest);
  expect(session).toMatchObject({ status: 0, started_at: null });
  expect(session.parts[0].parts[0]).toMatchObject({ state: "waiting", started_at: null });
  expect(logs).toHaveLength(1);
  expect((await event(host, "/start")).status).toBe(200);
});

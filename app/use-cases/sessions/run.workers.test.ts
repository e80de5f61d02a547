// Running a session through HTTP and its real room: start, end, complete, control of its parts, ready marks; with
// permissions.
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { drain, noticeRows, spineApp } from "#tests/support/notices";
import { joinRoom } from "#tests/support/rooms";
import {
  balanceOf,
  makeActivity,
  seatsOf,
  sessionNow,
  setSession,
  stageSession,
} from "#tests/support/sessions";
import { writeNotice } from "~/domain/notices/texts";
import { USER_ROLE } from "~/domain/roles";
import { HOUR, instant } from "~/domain/time";
import { recordRoom } from "~/use-cases/room/record.server";

const refusal = ({ status, body }: { status: number; body: { error_code: string } }) => [
  status,
  body.error_code,
];

describe("C-73 start", () => {
  test("N-22 the notice of a start names the admin who started the session", async () => {
    const { guest, admin, event, session } = await stageSession();
    expect((await event(admin, "/start")).status).toBe(200);
    await drain((await spineApp(instant(Date.now()))).app);
    const told = (await noticeRows()).filter(
      (row) => row.userId === guest.id && row.subject === `session:${session.id}`,
    );
    expect(told.map((row) => writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text)).toEqual([
      expect.stringContaining(admin.username),
    ]);
  });

  test("S-05 S-06 R-13 C-73 the host starts: status 1, dates from now, ready marks cleared", async () => {
    const { host, guest, event, challenge, view } = await stageSession();
    await challenge(guest, "POST", "/user-is-ready", {});
    const before = Date.now();
    const { status, body } = await event(host, "/start", { client_uuid: "c" });
    expect(status).toBe(200);
    const session = body.challenge_event;
    expect(session.status).toBe(1);
    expect(Date.parse(session.started_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(session.ended_at) - Date.parse(session.started_at)).toBe(3_600_000);
    expect(session.parts[0].parts[0].started_at).toBe(session.started_at);
    const seen = await view(guest);
    expect(seen.session).toMatchObject({ status: 1, started_at: session.started_at });
    expect(seen.session.participants.every((one: { is_ready: number }) => one.is_ready === 0)).toBe(true);
    expect((await view(guest)).session.remaining_duration).toBeLessThanOrEqual(3_600_000);
  });

  test("C-73 R-38 host, admins and super admin start it, and a second start is a conflict with its sentence", async () => {
    const { guest, admin, event } = await stageSession();
    expect((await event(await makeUser(), "/start")).status).toBe(403);
    expect((await event(guest, "/start")).status).toBe(403);
    expect((await event(admin, "/start")).status).toBe(200);
    const again = await event(admin, "/start");
    expect(refusal(again)).toEqual([409, "CONFLICT"]);
    expect(again.body.errors).toEqual([again.body.message]);
    const other = await stageSession();
    expect((await other.event(await makeUser({ roleId: 10 }), "/start")).status).toBe(200);
  });

  test("N-22 a start by hand notifies participants without an open socket, and a repeat nobody", async () => {
    const { host, guest, admin, session, event } = await stageSession();
    const line = await joinRoom(admin, session.id);
    const { app } = await spineApp();
    const notices = async () => {
      await drain(app);
      const rows = (await noticeRows()).filter(({ subject }) => subject === `session:${session.id}`);
      return rows.map((row) => [row.userId, writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text]);
    };
    await event(host, "/start");
    const told = [[guest.id, `${host.username} has started Morning pages.`]];
    expect(await notices()).toEqual(told);
    await event(host, "/start");
    // The room writes again when it did not hear that its first write arrived.
    const { state } = await app.rooms.of(session.id).view();
    const again = { state: { ...state, seq: state.seq + 5 }, pending: new Set(["run", "start"] as const) };
    await recordRoom(app, { ...again, online: [admin.username] });
    expect(await notices()).toEqual(told);
    line.socket.close();
    const planned = await stageSession({ is_manually_started: 0, started_at: Date.now() + 3_600_000 });
    await planned.event(planned.host, "/start");
    expect(await notices()).toEqual(told);
    // It began an hour early.
    const early = (await noticeRows()).filter(({ userId }) => userId === planned.guest.id);
    expect(early.map(({ kind }) => kind)).toEqual(["session-early"]);
  });

  test("R-13 a planned session may start early, and its plan moves along", async () => {
    const startedAt = Date.now() + 5 * 3_600_000;
    const { host, event } = await stageSession({ is_manually_started: 0, started_at: startedAt });
    const { body } = await event(host, "/start");
    expect(Date.parse(body.challenge_event.started_at)).toBeLessThan(startedAt);
    expect(body.challenge_event.parts[0].parts[0].started_at).toBe(body.challenge_event.started_at);
  });
});

test("A-06 R-13 an admin is offered the start of a session without a start time only, and the host always", async () => {
  const superAdmin = await makeUser({ roleId: USER_ROLE.superAdmin });
  for (const startedAt of [null, Date.now() + 5 * HOUR]) {
    const { host, guest, admin, view } = await stageSession(
      startedAt === null ? {} : { is_manually_started: 0, started_at: startedAt },
    );
    const offered = await Promise.all(
      [host, superAdmin, admin, guest].map(async (user) => (await view(user)).session.me.can_start),
    );
    expect(offered).toEqual([1, 1, startedAt === null ? 1 : 0, 0]);
  }
});

describe("C-74 end, C-75 complete", () => {
  test("S-07 C-74 the host ends it for everybody, and joining, logging and chat are refused then", async () => {
    const { host, guest, admin, session, event, view } = await stageSession();
    await event(host, "/start");
    for (const user of [guest, admin]) expect((await event(user, "/end")).status).toBe(403);
    const ended = await event(host, "/end");
    expect([ended.status, ended.body.challenge_event.status]).toEqual([200, 2]);
    expect(refusal(await event(host, "/end"))).toEqual([409, "CONFLICT"]);
    expect(refusal(await event(host, "/start"))).toEqual([409, "CONFLICT"]);
    expect((await event(await makeUser(), "/join")).body.message).toBe("This session has ended.");
    expect(refusal(await event(guest, "/logs", {}))).toEqual([409, "CONFLICT"]);
    expect((await view(guest)).session).toMatchObject({ status: 2, remaining_duration: 0, can_join: 0 });
    expect((await sessionNow(session.id))?.closedAt).not.toBeNull();
    // A run that began refunds nothing.
    expect(await balanceOf(guest)).toBe(900);
  });

  test("S-07 C-75 each completes for themselves, and the last one ends the session", async () => {
    const { host, guest, admin, event, view } = await stageSession();
    expect(refusal(await event(guest, "/complete"))).toEqual([409, "CONFLICT"]);
    await event(host, "/start");
    const done = await event(guest, "/complete");
    expect(done.status).toBe(200);
    const mine = done.body.challenge_event.participants.find(
      (one: { username: string }) => one.username === guest.username,
    );
    expect(mine.completed_at).toMatch(/Z$/);
    expect((await event(guest, "/complete")).status).toBe(200);
    expect((await event(await makeUser(), "/complete")).status).toBe(403);
    await event(admin, "/complete");
    expect((await view()).session.status).toBe(1);
    await event(host, "/complete");
    expect((await view()).session.status).toBe(2);
  });

  test("C-75 a repeated write of the room completes nobody in a seat that was taken since", async () => {
    const { host, guest, session, event } = await stageSession();
    await event(host, "/start");
    await event(guest, "/complete");
    const { state } = await (await appOf(host)).rooms.of(session.id).view();
    const completion = async () =>
      (await seatsOf(session.id)).find(({ userId }) => userId === guest.id)?.completedAt;
    await expect.poll(completion).not.toBeNull();
    await callAs(guest, "POST", `/api/challenge-events/${session.id}/leave`, {});
    await event(guest, "/join");
    expect(await completion()).toBeNull();
    const seq = (await sessionNow(session.id))?.roomVersion ?? 0;
    await recordRoom(await appOf(host), { state: { ...state, seq }, pending: new Set(["people"]) });
    expect(await completion()).toBeNull();
  });

  test("G-31 a late write of the room neither reopens nor counts a session that was cancelled meanwhile", async () => {
    const { host, session, event } = await stageSession();
    const activity = await makeActivity(host);
    await event(host, "/start");
    const app = await appOf(host);
    const { state } = await app.rooms.of(session.id).view();
    const closedAt = instant(Date.now());
    await setSession(session.id, { activityId: activity.id, closedAt });
    const seq = ((await sessionNow(session.id))?.roomVersion ?? 0) + 5;
    await recordRoom(app, { state: { ...state, seq }, pending: new Set(["run"]) });
    expect((await sessionNow(session.id))?.closedAt).toBe(closedAt);
    const [counted] = await db.select().from(schema.activities).where(eq(schema.activities.id, activity.id));
    expect(counted?.openSessionsCount).toBe(activity.openSessionsCount);
  });

  test("S-08 the host of a running session stays until it is handed over, and others may leave", async () => {
    const { host, guest, admin, session, event, view } = await stageSession();
    await event(host, "/start");
    const leave = (user: TestUser) => callAs(user, "POST", `/api/challenge-events/${session.id}/leave`, {});
    expect(refusal(await leave(host))).toEqual([409, "CONFLICT"]);
    expect((await leave(guest)).status).toBe(200);
    await callAs(host, "PATCH", `/challenge-events/${session.id}/participants/${admin.username}`, {
      host: 1,
    });
    expect((await leave(host)).status).toBe(200);
    expect((await view(admin)).session.participants.map((one: { username: string }) => one.username)).toEqual(
      [admin.username],
    );
    expect((await event(admin, "/end")).status).toBe(200);
  });
});

describe("R-29 controlling the parts", () => {
  test("R-29 start, pause, resume, adjust, finish, reset", async () => {
    const { host, event } = await stageSession();
    await event(host, "/start");
    const part = async (path: string, body: object = {}) => {
      const answer = await event(host, `/parts/a${path}`, body);
      return { ...answer, part: answer.body.challenge_event?.parts[0].parts[0] };
    };
    expect((await part("/start")).part).toMatchObject({ state: "running", status: 1, active: 1 });
    expect(refusal(await part("/start"))).toEqual([409, "CONFLICT"]);
    const paused = await part("/pause");
    expect(paused.part).toMatchObject({ state: "paused", status: 3, paused_at: expect.stringMatching(/Z$/) });
    expect((await part("/resume")).part).toMatchObject({ state: "running", paused_at: null });
    expect((await part("/adjust", { seconds: 60 })).part.duration).toBe(360);
    expect((await part("/adjust", { seconds: -60 })).part.duration).toBe(300);
    expect((await part("/adjust", { seconds: 1.5 })).body.fields.seconds).toEqual([
      "Please give whole seconds.",
    ]);
    expect((await part("/finish")).part.state).toBe("finished");
    expect((await part("/reset")).part.state).toBe("waiting");
  });

  test("R-29 host, admins and super admin control parts, but not before the start and only existing ones", async () => {
    const { host, guest, admin, event } = await stageSession();
    expect(refusal(await event(host, "/parts/a/start"))).toEqual([409, "CONFLICT"]);
    await event(host, "/start");
    expect((await event(guest, "/parts/a/start")).status).toBe(403);
    expect((await event(await makeUser(), "/parts/a/start")).status).toBe(403);
    expect((await event(admin, "/parts/a/start")).status).toBe(200);
    expect((await event(await makeUser({ roleId: 10 }), "/parts/a/finish")).status).toBe(200);
    expect((await event(host, "/parts/nowhere/start")).status).toBeGreaterThanOrEqual(400);
  });

  test("C-61 C-64 C-62 during the run parts are added, changed and removed through the room", async () => {
    const { host, event, challenge, session } = await stageSession();
    await event(host, "/start");
    await event(host, "/parts/a/start");
    const added = await challenge(host, "POST", "/parts", {
      events_group_uuid: "g",
      type: "event",
      uuid: "c",
      duration: 120,
    });
    expect(added.status).toBe(201);
    expect(added.body.part).toMatchObject({ uuid: "c", duration: 120 });
    const changed = await challenge(host, "PATCH", "/parts/b", { duration: 60, title: "Short" });
    expect(changed.body.part).toMatchObject({ duration: 60, title: "Short" });
    expect((await challenge(host, "DELETE", "/parts/a/event")).status).toBe(422);
    expect((await challenge(host, "DELETE", "/parts/c/event")).status).toBe(204);
    const row = await sessionNow(session.id);
    expect(row?.schedule.groups[0]?.parts.map(({ id, state }) => [id, state])).toEqual([
      ["a", "running"],
      ["b", "waiting"],
    ]);
  });
});

describe("C-57 ready", () => {
  test("C-57 U-43 V-28 a participant toggles their own mark, and others have none", async () => {
    const { guest, challenge, view } = await stageSession();
    const ready = (user: TestUser, body: object = {}) => challenge(user, "POST", "/user-is-ready", body);
    const first = await ready(guest);
    expect([first.status, first.body.is_ready, first.body.challenge_user.username]).toEqual([
      200,
      1,
      guest.username,
    ]);
    const shown = (await view()).session.participants.find(
      (one: { username: string }) => one.username === guest.username,
    );
    expect(shown.is_ready).toBe(1);
    expect((await ready(guest)).body.is_ready).toBe(0);
    expect((await ready(guest, { is_ready: 1 })).body.is_ready).toBe(1);
    expect((await ready(guest, { is_ready: true })).body.is_ready).toBe(1);
    const stranger = await ready(await makeUser());
    expect([stranger.status, stranger.body.message]).toEqual([
      403,
      "Please join the challenge to use that feature.",
    ]);
  });

  test("a ready mark does not revert a change of the plan made just before", async () => {
    const { host, guest, session, challenge } = await stageSession();
    await Promise.all([
      callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge: { title: "Renamed" } }),
      challenge(guest, "POST", "/user-is-ready", {}),
    ]);
    await challenge(guest, "POST", "/user-is-ready", {});
    expect((await sessionNow(session.id))?.title).toBe("Renamed");
  });
});

test("C-71 during the run texts and parts change through the room, and dates no longer", async () => {
  const { host, event, session, view } = await stageSession();
  await event(host, "/start");
  const patch = (challenge: object) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
  expect((await patch({ started_at: "2033-01-01" })).body.fields.started_at).toEqual([
    "This session has already started.",
  ]);
  expect((await patch({ duration: 7200 })).body.fields.duration).toEqual([
    "This session has already started.",
  ]);
  const now = (await view()).session;
  const { status } = await patch({
    title: "Renamed",
    content: "New text",
    participant_limit: 9,
    started_at: now.started_at,
    duration: now.duration,
    parts: [
      { uuid: "g", auto_start: 0, parts: [...now.parts[0].parts, { uuid: "c", title: "C", duration: 60 }] },
    ],
  });
  expect(status).toBe(200);
  const after = (await view()).session;
  expect(after).toMatchObject({ title: "Renamed", content: "New text", participant_limit: 9, status: 1 });
  expect(after.parts[0].parts.map(({ uuid }: { uuid: string }) => uuid)).toEqual(["a", "b", "c"]);
});

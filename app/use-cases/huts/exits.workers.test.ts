// The end of a stay in a hut: a ban from a public and a private hut, and leaving a private one.
import { asc, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, setUser, type TestUser, userNow } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, spineApp } from "#tests/support/notices";
import { joinRoom, openLine, ROOM_NOW, useRoomClock, watchRoom } from "#tests/support/rooms";
import { iso, makeSeries, seriesNow, sessionsOf } from "#tests/support/series";
import { balanceOf, join, makeHut, makeSession, sayIn, seatsOf, sessionNow } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { DAY, instant, MINUTE } from "~/domain/time";
import { createCalendarAddress } from "~/use-cases/sessions/calendar.server";

const at = useRoomClock();
const TOMORROW = iso(ROOM_NOW + DAY);

type Hut = { id: number; slug: string };
const ban = (by: TestUser, hut: Hut, whom: TestUser) =>
  callAs(by, "PATCH", `/groups/${hut.slug}/members/${whom.username}`, { ban: 1 });
const start = (user: TestUser, id: number) => callAs(user, "POST", `/challenge-events/${id}/start`, {});
const hasSeat = async (user: TestUser, id: number) =>
  (await seatsOf(id)).some(({ userId }) => userId === user.id);
const hostOf = async (id: number) => (await seatsOf(id)).find(({ isHost }) => isHost)?.userId;
const waitersOf = (id: number) =>
  db.select().from(schema.waiters).where(eq(schema.waiters.sessionId, id)).orderBy(asc(schema.waiters.since));
const made = async (host: TestUser, hut: Hut, over: object = {}) =>
  makeSession(host, { title: "Quillfeather", hut_id: hut.id, ...over });
const ahead = (host: TestUser, hut: Hut, over: object = {}) =>
  made(host, hut, { is_manually_started: 0, started_at: TOMORROW, ...over });

/** A hut with a member; `isPrivate` closes it to outsiders. */
async function scene(isPrivate: boolean) {
  at(ROOM_NOW);
  const [owner, member, other] = await makeUsers(3, { tokens: 9000 });
  const hut = await makeHut(owner, [owner, member, other]);
  if (isPrivate)
    expect(
      (await callAs(owner, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } })).status,
    ).toBe(200);
  const leave = () => callAs(member, "DELETE", `/groups/${hut.slug}/leave`);
  return { owner, member, other, hut, leave, banned: () => ban(owner, hut, member) };
}

const seriesIn = (hut: Hut, host: TestUser) =>
  makeSeries(host, {}, { title: "Quillfeather", hut_id: hut.id });
const standingOf = (user: TestUser) =>
  db.select().from(schema.standingSeats).where(eq(schema.standingSeats.userId, user.id));

const writesToEverybody = keepBystanders();

for (const isPrivate of [false, true]) {
  const kind = isPrivate ? "private" : "public";

  test(`R-56 a ban from a ${kind} hut frees seats with a refund before the start, and places on waiting lists`, async () => {
    const { owner, member, other, hut, banned } = await scene(isPrivate);
    const [first, full, running] = [
      await ahead(owner, hut),
      await ahead(owner, hut, { participant_limit: 2 }),
      await made(owner, hut),
    ];
    await join(other, full.id);
    expect((await callAs(member, "POST", `/challenge-events/${full.id}/wait`, {})).status).toBe(200);
    const before = await balanceOf(member);
    expect((await join(member, first.id)).status).toBe(200);
    expect((await join(member, running.id)).status).toBe(200);
    await start(owner, running.id);
    expect(await balanceOf(member)).toBe(before - 200);
    for (const _ of [1, 2]) expect((await banned()).status).toBe(200);
    expect([await hasSeat(member, first.id), await hasSeat(member, running.id)]).toEqual([false, false]);
    expect([
      (await sessionNow(first.id))?.participantsCount,
      (await sessionNow(running.id))?.participantsCount,
    ]).toEqual([1, 1]);
    expect(await waitersOf(full.id)).toEqual([]);
    // The seat of the running session is not refunded.
    expect(await balanceOf(member)).toBe(before - 100);
  });

  test(`R-56 a ban from a ${kind} hut gives a freed seat to the first waiter`, async () => {
    const { owner, member, other, hut, banned } = await scene(isPrivate);
    const { id } = await ahead(owner, hut, { participant_limit: 2 });
    await join(member, id);
    await callAs(other, "POST", `/challenge-events/${id}/wait`, {});
    await banned();
    expect([await hasSeat(member, id), await hasSeat(other, id)]).toEqual([false, true]);
  });

  test(`R-56 a ban from a ${kind} hut ends the standing seat, the turn and the seats in its series, and neither those of others nor those elsewhere`, async () => {
    const { owner, member, other, hut, banned } = await scene(isPrivate);
    const id = await seriesIn(hut, owner);
    const nextDoor = await makeHut(owner, [owner, member]);
    const elsewhere = await makeSeries(owner, {}, { title: "Next door", hut_id: nextDoor.id });
    for (const [series, user] of [
      [id, member],
      [id, other],
      [elsewhere, member],
    ] as const) {
      expect((await callAs(user, "PUT", `/api/series/${series}/standing-seat`, {})).status).toBe(200);
      await callAs(owner, "PUT", `/api/series/${series}/hosts/${user.username}`, {});
    }
    await join(member, (await sessionsOf(id))[0]?.id ?? 0);
    await banned();
    expect((await standingOf(member)).map(({ seriesId }) => seriesId)).toEqual([elsewhere]);
    expect((await standingOf(other)).map(({ seriesId }) => seriesId)).toEqual([id]);
    const turns = await db
      .select()
      .from(schema.rotaHosts)
      .where(inArray(schema.rotaHosts.seriesId, [id, elsewhere]));
    const peopleIn = (series: number) =>
      turns
        .filter(({ seriesId }) => seriesId === series)
        .map(({ userId }) => userId)
        .sort((a, b) => a - b);
    expect([peopleIn(id), peopleIn(elsewhere)]).toEqual([
      [owner.id, other.id],
      [owner.id, member.id],
    ]);
    for (const session of await sessionsOf(id)) expect(await hasSeat(member, session.id)).toBe(false);
    expect((await callAs(member, "GET", `/api/my/series/${id}`)).status).toBe(404);
    expect(JSON.stringify((await callAs(member, "GET", "/api/my/series")).body)).not.toContain(
      "Quillfeather",
    );
    expect((await callAs(member, "PUT", `/api/series/${id}/standing-seat`, {})).status).toBe(404);
  });

  test(`R-56 a ban from a ${kind} hut closes the person's socket in its sessions`, async () => {
    const { owner, member, hut, banned } = await scene(isPrivate);
    const { id } = await made(owner, hut);
    await join(member, id);
    await start(owner, id);
    const line = await joinRoom(member, id);
    await banned();
    expect((await line.closed).code).toBe(4403);
  });

  test(`R-56 sessions of a ${kind} hut leave the lists, the feed and the notices of a banned person, ended ones too`, async () => {
    const { owner, member, hut, banned } = await scene(isPrivate);
    const { address } = await createCalendarAddress(await appOf(member, ROOM_NOW));
    const ended = await made(owner, hut, { title: "Quillfeather over" });
    const open = await ahead(owner, hut);
    for (const { id } of [ended, open]) await join(member, id);
    await start(owner, ended.id);
    await callAs(owner, "POST", `/challenge-events/${ended.id}/end`, {});
    await callAs(owner, "PATCH", `/challenge-events/${open.id}/patch`, {
      challenge: { started_at: iso(ROOM_NOW + 2 * DAY) },
    });
    await drain((await spineApp(ROOM_NOW)).app);
    const seen = async () => {
      const texts = [
        JSON.stringify((await callAs(member, "GET", "/api/my/sessions")).body),
        JSON.stringify((await callAs(member, "GET", "/api/events?joined=1")).body),
        await (await ask(new URL(address).pathname)).text(),
        JSON.stringify((await callAs(member, "GET", "/api/my/notices")).body),
      ];
      return texts.map((text) => text.includes("Quillfeather"));
    };
    expect(await seen()).toEqual([true, true, true, true]);
    await banned();
    // The edge keeps a built feed for a quarter of an hour (F-15).
    at(ROOM_NOW + 16 * MINUTE);
    expect(await seen()).toEqual([false, false, false, false]);
    const user = await userNow(member.id);
    expect(user?.unreadNotices).toBe(0);
  });

  test(`R-56 a person banned from a ${kind} hut reads no chat of its ended sessions`, async () => {
    const { owner, member, hut, banned } = await scene(isPrivate);
    const { id } = await made(owner, hut, { join_code: "sesame" });
    await join(member, id, "sesame");
    await start(owner, id);
    await sayIn(owner, id, "Larkspur");
    const mine = (await sayIn(member, id, "Before")).body.message;
    await callAs(owner, "POST", `/challenge-events/${id}/end`, {});
    const said = async () => JSON.stringify((await callAs(member, "GET", `/api/sessions/${id}/chat`)).body);
    expect(await said()).toContain("Larkspur");
    const socket = await joinRoom(member, id);
    await banned();
    expect((await socket.closed).code).toBe(4403);
    expect(await said()).not.toContain("Larkspur");
    const edit = await callAs(member, "PATCH", `/api/sessions/${id}/messages/${mine.seq}`, {
      content: "After",
    });
    expect(edit.status).toBe(isPrivate ? 404 : 403);
    const again = openLine(member, id).then((line) => line.closed);
    if (isPrivate) await expect(again).rejects.toThrow("404");
    else await expect(again).resolves.toEqual({ code: 4403 });
  });
}

for (const isPrivate of [false, true])
  test(`R-56 before a ban from a ${isPrivate ? "private" : "public"} hut its form says what happens to what the person hosts`, async () => {
    const { owner, hut } = await scene(isPrivate);
    const said = (await (await visit(owner, `/group/${hut.slug}/members`)).texts("details p")).join();
    expect([said.includes("leave the hut with them"), said.includes("are cancelled with refunds")]).toEqual([
      !isPrivate,
      isPrivate,
    ]);
  });

test("R-56 sessions and series that a banned person hosts in a public hut leave the hut", async () => {
  const { member, other, hut, banned } = await scene(false);
  const [open, over, running] = [await ahead(member, hut), await made(member, hut), await made(member, hut)];
  const elsewhere = await makeHut(member);
  const [series, kept] = [await seriesIn(hut, member), await seriesIn(elsewhere, member)];
  await join(other, open.id);
  for (const { id } of [over, running]) await start(member, id);
  await callAs(member, "POST", `/challenge-events/${over.id}/end`, {});
  await banned();
  for (const { id } of [open, over, running]) {
    expect((await sessionNow(id))?.hutId).toBe(null);
    expect(await hostOf(id)).toBe(member.id);
  }
  expect(await hasSeat(other, open.id)).toBe(true);
  const row = await seriesNow(series);
  expect([row?.hutId, row?.endedAt, row?.template.hutId ?? null]).toEqual([null, null, null]);
  expect(await seriesNow(kept)).toMatchObject({ hutId: elsewhere.id, template: { hutId: elsewhere.id } });
  expect((await callAs(member, "GET", `/api/my/series/${series}`)).status).toBe(200);
});

test("R-56 B-14 sessions that a banned person hosts in a private hut are cancelled with refunds before their start", async () => {
  const { member, other, hut, banned } = await scene(true);
  const { id } = await ahead(member, hut);
  const series = await seriesIn(hut, member);
  const before = await balanceOf(other);
  await join(other, id);
  await banned();
  expect((await sessionNow(id))?.closedAt).not.toBe(null);
  expect(await balanceOf(other)).toBe(before);
  expect((await seriesNow(series))?.endedAt).toBe(ROOM_NOW);
  for (const session of await sessionsOf(series)) expect(session.closedAt).not.toBe(null);
});

for (const isSeated of [false, true])
  test(`R-56 R-55 the owner of a private hut hosts the running session of a banned person${isSeated ? ", with a seat of their own" : ""}`, async () => {
    const { owner, member, other, hut, banned } = await scene(true);
    const { id } = await made(member, hut, { is_free: 1, participant_limit: 3 });
    await join(other, id);
    if (isSeated) await join(owner, id);
    else {
      const insider = await makeUser();
      await db.insert(schema.hutMembers).values({ hutId: hut.id, userId: insider.id, joinedAt: instant(1) });
      await join(insider, id);
    }
    await start(member, id);
    const before = await balanceOf(owner);
    await banned();
    expect(await hostOf(id)).toBe(owner.id);
    expect(await hasSeat(member, id)).toBe(false);
    const row = await sessionNow(id);
    expect([row?.isFree, row?.closedAt, row?.participantsCount]).toEqual([
      false,
      null,
      3 - (isSeated ? 1 : 0),
    ]);
    expect((await seatsOf(id)).length).toBe(row?.participantsCount);
    expect(await balanceOf(owner)).toBe(before);
    expect((await callAs(owner, "POST", `/challenge-events/${id}/end`, {})).status).toBe(200);
  });

test("R-56 Q-16 in a public hut a banned person reads what any visitor reads, and joins nothing", async () => {
  const { owner, member, hut, banned } = await scene(false);
  const { id } = await ahead(owner, hut);
  await banned();
  expect((await visit(member, `/group/${hut.slug}`)).status).toBe(200);
  expect((await visit(member, `/sessions/${id}`)).status).toBe(200);
  expect((await join(member, id)).status).toBe(403);
  expect((await callAs(member, "POST", `/challenge-events/${id}/wait`, {})).status).not.toBe(200);
});

test("R-56 Q-27 a person banned from a private hut watches and finds nothing of it", async () => {
  const { owner, member, hut, banned } = await scene(true);
  const { id } = await made(owner, hut);
  await start(owner, id);
  const watching = await watchRoom(id, member);
  await watching.expect("welcome");
  await banned();
  expect((await watching.closed).code).toBe(4409);
  await expect(watchRoom(id, member)).rejects.toThrow("404");
  for (const path of [`/sessions/${id}`, `/group/${hut.slug}`])
    expect((await visit(member, path)).status).toBe(404);
});

test("R-56 Q-28 a banned person asks in vain to enter again", async () => {
  const { owner, member, hut, banned } = await scene(true);
  const asked = async () =>
    (await db.select().from(schema.hutRequests).where(eq(schema.hutRequests.hutId, hut.id))).length;
  const { requestEntry } = await import("./entry.server");
  const stranger = await makeUser();
  for (const { id } of [member, stranger]) await setUser(id, { emailConfirmedAt: instant(1) });
  await requestEntry(await appOf(stranger), { slug: hut.slug });
  expect(await asked()).toBe(1);
  // A request of before goes with the ban.
  await ban(owner, hut, stranger);
  expect(await asked()).toBe(0);
  await banned();
  await requestEntry(await appOf(member), { slug: hut.slug });
  expect(await asked()).toBe(0);
});

// ---- leaving a private hut

test("R-56 Q-27 a former member of a private hut keeps seats in running sessions until their end, and nothing else", async () => {
  const { owner, member, hut, leave } = await scene(true);
  const [open, running] = [await ahead(owner, hut), await made(owner, hut)];
  const id = await seriesIn(hut, owner);
  await callAs(member, "PUT", `/api/series/${id}/standing-seat`, {});
  const before = await balanceOf(member);
  for (const session of [open, running]) await join(member, session.id);
  await start(owner, running.id);
  expect((await leave()).status).toBeLessThan(300);
  expect([await hasSeat(member, open.id), await hasSeat(member, running.id)]).toEqual([false, true]);
  expect(await balanceOf(member)).toBe(before - 100);
  expect(await standingOf(member)).toEqual([]);
  expect((await callAs(member, "GET", `/api/my/series/${id}`)).status).toBe(404);
  expect((await visit(member, `/my/series/${id}`)).status).toBe(404);
  expect((await callAs(member, "GET", `/api/sessions/${running.id}`)).status).toBe(200);
  expect((await callAs(member, "GET", `/api/sessions/${open.id}`)).status).toBe(404);
  await callAs(owner, "POST", `/challenge-events/${running.id}/end`, {});
  await (await appOf(owner)).rooms.of(running.id).refresh();
  expect((await callAs(member, "GET", `/api/sessions/${running.id}`)).status).toBe(404);
  expect(JSON.stringify((await callAs(member, "GET", "/api/my/sessions")).body)).not.toContain(
    "Quillfeather",
  );
});

test("R-56 leaving a private hut cancels the sessions that the person hosts ahead, and a running one goes on", async () => {
  const { member, other, hut, leave } = await scene(true);
  const [open, running] = [await ahead(member, hut), await made(member, hut)];
  const before = await balanceOf(other);
  await join(other, open.id);
  await start(member, running.id);
  expect((await leave()).status).toBeLessThan(300);
  expect((await sessionNow(open.id))?.closedAt).not.toBe(null);
  expect(await balanceOf(other)).toBe(before);
  expect([(await sessionNow(running.id))?.closedAt, await hostOf(running.id)]).toEqual([null, member.id]);
});

test("R-56 leaving a public hut keeps seats and standing seats, and the owner of a private hut keeps all", async () => {
  const { owner, member, hut, leave } = await scene(false);
  const { id } = await ahead(owner, hut);
  await join(member, id);
  await leave();
  expect(await hasSeat(member, id)).toBe(true);
  const theirs = await scene(true);
  const own = await ahead(theirs.owner, theirs.hut);
  await callAs(theirs.owner, "DELETE", `/groups/${theirs.hut.slug}/leave`);
  expect((await sessionNow(own.id))?.closedAt).toBe(null);
});

test("R-56 N-05 a digest names no session of a private hut that its reader has left", async () => {
  writesToEverybody();
  const { owner, member, hut, leave } = await scene(true);
  await emptySpine();
  await setUser(member.id, { emailConfirmedAt: instant(1) });
  const settings = [{ kind: "hut-session", channel: "mail", value: 1 }];
  await callAs(member, "PATCH", "/account/notifications", { settings, digest: "weekly" });
  await made(owner, hut);
  await drain((await spineApp(ROOM_NOW)).app);
  expect((await deliveryRows()).filter(({ kind }) => kind === "digest").length).toBe(1);
  await leave();
  const late = await spineApp(instant(ROOM_NOW + 8 * DAY));
  await drain(late.app);
  expect(late.mails.filter(({ to, text }) => to === member.email && text.includes("Quillfeather"))).toEqual(
    [],
  );
});

test("R-56 B-14 before leaving a private hut the dialog names the sessions that this cancels", async () => {
  const { member, other, hut } = await scene(true);
  await ahead(member, hut, { title: "Larkspur" });
  const running = await made(member, hut, { title: "Mugwort" });
  await start(member, running.id);
  const dialogOf = async (user: TestUser) =>
    (await (await visit(user, `/group/${hut.slug}`)).texts('[role="alertdialog"]')).filter((text) =>
      text.includes("Leave this hut?"),
    );
  const [text = ""] = await dialogOf(member);
  expect(text).toContain("1 session of yours has not begun.");
  expect([text.includes("Larkspur"), text.includes("Mugwort"), text.includes("series")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(await dialogOf(other)).toEqual([]);
  // A series ends too, also without a session ahead.
  const series = await seriesIn(hut, other);
  const laid = (await sessionsOf(series)).length;
  const [both = ""] = await dialogOf(other);
  expect(both).toContain(`1 series that you host here ends. ${laid} sessions of yours have not begun.`);
  expect(both.split("Quillfeather").length).toBe(2);
  await db.update(schema.sessions).set({ closedAt: ROOM_NOW }).where(eq(schema.sessions.seriesId, series));
  const [alone = ""] = await dialogOf(other);
  expect(alone).toContain("1 series that you host here ends.");
  expect(alone).not.toContain("not begun");
});

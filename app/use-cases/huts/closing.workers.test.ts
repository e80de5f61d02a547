// A public hut that becomes private: people outside become members, lose their places, or hand their sessions and
// series to the hut's owner.
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser, testApp } from "#tests/support/factories";
import { seated } from "#tests/support/guests";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { iso, makeSeries, sentencesOf, seriesNow, sessionsOf, stand } from "#tests/support/series";
import {
  balanceOf,
  join,
  makeHut,
  makeSession,
  seatsOf,
  sessionNow,
  setSession,
} from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { DAY, instant } from "~/domain/time";
import { layOutOne } from "~/use-cases/series/lay-out.server";

const at = useRoomClock();

type Hut = { id: number; slug: string };
type Session = { id: number };
const close = (by: TestUser, hut: Hut, over: object = {}) =>
  callAs(by, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1, ...over } });
const member = (hut: Hut, { id }: TestUser) =>
  and(eq(schema.hutMembers.hutId, hut.id), eq(schema.hutMembers.userId, id));
const isMember = async (hut: Hut, user: TestUser) =>
  (await db.select().from(schema.hutMembers).where(member(hut, user))).length === 1;
const ahead = (host: TestUser, hut: Hut, over: object = {}) =>
  makeSession(host, { hut_id: hut.id, is_manually_started: 0, started_at: iso(ROOM_NOW + DAY), ...over });
const start = (user: TestUser, { id }: Session) => callAs(user, "POST", `/challenge-events/${id}/start`, {});
const hostOf = async ({ id }: Session) => (await seatsOf(id)).find(({ isHost }) => isHost)?.userId;
const placeOf = async (session: Session) => [
  await hostOf(session),
  (await sessionNow(session.id))?.hutId,
  (await sessionNow(session.id))?.closedAt,
];

/** A hut with a host who has left it: a session ahead, a running one and a series there. */
async function scene() {
  at(ROOM_NOW);
  const [owner, host, guest] = await makeUsers(3, { tokens: 9000 });
  const hut = await makeHut(owner, [host, guest]);
  const open = await ahead(host, hut, { is_free: 1 });
  const running = await makeSession(host, { hut_id: hut.id });
  await start(host, running);
  const series = await makeSeries(host, {}, { hut_id: hut.id });
  await db.delete(schema.hutMembers).where(member(hut, host));
  return { owner, host, guest, hut, open, running, series };
}

keepBystanders();

test("R-87 the owner takes over the sessions and series of hosts outside, and pays for seats of sessions ahead", async () => {
  const { owner, host, guest, hut, open, running, series } = await scene();
  const elsewhere = await makeHut(guest, [host]);
  const other = {
    open: await ahead(host, elsewhere),
    series: await makeSeries(host, {}, { hut_id: elsewhere.id }),
  };
  const laid = (await sessionsOf(series)).filter(({ closedAt }) => closedAt === null);
  const [before, hosts] = [await balanceOf(owner), await balanceOf(host)];
  for (const _ of [1, 2]) expect((await close(owner, hut, { take_over: 1 })).status).toBe(200);
  for (const session of [open, running, ...laid])
    expect(await placeOf(session)).toEqual([owner.id, hut.id, null]);
  expect(await seriesNow(series)).toMatchObject({
    ownerId: owner.id,
    hutId: hut.id,
    endedAt: null,
    isPrivate: true,
  });
  // The host before loses the seats that have not begun, with their tokens, and keeps the other.
  const seats = async (session: Session) =>
    (await seatsOf(session.id)).map(({ userId, role }) => [userId, role]).sort();
  for (const session of [open, ...laid]) expect(await seats(session)).toEqual([[owner.id, 1]]);
  const both = [owner, host].map(({ id }) => [id, 1]);
  expect(await seats(running)).toEqual(both.sort());
  for (const { id } of [open, running, ...laid])
    expect((await sessionNow(id))?.participantsCount).toBe((await seatsOf(id)).length);
  expect((await sessionNow(open.id))?.isFree).toBe(false);
  const paid = 100 * (1 + laid.length);
  expect([await balanceOf(owner), await balanceOf(host)]).toEqual([before - paid, hosts + paid]);
  expect(await sentencesOf(host, "hut-private")).toEqual([
    "The hut Hut is for members now. Its owner hosts your sessions and series there. Your places in sessions that have not begun ended. Your tokens were returned.",
  ]);
  expect(await sentencesOf(owner, "host-given")).toEqual([]);
  expect((await callAs(owner, "POST", `/challenge-events/${running.id}/end`, {})).status).toBe(200);
  // The host's things elsewhere are as they were.
  expect(await placeOf(other.open)).toEqual([host.id, elsewhere.id, null]);
  expect(await seriesNow(other.series)).toMatchObject({ ownerId: host.id, hutId: elsewhere.id });
  // a row for the series, though the change was sent twice.
  const acts = await db.select().from(schema.audit).where(eq(schema.audit.action, "series-host-changed"));
  expect(acts).toMatchObject([
    {
      actorId: owner.id,
      targetKind: "series",
      targetId: String(series),
      userId: owner.id,
      previous: host.username,
    },
  ]);
});

test("R-87 R-55 B-07 joining a series that the owner takes over is not free any more, on later dates either", async () => {
  const [owner, host, guest] = await makeUsers(3, { tokens: 9000 });
  const [hut, elsewhere] = [await makeHut(owner, [host, guest]), await makeHut(guest, [host])];
  const taken = await makeSeries(host, {}, { hut_id: hut.id, is_free: 1 });
  const other = await makeSeries(host, {}, { hut_id: elsewhere.id, is_free: 1 });
  await db.delete(schema.hutMembers).where(member(hut, host));
  for (const id of [taken, other]) expect((await stand(guest, id)).status).toBe(200);
  expect((await close(owner, hut, { take_over: 1 })).status).toBe(200);
  const before = await balanceOf(owner);
  at(ROOM_NOW + 8 * DAY);
  const night = await testApp({ now: instant(ROOM_NOW + 8 * DAY) });
  for (const id of [taken, other]) expect(await layOutOne(night, id)).toEqual({ created: 1, failed: 0 });
  const lastOf = async (id: number) => {
    const date = (await sessionsOf(id)).at(-1);
    const seat = (await seatsOf(date?.id ?? 0)).find(({ userId }) => userId === guest.id);
    return [date?.ownerId, date?.isFree, seat?.paidBy];
  };
  expect(await lastOf(taken)).toEqual([owner.id, false, guest.id]);
  expect(await balanceOf(owner)).toBe(before - 100);
  expect(await lastOf(other)).toEqual([host.id, true, host.id]);
});

test("R-87 without a take-over the sessions and series of a host outside leave the hut, private to their seats", async () => {
  const { owner, host, hut, open, running, series } = await scene();
  expect((await close(owner, hut)).status).toBe(200);
  for (const session of [open, running]) {
    expect(await placeOf(session)).toEqual([host.id, null, null]);
    expect((await sessionNow(session.id))?.isPrivate).toBe(true);
  }
  expect(await seriesNow(series)).toMatchObject({ ownerId: host.id, hutId: null, isPrivate: true });
});

test("R-87 an owner with a seat pays none for a session that they take over, and full ones go on", async () => {
  const { owner, host, guest, hut, open, series } = await scene();
  await callAs(host, "DELETE", `/api/series/${series}`);
  const full = await ahead(guest, hut, { participant_limit: 2 });
  const running = await makeSession(guest, { hut_id: hut.id, participant_limit: 2 });
  await db.delete(schema.hutMembers).where(member(hut, guest));
  await join(owner, open.id);
  for (const { id } of [full, running]) expect((await join(host, id)).status).toBe(200);
  expect((await callAs(owner, "POST", `/challenge-events/${full.id}/wait`, {})).body.position).toBe(1);
  await start(guest, running);
  const before = await balanceOf(owner);
  expect((await close(owner, hut, { take_over: 1 })).status).toBe(200);
  for (const session of [open, full, running])
    expect(await placeOf(session)).toEqual([owner.id, hut.id, null]);
  expect(await balanceOf(owner)).toBe(before - 100);
  expect(await db.select().from(schema.waiters).where(eq(schema.waiters.userId, owner.id))).toEqual([]);
  expect(await sessionNow(full.id)).toMatchObject({ participantsCount: 1, participantLimit: 2 });
  // Nobody loses a seat of a running session.
  expect(await sessionNow(running.id)).toMatchObject({ participantsCount: 3, participantLimit: 3 });
});

test("R-87 R-88 nobody takes over the sessions of a person with a block between them", async () => {
  const { owner, host, guest, hut, open, running, series } = await scene();
  const theirs = await ahead(guest, hut);
  await db.delete(schema.hutMembers).where(member(hut, guest));
  await callAs(host, "PUT", `/api/blocks/${owner.username}`);
  const laid = await sessionsOf(series);
  expect((await close(owner, hut, { take_over: 1 })).status).toBe(200);
  expect(await seriesNow(series)).toMatchObject({ ownerId: host.id, hutId: null });
  for (const session of laid.filter(({ closedAt }) => closedAt === null))
    expect(await hostOf(session)).toBe(host.id);
  expect(await hostOf(theirs)).toBe(owner.id);
  // R-88 asks only for a block with the owner of a series.
  expect([await hostOf(open), await hostOf(running)]).toEqual([owner.id, owner.id]);
});

test("R-87 R-88 an owner whom a session keeps out does not take it over", async () => {
  const { owner, host, hut, open, running } = await scene();
  await join(owner, open.id);
  await callAs(host, "DELETE", `/challenge-events/${open.id}/participants/${owner.username}`, {
    keep_out: 1,
  });
  const before = await seatsOf(open.id);
  expect((await close(owner, hut, { take_over: 1 })).status).toBe(200);
  expect(await placeOf(open)).toEqual([host.id, null, null]);
  expect((await seatsOf(open.id)).length).toBe(before.length);
  expect(await hostOf(running)).toBe(owner.id);
});

test("R-87 members whom the form makes keep their sessions, and a banned host's are taken over", async () => {
  const { owner, host, guest, hut, open, running, series } = await scene();
  const theirs = await makeSession(guest, { hut_id: hut.id });
  await start(guest, theirs);
  await db.delete(schema.hutMembers).where(member(hut, guest));
  await db.insert(schema.sanctions).values({
    userId: guest.id,
    kind: "ban",
    scope: "hut",
    targetId: hut.id,
    createdBy: owner.id,
    createdAt: ROOM_NOW,
  } as never);
  expect((await close(owner, hut, { admit_outsiders: 1, take_over: 1 })).status).toBe(200);
  expect([await isMember(hut, host), await isMember(hut, guest)]).toEqual([true, false]);
  for (const session of [open, running]) expect(await placeOf(session)).toEqual([host.id, hut.id, null]);
  expect((await seriesNow(series))?.ownerId).toBe(host.id);
  expect(await placeOf(theirs)).toEqual([owner.id, hut.id, null]);
  expect(await sentencesOf(host, "hut-private")).toEqual([]);
});

test("R-87 H-26 a guest does not become a member with the people outside, and loses the seat of a session ahead", async () => {
  at(ROOM_NOW);
  const [owner, outsider] = await makeUsers(2, { tokens: 9000 });
  const hut = await makeHut(owner);
  const [open, running] = [await ahead(owner, hut), await makeSession(owner, { hut_id: hut.id })];
  for (const { id } of [open, running]) {
    await join(outsider, id);
    await setSession(id, { guestLimit: 3 });
  }
  await start(owner, running);
  const before = await balanceOf(owner);
  const [ada, bo] = [await seated(open.path, "Ada"), await seated(running.path, "Bo")];
  const page = await visit(owner, `/groups/${hut.slug}/update`);
  const told = (await page.texts("main")).join();
  expect(told).toContain("3 people outside this hut have seats");
  expect(told).toContain("2 of them are guests, who cannot become members.");
  expect((await close(owner, hut, { admit_outsiders: 1 })).status).toBe(200);
  expect([await isMember(hut, outsider), await isMember(hut, ada), await isMember(hut, bo)]).toEqual([
    true,
    false,
    false,
  ]);
  const [row] = await db.select().from(schema.huts).where(eq(schema.huts.id, hut.id));
  expect(row?.userCount).toBe(
    (await db.select().from(schema.hutMembers)).filter((one) => one.hutId === hut.id).length,
  );
  const peopleIn = async ({ id }: Session) => (await seatsOf(id)).map(({ userId }) => userId).sort();
  expect(await peopleIn(open)).toEqual([owner.id, outsider.id].sort());
  expect(await peopleIn(running)).toEqual([owner.id, outsider.id, bo.id].sort());
  // Ada's token has come back, and Bo's seat lasts to the end.
  expect(await balanceOf(owner)).toBe(before - 100);
});

test("R-87 H-26 the form names guests who are the only people outside, and offers no membership", async () => {
  at(ROOM_NOW);
  const owner = await makeUser({ tokens: 9000 });
  const hut = await makeHut(owner);
  const open = await ahead(owner, hut);
  await setSession(open.id, { guestLimit: 3 });
  await seated(open.path, "Ada");
  const page = await visit(owner, `/groups/${hut.slug}/update`);
  const told = (await page.texts("main")).join();
  expect(told).toContain("1 person outside this hut has seats");
  expect(told).toContain("1 of them is a guest, who cannot become a member.");
  expect(page.html).not.toContain("admitsOutsiders");
});

test("R-87 a take-over by a super admin is FORBIDDEN, and changes nothing", async () => {
  const { host, hut, open } = await scene();
  expect((await close(await makeUser({ roleId: 10 }), hut, { take_over: 1 })).status).toBe(403);
  expect(await placeOf(open)).toEqual([host.id, hut.id, null]);
});

test("R-87 B-07 without tokens for the seats a take-over changes nothing", async () => {
  const { owner, host, hut, open, running, series } = await scene();
  await db.update(schema.tokenLots).set({ remaining: 0 }).where(eq(schema.tokenLots.userId, owner.id));
  expect((await close(owner, hut, { take_over: 1 })).body.error_code).toBe("INSUFFICIENT_TOKENS");
  for (const session of [open, running]) expect(await placeOf(session)).toEqual([host.id, hut.id, null]);
  expect(await seriesNow(series)).toMatchObject({ ownerId: host.id, hutId: hut.id, isPrivate: false });
});

test("R-87 more sessions than one take-over takes are a CONFLICT, and change nothing", async () => {
  const { owner, host, hut, open } = await scene();
  const [row] = await db.select().from(schema.sessions).where(eq(schema.sessions.id, open.id));
  const [seat] = await seatsOf(open.id);
  for (let n = 0; n < 50; n++) {
    const { id: _, ...copy } = { ...row, slug: `${row?.slug}-${n}` };
    const [made] = await db
      .insert(schema.sessions)
      .values(copy as never)
      .returning();
    await db
      .insert(schema.participants)
      .values({ ...seat, sessionId: made?.id, seat: `copy:${made?.id}` } as never);
  }
  expect((await close(owner, hut, { take_over: 1 })).status).toBe(409);
  expect(await placeOf(open)).toEqual([host.id, hut.id, null]);
});

test("R-87 the hut's form says what hosts outside have, and its post without JavaScript takes it over", async () => {
  const { owner, host, hut, open, running, series } = await scene();
  const path = `/groups/${hut.slug}/update`;
  const laid = (await sessionsOf(series)).filter(({ closedAt }) => closedAt === null).length;
  const boxes = async (user: TestUser) =>
    (await (await visit(user, path)).all("input[type=checkbox]")).map(({ attributes }) => attributes.name);
  expect(await boxes(owner)).toEqual(["isPrivate", "admitsOutsiders", "takesOver"]);
  expect(await boxes(await makeUser({ roleId: 10 }))).toEqual(["isPrivate", "admitsOutsiders"]);
  const page = await (await visit(owner, path)).texts("main");
  expect(page.join()).toContain(
    `1 person outside this hut has seats or places in its sessions. If it becomes private, they lose those of sessions that have not begun, and their tokens are returned. ${2 + laid} sessions and 1 series of theirs leave the hut, and open only to people with a seat, unless you take them over.`,
  );
  const form = { intent: "update", title: "Hut", content: "", isPrivate: "on", takesOver: "on" };
  expect((await post(owner, path, form)).location).toBe(`/group/${hut.slug}`);
  for (const session of [open, running]) expect(await hostOf(session)).toBe(owner.id);
  // With people outside, and without a host among them.
  const [other, guest] = await makeUsers(2, { tokens: 9000 });
  const second = await makeHut(other);
  await join(guest, (await ahead(other, second)).id);
  const names = await (await visit(other, `/groups/${second.slug}/update`)).all("input[type=checkbox]");
  expect(names.map(({ attributes }) => attributes.name)).toEqual(["isPrivate", "admitsOutsiders"]);
  // With nobody outside.
  const third = await makeHut(host);
  const alone = await (await visit(host, `/groups/${third.slug}/update`)).all("input[type=checkbox]");
  expect(alone.map(({ attributes }) => attributes.name)).toEqual(["isPrivate"]);
});

test("C-78 C-55 R-56 R-87 a person who sees a running session only by the seat leaves it, and its room", async () => {
  const { owner, host, guest, hut, running } = await scene();
  const own = await makeSession(owner, { hut_id: hut.id });
  await start(owner, own);
  for (const session of [running, own]) await join(guest, session.id);
  await join(owner, running.id);
  expect((await close(owner, hut)).status).toBe(200);
  await callAs(guest, "DELETE", `/groups/${hut.slug}/leave`);
  const rosterOf = async ({ id }: Session) =>
    (await (await appOf(owner)).rooms.of(id).view())?.state.participants.map(({ userId }) => userId).sort();
  expect([await rosterOf(running), await rosterOf(own)]).toEqual([
    [owner.id, host.id, guest.id],
    [owner.id, guest.id],
  ]);
  const left = await callAs(guest, "POST", `/api/challenge-events/${running.id}/leave`, {});
  expect(left.status).toBe(200);
  const page = await post(guest, `/sessions/${own.id}`, { intent: "leave" });
  expect([page.status, page.location]).toEqual([302, "/my/sessions"]);
  await expect
    .poll(async () => [await rosterOf(running), await rosterOf(own)])
    .toEqual([[owner.id, host.id], [owner.id]]);
  expect((await seatsOf(running.id)).map(({ userId }) => userId).sort()).toEqual([owner.id, host.id]);
  expect((await callAs(guest, "GET", `/api/sessions/${running.id}`)).status).toBe(404);
});

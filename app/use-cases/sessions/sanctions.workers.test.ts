// Muting, removing and banning, through HTTP, the record and the room.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import {
  joinRoom,
  type Line,
  openLine,
  partsOf,
  ROOM_NOW,
  runningRoom,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import { balanceOf, join, makeHut, makeSession, sayIn, seatsOf, sessionNow } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { isAppError } from "~/domain/errors";
import type { MuteOrder } from "~/domain/safety/sanctions";
import { MINUTE } from "~/domain/time";
import { joinSession, leaveSession } from "./people.server";
import { banFromSession, liftSessionBan } from "./sanctions.server";
import { waitForSeat } from "./waiting.server";

const at = useRoomClock();

const seatPath = (id: number, { username }: TestUser) => `/challenge-events/${id}/participants/${username}`;
const mute = (by: TestUser, id: number, whom: TestUser, order: MuteOrder) =>
  callAs(by, "PATCH", seatPath(id, whom), { mute: order });
const keepOut = (by: TestUser, id: number, whom: TestUser, reason?: string) =>
  callAs(by, "DELETE", seatPath(id, whom), { keep_out: 1, reason });
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
/** The mutes and lines that a socket has heard, in sequence. */
const typesOf = (line: Line) =>
  line.heard.map(({ type }) => type).filter((type) => type === "mutes" || type === "message");
const heardMute = (line: Line, username: string) =>
  line.expect("mutes", ({ mutes }) => mutes.some((one) => one.username === username));

keepBystanders();

test("Q-13 a muted participant cannot chat, post or contribute until the mute ends, and no alarm is set for it", async () => {
  const [host, guest] = await makeUsers(2);
  const open = partsOf(3600);
  const schedule = {
    groups: open.groups.map((group) => ({
      ...group,
      parts: group.parts.map((part) => ({ ...part, mayContribute: true, mayEditContent: true })),
    })),
  };
  const { id } = await runningRoom([host, guest], schedule, 3600);
  const slug = (await sessionNow(id))?.slug ?? "";
  const post = () => callAs(guest, "POST", `/challenges/${slug}/posts`, { item: { content: "Hello" } });
  const contribute = () =>
    callAs(guest, "PUT", `/challenges/${slug}/contribute-content`, { contribution: "More" });
  const alarm = () => runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm());
  expect((await sayIn(guest, id)).status).toBe(201);
  const before = await alarm();
  const contributed = await contribute();
  expect((await mute(host, id, guest, 300)).status).toBe(200);
  const sentence = `You are muted until ${clock(ROOM_NOW + 5 * MINUTE)}.`;
  for (const refused of [await sayIn(guest, id), await post(), await contribute()])
    expect([refused.status, refused.body.error_code, refused.body.error]).toEqual([
      403,
      "FORBIDDEN",
      sentence,
    ]);
  expect((await sayIn(host, id)).status).toBe(201);
  expect(await alarm()).toBe(before);
  at(ROOM_NOW + 5 * MINUTE - 1);
  expect((await sayIn(guest, id)).status).toBe(403);
  at(ROOM_NOW + 5 * MINUTE);
  expect((await sayIn(guest, id)).status).toBe(201);
  expect((await post()).status).toBe(201);
  expect((await contribute()).status).toBe(contributed.status);
});

test("Q-13 a mute of the whole session has no end, and 0 lifts it", async () => {
  const [host, admin, guest] = await makeUsers(3);
  const { id } = await runningRoom([host, admin, guest], partsOf(3600), 3600);
  await callAs(host, "PATCH", seatPath(id, admin), { role: 1 });
  expect((await mute(admin, id, guest, 1)).status).toBe(200);
  at(ROOM_NOW + 50 * MINUTE);
  expect((await sayIn(guest, id)).body.error).toBe("You are muted until the end of this session.");
  expect((await dataOf(guest, `/api/sessions/${id}`)).session.me).toMatchObject({
    is_muted: 1,
    muted_until: null,
    may_chat: 0,
    may_post: 0,
  });
  expect((await mute(host, id, guest, 0)).status).toBe(200);
  expect((await sayIn(guest, id)).status).toBe(201);
  expect((await callAs(host, "PATCH", seatPath(id, guest), { mute: 7 })).body.error_code).toBe("INVALID");
});

test("A-06 Q-13 Q-14 the page of people offers the host to remove each other person, and an admin nobody", async () => {
  const [host, admin, guest] = await makeUsers(3);
  const { id } = await runningRoom([host, admin, guest], partsOf(3600), 3600);
  await callAs(host, "PATCH", seatPath(id, admin), { role: 1 });
  /** The people whom this page offers to remove. */
  const removable = async (user: TestUser) =>
    (await (await visit(user, `/sessions/${id}/people`)).texts('ul[aria-label="Participants"] summary'))
      .filter((text) => text.startsWith("Remove "))
      .sort();
  expect(await removable(host)).toEqual([`Remove ${admin.username}`, `Remove ${guest.username}`].sort());
  expect(await removable(admin)).toEqual([]);
  /** The people for whose mute it asks a time; for a muted one it offers the end. */
  const mutable = async () =>
    (await (await visit(admin, `/sessions/${id}/people`)).all('ul[aria-label="Participants"] select')).map(
      ({ attributes }) => attributes["aria-label"],
    );
  expect(await mutable()).toEqual([`How long to mute ${guest.username}`]);
  await mute(host, id, guest, 300);
  expect(await mutable()).toEqual([]);
});

test("Q-13 a mute and its end reach twelve open sockets before the next line and survive a restart of the room", async () => {
  const [host, guest, other] = await makeUsers(3);
  const { id } = await runningRoom([host, guest, other], partsOf(3600), 3600);
  const lines = await Promise.all(Array.from({ length: 12 }, () => joinRoom(guest, id)));
  const outsider = await joinRoom(other, id);
  const keeper = await joinRoom(host, id);
  await mute(host, id, guest, 300);
  await sayIn(host, id);
  for (const line of lines) {
    await line.expect("message");
    expect(typesOf(line)).toEqual(["mutes", "message"]);
    expect((await heardMute(line, guest.username)).mutes).toEqual([
      { username: guest.username, until: new Date(ROOM_NOW + 5 * MINUTE).toISOString() },
    ]);
  }
  await heardMute(keeper, guest.username);
  // Every listener received the change at once, and outsiders received no name.
  expect(JSON.stringify(outsider.heard)).not.toContain("until");
  await evictDurableObject(stubOf(id));
  expect((await sayIn(guest, id)).body.error).toBe(`You are muted until ${clock(ROOM_NOW + 5 * MINUTE)}.`);
  const back = await joinRoom(guest, id);
  expect((await back.expect("welcome")).mutes).toHaveLength(1);
  await mute(host, id, guest, 0);
  await sayIn(host, id);
  await back.expect("message");
  expect(typesOf(back)).toEqual(["mutes", "message"]);
  await back.expect("mutes", ({ mutes }) => mutes.length === 0);
});

test("Q-17 nobody sanctions themselves, a super admin or a person above them", async () => {
  const [host, admin, guest] = await makeUsers(3);
  const root = await makeUser({ roleId: 10 });
  const { id } = await runningRoom([host, admin, guest, root], partsOf(3600), 3600);
  await callAs(host, "PATCH", seatPath(id, admin), { role: 1 });
  const cases: [TestUser, TestUser, number][] = [
    [guest, admin, 403],
    [guest, guest, 403],
    [admin, host, 403],
    [admin, admin, 403],
    [admin, root, 403],
    [host, root, 403],
    [host, host, 403],
    [root, root, 403],
    [admin, guest, 200],
    [host, admin, 200],
    [root, host, 200],
  ];
  for (const [by, whom, status] of cases) expect((await mute(by, id, whom, 300)).status).toBe(status);
  expect((await keepOut(host, id, root)).status).toBe(403);
  expect((await keepOut(admin, id, guest)).status).toBe(403);
  expect((await keepOut(host, id, host)).status).toBe(403);
  expect((await seatsOf(id)).length).toBe(4);
});

test("Q-14 a ban refunds the join before the start, closes the sockets and refuses id, slug, code and a second tab", async () => {
  const [host, guest] = await makeUsers(2);
  const session = await makeSession(host, { join_code: "sesame" });
  const before = await balanceOf(guest);
  await join(guest, session.id, "sesame");
  expect(await balanceOf(guest)).toBe(before - 100);
  const tabs = [await joinRoom(guest, session.id), await joinRoom(guest, session.id)];
  expect((await keepOut(host, session.id, guest, "Insults")).status).toBe(204);
  for (const tab of tabs) expect((await tab.closed).code).toBe(4403);
  expect(await balanceOf(guest)).toBe(before);
  const sentence = "The host has closed this session to you. Reason: Insults.";
  for (const refused of [
    await join(guest, session.id, "sesame"),
    await join(guest, session.id, "wrong"),
    await callAs(guest, "POST", `/challenges/${session.slug}/join?join_code=sesame`, {}),
    await callAs(guest, "POST", `/challenge-events/${session.id}/wait`, { join_code: "sesame" }),
  ])
    expect([refused.status, refused.body.error]).toEqual([403, sentence]);
  await expect(openLine(guest, session.id).then((line) => line.closed)).resolves.toEqual({ code: 4403 });
  const tab = await visit(guest, `/sessions/${session.id}`);
  expect(tab.html).toContain(sentence);
  expect(await tab.all('form input[value="join"]')).toEqual([]);
  expect((await seatsOf(session.id)).map(({ userId }) => userId)).toEqual([host.id]);
  expect((await sessionNow(session.id))?.participantsCount).toBe(1);
  expect((await join(guest, (await makeSession(host)).id)).status).toBe(200);
});

test("Q-14 without keep_out a removed person may join again", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await makeSession(host);
  await join(guest, id);
  expect((await callAs(host, "DELETE", seatPath(id, guest))).status).toBe(204);
  expect((await join(guest, id)).status).toBe(200);
});

test("Q-14 Q-29 a removal ends the mute that its Undo needed, and its reason is in the audit", async () => {
  const [host, guest, kept] = await makeUsers(3);
  const { id } = await runningRoom([host, guest, kept], partsOf(3600), 3600);
  const actsOn = async ({ id: userId }: TestUser) =>
    (await db.select().from(schema.audit).where(eq(schema.audit.userId, userId))).map((act) => [
      act.action,
      act.reason,
    ]);
  for (const [whom, body] of [
    [guest, { unmute: 1, reason: "Too loud" }],
    [kept, { unmute: 1, keep_out: 1, reason: "Too loud" }],
  ] as const) {
    await mute(host, id, whom, 1);
    expect((await callAs(host, "DELETE", seatPath(id, whom), body)).status).toBe(204);
  }
  await callAs(host, "DELETE", `/challenge-events/${id}/bans/${kept.username}`);
  for (const whom of [guest, kept]) {
    await join(whom, id);
    expect((await sayIn(whom, id)).status).toBe(201);
  }
  expect(await actsOn(guest)).toEqual([
    ["muted", ""],
    ["participant-removed", "Too loud"],
    ["mute-lifted", ""],
  ]);
  expect(await actsOn(kept)).toEqual([
    ["muted", ""],
    ["banned", "Too loud"],
    ["mute-lifted", ""],
    ["ban-lifted", ""],
  ]);
});

test("Q-13 Q-14 a removal leaves a mute that the host chose before", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await runningRoom([host, guest], partsOf(3600), 3600);
  await mute(host, id, guest, 1);
  await callAs(host, "DELETE", seatPath(id, guest), {});
  await join(guest, id);
  expect((await sayIn(guest, id)).status).toBe(403);
});

test("Q-13 Q-16 a mute of the whole session ends with it, in the forum and for the last lines, and a hut's goes on", async () => {
  const [host, guest, muted] = await makeUsers(3);
  const { id, room } = await runningRoom([host, guest, muted], partsOf(600), 600);
  const hut = await makeHut(host, [guest, muted]);
  await db.update(schema.sessions).set({ hutId: hut.id }).where(eq(schema.sessions.id, id));
  const lines = new Map<TestUser, number>();
  for (const whom of [guest, muted]) {
    lines.set(whom, (await sayIn(whom, id)).body.message.seq);
    await mute(host, id, whom, 1);
  }
  await callAs(host, "PATCH", `/groups/${hut.slug}/members/${muted.username}`, { mute: 1 });
  const slug = (await sessionNow(id))?.slug ?? "";
  const edit = (by: TestUser) =>
    callAs(by, "PATCH", `/api/sessions/${id}/messages/${lines.get(by)}`, { content: "Said better" });
  const postAs = (by: TestUser) =>
    callAs(by, "POST", `/challenges/${slug}/posts`, { item: { content: "Hello" } });
  expect([(await edit(guest)).status, (await postAs(guest)).status]).toEqual([403, 403]);
  expect((await callAs(host, "POST", `/challenge-events/${id}/end`, {})).status).toBeLessThan(300);
  expect([(await edit(guest)).status, (await edit(muted)).status]).toEqual([200, 403]);
  expect([(await postAs(guest)).status, (await postAs(muted)).status]).toEqual([201, 403]);
  await room.refresh();
  expect([(await edit(guest)).status, (await edit(muted)).status]).toEqual([200, 403]);
});

test("Q-13 Q-16 after the end a hut's mute holds until its time, also for those whom the host had muted, in either order", async () => {
  const [host, early, late] = await makeUsers(3);
  const { id } = await runningRoom([host, early, late], partsOf(600), 600);
  const hut = await makeHut(host, [early, late]);
  await db.update(schema.sessions).set({ hutId: hut.id }).where(eq(schema.sessions.id, id));
  const lines = new Map<TestUser, number>();
  for (const whom of [early, late]) lines.set(whom, (await sayIn(whom, id)).body.message.seq);
  const muteInHut = (whom: TestUser) =>
    callAs(host, "PATCH", `/groups/${hut.slug}/members/${whom.username}`, { mute: 300 });
  const acts = [
    () => muteInHut(early),
    () => mute(host, id, early, 1),
    () => mute(host, id, late, 1),
    () => muteInHut(late),
  ];
  for (const act of acts) expect((await act()).status).toBe(200);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  const edit = (by: TestUser) =>
    callAs(by, "PATCH", `/api/sessions/${id}/messages/${lines.get(by)}`, { content: "Said better" });
  const until = `You are muted until ${clock(ROOM_NOW + 5 * MINUTE)}.`;
  for (const whom of [early, late]) expect((await edit(whom)).body.error).toBe(until);
  expect((await dataOf(host, `/api/sessions/${id}`)).session.mutes).toHaveLength(2);
  at(ROOM_NOW + 5 * MINUTE - 1);
  for (const whom of [early, late]) expect((await edit(whom)).body.error).toBe(until);
});

test("Q-13 Q-18 a mute that ended with its session is in force on no page", async () => {
  const [host, guest] = await makeUsers(2);
  const root = await makeUser({ roleId: 10 });
  const { id } = await runningRoom([host, guest], partsOf(600), 600);
  await mute(host, id, guest, 1);
  const shown = async () => {
    const account = await visit(root, `/admin/users/${guest.username}`);
    const people = await visit(host, `/sessions/${id}/people`);
    return [
      (await account.texts("main li"))
        .filter((text) => text.includes("Muted"))
        .map((text) => text.includes("In force")),
      people.html.includes("Muted for this session"),
      (await dataOf(host, `/api/sessions/${id}`)).session.mutes.length,
    ];
  };
  expect(await shown()).toEqual([[true], true, 1]);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  expect(await shown()).toEqual([[false], false, 0]);
});

test("Q-14 a person who left can be banned, and an unknown person is not found", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await makeSession(host);
  expect((await keepOut(host, id, guest)).status).toBe(204);
  expect((await join(guest, id)).status).toBe(403);
  expect(
    (await callAs(host, "DELETE", `/challenge-events/${id}/participants/nobody-at-all`, { keep_out: 1 }))
      .status,
  ).toBe(404);
});

test("Q-15 a ban is lifted, which may be repeated, and the person joins again", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await makeSession(host);
  const lift = (by: TestUser) => callAs(by, "DELETE", `/challenge-events/${id}/bans/${guest.username}`);
  await join(guest, id);
  await keepOut(host, id, guest);
  expect((await lift(guest)).status).toBe(403);
  for (const _ of [1, 2]) expect((await lift(host)).status).toBe(204);
  expect((await join(guest, id)).status).toBe(200);
});

test("Q-15 a deleted session leaves no sanction behind", async () => {
  const [host, guest] = await makeUsers(2);
  const { id, slug } = await makeSession(host);
  await join(guest, id);
  await mute(host, id, guest, 300);
  await keepOut(host, id, guest);
  await callAs(host, "DELETE", `/challenges/${slug}`);
  const left = await db.select().from(schema.sanctions);
  expect(left.filter(({ scope, targetId }) => scope === "session" && targetId === id)).toEqual([]);
});

/** Delays every round trip to the database by a random number of event loop turns. */
function slowly(draw: () => number) {
  const pause = async () => {
    for (let turns = draw(); turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return connect(
    wrappedD1(env.DB, {
      one: async (_, __, ask) => {
        await pause();
        return ask();
      },
      batch: async (_, ask) => {
        await pause();
        return ask();
      },
    }),
  );
}

const slowAppOf = (delays: Iterator<number>) => async (user: TestUser) => ({
  ...(await appOf(user)),
  db: slowly(() => delays.next().value as number),
});
/** Counts refusals; any other error is thrown on. */
function refusing() {
  let refused = 0;
  const isRefused = (error: unknown) => {
    if (!isAppError(error) || error.code === "SERVER_ERROR") throw error;
    refused++;
    return error.code;
  };
  return { isRefused, count: () => refused };
}

test("Q-15 after any interleaving of ban, join and leave the banned person has no seat", async () => {
  const [host, guest] = [await makeUser(), await makeUser({ tokens: 10_000_000 })];
  const session = await makeSession(host);
  const named = { session: session.id, username: guest.username };
  const count = async () => (await sessionNow(session.id))?.participantsCount;
  const { isRefused, count: refusals } = refusing();
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.boolean(),
      fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
      async (hasSeat, isBySlug, delays) => {
        const ref = isBySlug ? { slug: session.slug } : { session: session.id };
        const slow = slowAppOf(delays);
        const before = await balanceOf(guest);
        if (hasSeat) await joinSession(await appOf(guest), ref);
        const goInAndOut = async () => {
          const app = await slow(guest);
          for (const act of hasSeat ? [leaveSession, joinSession] : [joinSession, joinSession])
            await act(app, ref).catch(isRefused);
        };
        const ban = async () => banFromSession(await slow(host), named);
        await Promise.all([goInAndOut(), ban(), goInAndOut()]);
        expect((await seatsOf(session.id)).map(({ userId }) => userId)).toEqual([host.id]);
        expect(await count()).toBe(1);
        expect(await joinSession(await appOf(guest), ref).catch(isRefused)).toBe("FORBIDDEN");
        // A removal refunds the join; leaving does not.
        if (!hasSeat) expect(await balanceOf(guest)).toBe(before);
        await liftSessionBan(await appOf(host), named);
      },
    ),
    { numRuns: runsOf(1000, 25), seed: propertySeed, endOnFailure: true },
  );
  expect(refusals()).toBeGreaterThan(0);
}, 1_800_000);

test("Q-15 after any interleaving of ban, waiting and a freed seat the banned person has neither seat nor place", async () => {
  const [host, guest, seated] = [
    await makeUser(),
    await makeUser({ tokens: 10_000_000 }),
    await makeUser({ tokens: 10_000_000 }),
  ];
  const session = await makeSession(host, { participant_limit: 2 });
  const ref = { session: session.id };
  const { isRefused, count: refusals } = refusing();
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
      async (isWaiting, delays) => {
        const slow = slowAppOf(delays);
        await joinSession(await appOf(seated), ref);
        if (isWaiting) await waitForSeat(await appOf(guest), ref);
        await Promise.all([
          slow(guest).then((app) => waitForSeat(app, ref).catch(isRefused)),
          slow(host).then((app) => banFromSession(app, { ...ref, username: guest.username })),
          slow(seated).then((app) => leaveSession(app, ref)),
        ]);
        expect((await seatsOf(session.id)).map(({ userId }) => userId)).toEqual([host.id]);
        expect((await sessionNow(session.id))?.participantsCount).toBe(1);
        const here = eq(schema.waiters.sessionId, session.id);
        expect(await db.select().from(schema.waiters).where(here)).toEqual([]);
        expect(await waitForSeat(await appOf(guest), ref).catch(isRefused)).toBe("FORBIDDEN");
        await liftSessionBan(await appOf(host), { ...ref, username: guest.username });
      },
    ),
    { numRuns: runsOf(1000, 8), seed: propertySeed, endOnFailure: true },
  );
  expect(refusals()).toBeGreaterThan(0);
}, 1_800_000);

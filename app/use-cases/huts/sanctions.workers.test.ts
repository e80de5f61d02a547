// Mutes and bans in a hut: its forum, its membership and its sessions.
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { connect, schema } from "#db/connect.server";
import { listSeatsInHut } from "#db/queries/safety/sanctions";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { NOON } from "#tests/support/clock";
import { appOf, db, errorCodeOf, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { joinRoom, type Line } from "#tests/support/rooms";
import { makeHut, makeSession, sayIn, seatsOf, sessionNow } from "#tests/support/sessions";
import { post as postForm, visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { MINUTE } from "~/domain/time";
import { banFromHut } from "./sanctions.server";

/** A hut with a moderator and a member, and a session of the owner in it. */
async function scene() {
  const [owner, moderator, member, stranger] = await makeUsers(4);
  const hut = await makeHut(owner, [owner, moderator, member]);
  const change = (by: TestUser, whom: TestUser, body: object) =>
    callAs(by, "PATCH", `/groups/${hut.slug}/members/${whom.username}`, body);
  await change(owner, moderator, { role: 1 });
  const session = await makeSession(owner, { hut_id: hut.id });
  const write = (by: TestUser) =>
    callAs(by, "POST", `/challenges/${hut.slug}/posts`, { item: { content: "Hello" } });
  const join = (by: TestUser) => callAs(by, "POST", `/challenge-events/${session.id}/join`, {});
  const enter = (by: TestUser) => callAs(by, "POST", `/groups/${hut.slug}/join`, {});
  const acts = async (by: TestUser) =>
    (
      await db
        .select()
        .from(schema.audit)
        .where(and(eq(schema.audit.actorId, by.id), eq(schema.audit.targetKind, "hut")))
    ).map(({ action }) => action);
  return { owner, moderator, member, stranger, hut, session, change, write, join, enter, acts };
}

keepBystanders();

test("Q-16 a moderator mutes in the hut's forum and in the sessions of the hut, and lifts it", async () => {
  const { moderator, member, session, hut, change, write, join, acts } = await scene();
  await join(member);
  await makeSession(member);
  await makeSession(moderator, { hut_id: hut.id });
  expect(await listSeatsInHut(db, hut.id, member.id, 10)).toEqual([{ sessionId: session.id }]);
  expect((await write(member)).status).toBe(201);
  for (const _ of [1, 2]) expect((await change(moderator, member, { mute: 1 })).status).toBe(200);
  const refused = await write(member);
  expect([refused.status, refused.body.error]).toEqual([
    403,
    "You are muted in this hut until its owner or a moderator lifts the mute.",
  ]);
  const there = await callAs(member, "POST", `/challenges/${session.slug}/posts`, {
    item: { content: "Hello" },
  });
  expect(there.status).toBe(403);
  expect((await visit(member, `/group/${hut.slug}/forum`)).html).toContain("You are muted in this hut");
  for (const _ of [1, 2]) await change(moderator, member, { mute: 0 });
  expect((await write(member)).status).toBe(201);
  expect(await acts(moderator)).toEqual(["muted", "mute-lifted"]);
});

const LEAVES: Readonly<Record<string, (world: Awaited<ReturnType<typeof scene>>) => Promise<unknown>>> = {
  "deleted public": ({ owner, hut }) => callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug }),
  "deleted private": async ({ owner, hut }) => {
    await callAs(owner, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
    await callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug });
  },
  "public, whose ban releases the session with its host,": ({ owner, moderator, change }) =>
    change(owner, moderator, { ban: 1 }),
};
for (const [name, leave] of Object.entries(LEAVES))
  test(`Q-16 Q-25 a mute in a ${name} hut ends in a running session of it, and not elsewhere`, async () => {
    const world = await scene();
    const { owner, moderator, member, hut, change } = world;
    const elsewhere = await makeHut(owner, [owner, moderator, member]);
    const [here, there] = [
      await makeSession(moderator, { hut_id: hut.id }),
      await makeSession(moderator, { hut_id: elsewhere.id }),
    ];
    for (const { id } of [here, there]) {
      await callAs(member, "POST", `/challenge-events/${id}/join`, {});
      await callAs(moderator, "POST", `/challenge-events/${id}/start`, {});
    }
    const [line, other] = [await joinRoom(member, here.id), await joinRoom(member, there.id)];
    await change(owner, member, { mute: 1 });
    await callAs(owner, "PATCH", `/groups/${elsewhere.slug}/members/${member.username}`, { mute: 1 });
    const said = async () => [
      (await sayIn(member, here.id, "Hello")).status,
      (await sayIn(member, there.id, "Hello")).status,
    ];
    const hears = (of: Line, isMuted: boolean) =>
      of.expect(
        "mutes",
        ({ mutes }) => mutes.some(({ username }) => username === member.username) === isMuted,
      );
    await Promise.all([hears(line, true), hears(other, true)]);
    expect(await said()).toEqual([403, 403]);
    await leave(world);
    await hears(line, false);
    expect(await said()).toEqual([201, 403]);
  });

test("C-06 a new post may have a title, and an answer has none", async () => {
  const { moderator, hut, write } = await scene();
  const titles = async () =>
    (await (await visit(moderator, `/group/${hut.slug}/forum`)).all('form input[name="title"]')).length;
  expect(await titles()).toBe(1);
  await write(moderator);
  expect(await titles()).toBe(1);
});

test("Q-16 a ban ends the membership and refuses the hut, its forum and its sessions, until it is lifted", async () => {
  const { owner, moderator, member, stranger, hut, change, write, join, enter, acts } = await scene();
  for (const _ of [1, 2])
    expect((await change(moderator, member, { ban: 1, reason: "Spam" })).body.member).toMatchObject({
      username: member.username,
      joined_at: null,
    });
  const [row] = await db.select().from(schema.huts).where(eq(schema.huts.id, hut.id));
  expect(row?.userCount).toBe(2);
  const sentence = "The owner or a moderator has closed this hut to you. Reason: Spam.";
  for (const refused of [await enter(member), await join(member), await write(member)])
    expect([refused.status, refused.body.error]).toEqual([403, sentence]);
  expect((await (await scene()).join(member)).status).toBe(200);
  // A person who is no member can be kept out as well.
  await change(owner, stranger, { ban: 1 });
  expect((await enter(stranger)).status).toBe(403);
  for (const _ of [1, 2]) await change(moderator, member, { ban: 0 });
  expect((await enter(member)).status).toBe(200);
  expect((await join(member)).status).toBe(200);
  expect(await acts(moderator)).toEqual(["banned", "ban-lifted"]);
});

test("Q-16 the page of the members mutes, keeps out, newest first, and lets back in without JavaScript", async () => {
  const { owner, member, stranger, hut, change } = await scene();
  const path = `/group/${hut.slug}/members`;
  const { username } = member;
  expect((await postForm(owner, path, { intent: "mute", username, mute: "1" })).status).toBe(302);
  expect((await postForm(owner, path, { intent: "ban", username, reason: "Spam" })).status).toBe(302);
  const kept = async () => (await visit(owner, path)).texts('ul[aria-label="Kept out"] > li');
  vi.setSystemTime(NOON + MINUTE);
  await change(owner, stranger, { ban: 1 });
  expect(await kept()).toEqual([stranger, member].map((one) => expect.stringContaining(one.username)));
  for (const one of [member, stranger])
    expect((await postForm(owner, path, { intent: "let-in", username: one.username })).status).toBe(302);
  expect(await kept()).toEqual([]);
});

test("Q-17 in a hut nobody sanctions themselves, a super admin or a person above them", async () => {
  const { owner, moderator, member, stranger, change } = await scene();
  const root = await makeUser({ roleId: 10 });
  const cases: [TestUser, TestUser, number][] = [
    [stranger, member, 403],
    [member, stranger, 403],
    [moderator, owner, 403],
    [moderator, moderator, 403],
    [moderator, root, 403],
    [owner, root, 403],
    [owner, owner, 403],
    [owner, moderator, 200],
    [root, owner, 200],
  ];
  for (const [by, whom, status] of cases) {
    expect((await change(by, whom, { mute: 300 })).status).toBe(status);
    if (status === 403) expect((await change(by, whom, { ban: 1 })).status).toBe(status);
  }
});

test("Q-16 Q-17 nobody keeps a hut's owner out, and the owner's session stays", async () => {
  const { owner, member, hut, session, change, acts } = await scene();
  const root = await makeUser({ roleId: 10 });
  const refused = await change(root, owner, { ban: 1 });
  const sentence = "The owner of a hut cannot be kept out of it.";
  expect([refused.status, refused.body.message]).toEqual([409, sentence]);
  const form = { intent: "ban", username: owner.username, reason: "" };
  expect((await postForm(root, `/group/${hut.slug}/members`, form)).html).toContain(sentence);
  expect((await sessionNow(session.id))?.closedAt).toBeNull();
  expect(await acts(root)).toEqual([]);
  expect((await change(root, member, { ban: 1 })).status).toBe(200);
  expect(await acts(root)).toEqual(["banned"]);
});

test("Q-16 Q-26 a ban that meets the hand-over of its hut leaves the new owner the sessions", async () => {
  const { moderator, member, hut } = await scene();
  const session = await makeSession(member, { hut_id: hut.id });
  let isHandedOver = false;
  const d1 = wrappedD1(env.DB, {
    one: (_statement, _method, ask) => ask(),
    batch: async (count, ask) => {
      // The reads before the ban are shorter.
      if (count > 3 && !isHandedOver) {
        isHandedOver = true;
        await db.update(schema.huts).set({ ownerId: member.id }).where(eq(schema.huts.id, hut.id));
      }
      return ask();
    },
  });
  const app = { ...(await appOf(moderator)), db: connect(d1) };
  const ban = banFromHut(app, { hut: hut.slug, username: member.username, isBanned: true });
  expect(await errorCodeOf(ban)).toBe("CONFLICT");
  expect(isHandedOver).toBe(true);
  expect((await sessionNow(session.id))?.closedAt).toBeNull();
  expect((await sessionNow(session.id))?.hutId).toBe(hut.id);
  expect((await seatsOf(session.id)).map(({ userId, isHost }) => [userId, isHost])).toEqual([
    [member.id, true],
  ]);
});

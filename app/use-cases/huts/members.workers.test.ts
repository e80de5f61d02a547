// The people of a hut through their calls: moderators, and handing the hut over.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUser, makeUsers, NOW, setUser, type TestUser } from "#tests/support/factories";
import { joinRoom } from "#tests/support/rooms";
import { join, makeHut, makeSession, sayIn } from "#tests/support/sessions";
import { DAY, instant } from "~/domain/time";

const change = (user: TestUser | null, hut: { slug: string }, member: TestUser, body: object) =>
  callAs(user, "PATCH", `/groups/${hut.slug}/members/${member.username}`, body);
const moderatorsOf = ({ id }: { id: number }) =>
  env.DB.prepare("SELECT count(*) FROM hut_members WHERE hut_id = ? AND role = 1").bind(id).first("count(*)");
const ownerOf = ({ id }: { id: number }) =>
  env.DB.prepare("SELECT owner_id FROM huts WHERE id = ?").bind(id).first<number>("owner_id");

keepBystanders();

test("Q-26 only the owner and super admins appoint moderators", async () => {
  const [owner, member, other, outsider] = await makeUsers(4);
  const hut = await makeHut(owner, [owner, member, other]);
  const named = await change(owner, hut, member, { role: 1 });
  expect(named).toMatchObject({
    status: 200,
    body: { member: { username: member.username, role: 1, owner: 0 } },
  });
  expect((await change(owner, hut, member, { role: 1 })).status).toBe(200);
  for (const user of [member, other])
    expect((await change(user, hut, other, { role: 1 })).body.error_code).toBe("FORBIDDEN");
  expect((await change(null, hut, other, { role: 1 })).body.error_code).toBe("UNAUTHENTICATED");
  expect((await change(owner, hut, outsider, { role: 1 })).body.error_code).toBe("NOT_FOUND");
  expect((await change(owner, hut, owner, { role: 1 })).body.error_code).toBe("CONFLICT");
  expect((await change(owner, hut, member, { role: 2 })).body.error_code).toBe("INVALID");
  expect((await change(await makeUser({ roleId: 10 }), hut, member, { role: 0 })).body.member.role).toBe(0);
});

test("Q-26 a hut has at most 20 moderators, even if all are appointed at once", async () => {
  const [owner, ...members] = await makeUsers(26);
  const hut = await makeHut(owner, [owner, ...members]);
  const answers = await Promise.all(members.map((member) => change(owner, hut, member, { role: 1 })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.message);
  expect(new Set(refused)).toEqual(new Set(["A hut has at most 20 moderators."]));
  expect(await moderatorsOf(hut)).toBe(20);
  const moderator = members[answers.findIndex(({ status }) => status === 200)] as TestUser;
  expect((await change(owner, hut, moderator, { role: 0 })).status).toBe(200);
  expect(await moderatorsOf(hut)).toBe(19);
});

test("Q-26 R-88 no hut goes to a person who is leaving or suspended", async () => {
  const [owner, leaving, suspended, other] = await makeUsers(4);
  const hut = await makeHut(owner, [leaving, suspended, other]);
  await setUser(leaving.id, { deletionDueAt: instant(NOW + DAY) });
  await db.insert(schema.sanctions).values({
    userId: suspended.id,
    scope: "site",
    targetId: 0,
    kind: "ban",
    until: null,
    reason: "spam",
    createdAt: NOW,
  });
  for (const to of [leaving, suspended])
    expect((await change(owner, hut, to, { owner: 1 })).body).toMatchObject({
      error_code: "CONFLICT",
      message: "This person cannot own the hut at the moment.",
    });
  expect(await ownerOf(hut)).toBe(owner.id);
  expect((await change(owner, hut, other, { owner: 1 })).status).toBe(200);
});

test("Q-16 Q-26 a change of two of role, mute and ban is INVALID and changes neither", async () => {
  const [owner, member] = await makeUsers(2);
  const hut = await makeHut(owner, [member]);
  for (const body of [
    { role: 1, mute: 300 },
    { ban: 0, mute: 0 },
    { owner: 1, ban: 1 },
  ])
    expect((await change(owner, hut, member, body)).body, JSON.stringify(body)).toMatchObject({
      error_code: "INVALID",
      message: "Please change the role, the mute or the ban, one at a time.",
    });
  expect(await moderatorsOf(hut)).toBe(0);
  expect(await db.select().from(schema.sanctions).where(eq(schema.sanctions.userId, member.id))).toEqual([]);
});

test("Q-26 a hut that is handed over has one owner, and the former owner stays a member", async () => {
  const [owner, heir, other] = await makeUsers(3);
  const hut = await makeHut(owner, [heir, other]);
  expect((await change(heir, hut, heir, { owner: 1 })).body.error_code).toBe("FORBIDDEN");
  expect((await change(owner, hut, heir, { role: 1 })).status).toBe(200);
  // Two tabs hand the hut to two people.
  const answers = await Promise.all([heir, other].map((to) => change(owner, hut, to, { owner: 1 })));
  expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200]);
  const now = await ownerOf(hut);
  const [newOwner, loser] = now === heir.id ? [heir, other] : [other, heir];
  expect(now).toBe(newOwner.id);
  expect(answers[newOwner === heir ? 0 : 1]?.body).toMatchObject({ member: { role: 0, owner: 1 } });
  expect((await change(owner, hut, loser, { owner: 1 })).body.error_code).toBe("FORBIDDEN");
  const { hut: seen } = await dataOf(owner, `/api/group/${hut.slug}`);
  expect(seen).toMatchObject({ is_joined: 1, user_count: 3 });
  expect((await change(newOwner, hut, newOwner, { owner: 0 })).body.error_code).toBe("CONFLICT");
  expect((await change(newOwner, hut, owner, { role: 1 })).status).toBe(200);
});

test("Q-16 Q-26 a muted member who gets the hut may write in it and in its running session, and others stay muted", async () => {
  const [owner, heir, other] = await makeUsers(3);
  const hut = await makeHut(owner, [owner, heir, other]);
  const { id } = await makeSession(owner, { hut_id: hut.id });
  for (const user of [heir, other]) {
    expect((await join(user, id)).status).toBe(200);
    expect((await change(owner, hut, user, { mute: 1 })).status).toBe(200);
  }
  await callAs(owner, "POST", `/challenge-events/${id}/start`, {});
  const write = async (user: TestUser) =>
    (await callAs(user, "POST", `/challenges/${hut.slug}/posts`, { item: { content: "Hello" } })).status;
  const written = async (user: TestUser) => [await write(user), (await sayIn(user, id)).status];
  expect([await written(heir), await written(other)]).toEqual([
    [403, 403],
    [403, 403],
  ]);
  const tab = await joinRoom(heir, id);
  expect((await change(owner, hut, heir, { owner: 1 })).status).toBe(200);
  await tab.expect("mutes", ({ mutes }) => mutes.length === 0);
  expect([await written(heir), await written(other)]).toEqual([
    [201, 201],
    [403, 403],
  ]);
});

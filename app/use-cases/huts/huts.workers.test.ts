// Huts through their calls: permissions, and exact counts under simultaneous requests.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUser, makeUsers, NOW, type TestUser } from "#tests/support/factories";
import { iso, makeSeries, seriesNow } from "#tests/support/series";
import { makeSession, sessionNow } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { DAY } from "~/domain/time";

const makeHut = async (user: TestUser, title: string): Promise<{ id: number; slug: string }> =>
  (await callAs(user, "POST", "/groups/store", { hut: { title } })).body.hut;
const makeActivity = async (user: TestUser, title: string): Promise<{ slug: string }> =>
  (await callAs(user, "POST", "/challenges", { challenge: { title } })).body.challenge;
const membersOf = (id: number) =>
  env.DB.prepare("SELECT count(*) FROM hut_members WHERE hut_id = ?").bind(id).first<number>("count(*)");

keepBystanders();

test("C-89 C-90 S-17 a hundred simultaneous joins and leaves, each sent twice, leave the right members and count", async () => {
  const hut = await makeHut(await makeUser(), "Revolving door");
  const [leaving, coming] = [await makeUsers(50), await makeUsers(50)];
  const join = (user: TestUser) => callAs(user, "POST", `/groups/${hut.slug}/join`, {});
  const leave = (user: TestUser, at: number) =>
    at % 2 === 0
      ? callAs(user, "DELETE", `/groups/${hut.slug}/leave`)
      : callAs(user, "POST", `/groups/${hut.slug}/join`, { leave: 1 });
  const joined = await Promise.all(leaving.flatMap((user) => [join(user), join(user)]));
  expect(joined.every(({ status, body }) => status === 200 && body.hut.is_joined === 1)).toBe(true);
  expect(await membersOf(hut.id)).toBe(51);

  const mixed = await Promise.all([
    ...leaving.flatMap((user, at) => [leave(user, at), leave(user, at)]),
    ...coming.flatMap((user) => [join(user), join(user)]),
  ]);
  expect(new Set(mixed.map(({ status }) => Math.floor(status / 100)))).toEqual(new Set([2]));
  expect(mixed.slice(0, 100).every(({ body }) => body.hut.is_joined === 0)).toBe(true);
  expect(await membersOf(hut.id)).toBe(51);
  const seenBy = async (user: TestUser | null) => (await dataOf(user, `/api/group/${hut.slug}`)).hut;
  expect(await seenBy(null)).toMatchObject({ user_count: 51, is_joined: 0 });
  expect(await seenBy(leaving[0] ?? null)).toMatchObject({ user_count: 51, is_joined: 0 });
  expect(await seenBy(coming[0] ?? null)).toMatchObject({ user_count: 51, is_joined: 1 });
});

test("C-87 C-88 R-22 permissions in a hut: visitor, stranger, member, host, owner, super admin", async () => {
  const [owner, stranger, member, host, admin, maker] = [
    ...(await makeUsers(4)),
    await makeUser({ roleId: 10 }),
    await makeUser(),
  ];
  const { id, slug } = await makeHut(owner, "Rights of way");
  for (const user of [member, host]) await callAs(user, "POST", `/groups/${slug}/join`, {});
  await makeSession(host, { hut_id: id });
  const activity = await makeActivity(maker, "Somebody's walk");
  const attachedTo = async () => (await dataOf(null, `/api/activities/${activity.slug}`)).challenge.hut_slug;
  const update = (user: TestUser | null) =>
    callAs(user, "PATCH", `/groups/${slug}/patch`, { hut: { content: user?.username ?? "" } });
  const attach = (user: TestUser | null) =>
    callAs(user, "PATCH", `/groups/${slug}/${activity.slug}/attach-challenge`, {});
  const detach = (user: TestUser | null) =>
    callAs(user, "PATCH", `/groups/${slug}/${activity.slug}/detach-challenge`, {});

  for (const [user, status, code] of [
    [null, 401, "UNAUTHENTICATED"],
    [stranger, 403, "FORBIDDEN"],
    [member, 403, "FORBIDDEN"],
    [host, 403, "FORBIDDEN"],
  ] as const) {
    expect(await update(user)).toMatchObject({ status, body: { error_code: code } });
    expect(await attach(user)).toMatchObject({ status, body: { error_code: code } });
    expect(await attachedTo()).toBe(null);
  }
  for (const user of [owner, admin]) {
    expect(await update(user)).toMatchObject({ status: 200, body: { hut: { content: user.username } } });
    expect((await attach(user)).status).toBe(200);
    expect(await attachedTo()).toBe(slug);
    for (const [other, status] of [
      [null, 401],
      [stranger, 403],
      [member, 403],
      [host, 403],
      // The activity's owner is no member of the hut.
      [maker, 403],
    ] as const)
      expect((await detach(other)).status).toBe(status);
    expect(await attachedTo()).toBe(slug);
    expect((await detach(user)).status).toBe(200);
    expect(await attachedTo()).toBe(null);
  }
  await callAs(maker, "POST", `/groups/${slug}/join`, {});
  expect((await attach(maker)).status).toBe(200);
  expect((await detach(maker)).status).toBe(200);
  for (const path of [`/groups/${slug}/nothing-like-it`, `/groups/nothing-like-it/${activity.slug}`])
    expect((await callAs(owner, "PATCH", `${path}/attach-challenge`, {})).body.error_code).toBe("NOT_FOUND");
});

test("C-88 Q-16 a member who is muted in a hut attaches no activity to it, and takes theirs out", async () => {
  const [owner, muted, other] = await makeUsers(3);
  const { slug } = await makeHut(owner, "A quiet hut");
  for (const user of [muted, other]) await callAs(user, "POST", `/groups/${slug}/join`, {});
  const [mine, loud] = [await makeActivity(muted, "Quiet walk"), await makeActivity(other, "Loud walk")];
  const act = (user: TestUser, activity: { slug: string }, name: string) =>
    callAs(user, "PATCH", `/groups/${slug}/${activity.slug}/${name}-challenge`, {});
  const hutOf = async () =>
    (await callAs(null, "GET", `/api/activities/${mine.slug}`)).body.serverData.challenge.hut_slug;
  expect((await act(muted, mine, "attach")).status).toBe(200);
  await callAs(owner, "PATCH", `/groups/${slug}/members/${muted.username}`, { mute: 1 });
  expect([(await act(muted, mine, "detach")).status, await hutOf()]).toEqual([200, null]);
  const refused = await act(muted, mine, "attach");
  expect([refused.status, refused.body.error_code, await hutOf()]).toEqual([403, "FORBIDDEN", null]);
  expect((await act(other, loud, "attach")).status).toBe(200);
  await callAs(owner, "PATCH", `/groups/${slug}/members/${muted.username}`, { mute: 0 });
  expect((await act(muted, mine, "attach")).status).toBe(200);
});

/** A private hut with an activity of one of its members, and one of its owner. */
async function privateScene() {
  const [owner, author, mallory] = await makeUsers(3);
  const { body } = await callAs(owner, "POST", "/groups/store", {
    hut: { title: "Behind a hedge", is_private: 1 },
  });
  const hut: { id: number; slug: string } = body.hut;
  await db
    .insert(schema.hutMembers)
    .values([author, mallory].map(({ id: userId }) => ({ hutId: hut.id, userId, joinedAt: NOW })));
  const inHut = async (user: TestUser, title: string): Promise<{ slug: string }> =>
    (await callAs(user, "POST", "/challenges", { challenge: { title, hut_id: hut.id } })).body.challenge;
  const [theirs, beside] = [await inHut(author, "A hidden walk"), await inHut(owner, "A walk beside it")];
  const open = await makeHut(mallory, "Market place");
  return { owner, author, mallory, hut, theirs, beside, open };
}
const move = (user: TestUser, hut: { slug: string }, activity: { slug: string }, name: "attach" | "detach") =>
  callAs(user, "PATCH", `/groups/${hut.slug}/${activity.slug}/${name}-challenge`, {});
const placeOf = async ({ slug }: { slug: string }) => {
  const [row] = await db.select().from(schema.activities).where(eq(schema.activities.slug, slug));
  return [row?.hutId, row?.isPrivate];
};

test("C-88 R-22 Q-27 a private activity is attached elsewhere only by its owner, by call and form", async () => {
  const { author, mallory, hut, theirs, beside, open } = await privateScene();
  const sentence = "Only a member who owns a private activity may attach it to a hut.";
  expect(await move(mallory, open, theirs, "attach")).toMatchObject({
    status: 403,
    body: { error_code: "FORBIDDEN", message: sentence },
  });
  const page = await post(mallory, `/group/${open.slug}/activities`, {
    intent: "attach",
    activity: theirs.slug,
  });
  expect(page.html).toContain(sentence);
  expect((await move(author, open, theirs, "attach")).status).toBe(403);
  expect(await placeOf(theirs)).toEqual([hut.id, true]);

  await callAs(author, "POST", `/groups/${open.slug}/join`, {});
  expect((await move(author, open, theirs, "attach")).status).toBe(200);
  expect(await placeOf(theirs)).toEqual([open.id, false]);
  expect(await placeOf(beside)).toEqual([hut.id, true]);
});

test("C-88 R-87 a follower does not publish an activity whose private hut was deleted", async () => {
  const { owner, author, mallory, hut, theirs, open } = await privateScene();
  expect((await callAs(mallory, "POST", `/challenges/${theirs.slug}/join`, {})).status).toBe(200);
  await callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug });
  expect((await move(mallory, open, theirs, "attach")).status).toBe(403);
  expect(await placeOf(theirs)).toEqual([null, true]);
  const ownHut = await makeHut(author, "Her own");
  expect((await move(author, ownHut, theirs, "attach")).status).toBe(200);
  expect(await placeOf(theirs)).toEqual([ownHut.id, false]);
});

test("C-88 R-22 an activity that the owner of its private hut takes out stays private, and its author publishes it", async () => {
  const { owner, author, hut, theirs, beside } = await privateScene();
  expect((await move(owner, hut, theirs, "detach")).status).toBe(200);
  expect(await placeOf(theirs)).toEqual([null, true]);
  expect((await callAs(null, "GET", `/api/activities/${theirs.slug}`)).status).toBe(404);
  await callAs(author, "PATCH", `/challenges/${theirs.slug}`, { challenge: { is_private: 0 } });
  expect(await placeOf(theirs)).toEqual([null, false]);
  expect(await placeOf(beside)).toEqual([hut.id, true]);
  expect((await move(owner, hut, beside, "detach")).status).toBe(200);
  expect(await placeOf(beside)).toEqual([null, false]);
});

test("C-88 Q-27 the page of a private hut asks its owner for activities of their own, a public one for any", async () => {
  const { owner, mallory, hut, theirs, open } = await privateScene();
  const label = async (user: TestUser, { slug }: { slug: string }) =>
    /Add (?:an activity|one of your activities) to this hut/.exec(
      (await visit(user, `/group/${slug}/activities`)).html,
    )?.[0];
  expect(await label(owner, hut)).toBe("Add one of your activities to this hut");
  expect(await label(mallory, open)).toBe("Add an activity to this hut");
  const { slug } = await makeActivity(mallory, "A walk of a member");
  const refused = await move(owner, hut, { slug }, "attach");
  expect(refused.body.message).toBe("Only a member who owns an activity may attach it to a private hut.");
  expect((await move(mallory, hut, { slug }, "attach")).status).toBe(200);
  expect([await placeOf({ slug }), await placeOf(theirs)]).toEqual([
    [hut.id, true],
    [hut.id, true],
  ]);
});

test("C-16 P-44 a hut has no slug whose Me page would be a call", async () => {
  const owner = await makeUser();
  const { slug } = await makeHut(owner, "Persons");
  expect(slug).toMatch(/^persons-[a-z0-9]{5}$/);
  expect((await callAs(owner, "GET", "/me/persons")).body.persons).toHaveLength(1);
});

test("C-88 detaching an activity that the hut does not contain changes nothing", async () => {
  const owner = await makeUser();
  const [one, two] = [await makeHut(owner, "Hut one"), await makeHut(owner, "Hut two")];
  const { slug } = await makeActivity(owner, "In one");
  await callAs(owner, "PATCH", `/groups/${one.slug}/${slug}/attach-challenge`, {});
  expect((await callAs(owner, "PATCH", `/groups/${two.slug}/${slug}/detach-challenge`, {})).status).toBe(200);
  const { body } = await callAs(null, "GET", `/api/activities/${slug}`);
  expect(body.serverData.challenge.hut_slug).toBe(one.slug);
});

test("Q-25 R-87 a public hut is deleted with a session ahead and a series, which go on beside those of another hut", async () => {
  const owner = await makeUser({ tokens: 3000 });
  const [hut, other] = [await makeHut(owner, "Torn down"), await makeHut(owner, "Next door")];
  const ahead = (hut_id: number) =>
    makeSession(owner, { hut_id, is_manually_started: 0, started_at: iso(Date.now() + DAY) });
  const [session, beside] = [await ahead(hut.id), await ahead(other.id)];
  const series = await makeSeries(owner, {}, { hut_id: hut.id });
  expect((await callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug })).status).toBeLessThan(300);
  expect(await sessionNow(session.id)).toMatchObject({ hutId: null, closedAt: null });
  expect(await seriesNow(series)).toMatchObject({ hutId: null, endedAt: null });
  expect(await sessionNow(beside.id)).toMatchObject({ hutId: other.id, closedAt: null });
});

test("R-59 a title of several lines is stored as one, and invisible characters alone are no title", async () => {
  const owner = await makeUser();
  const hut = await makeHut(owner, "Morning\r\nEND:VCALENDAR\u2028pages \ud83d\u0000");
  const stored = await env.DB.prepare("SELECT title FROM huts WHERE id = ?")
    .bind(hut.id)
    .first<string>("title");
  expect(stored).toBe("Morning END:VCALENDAR pages");
  const refused = await callAs(owner, "POST", "/groups/store", { hut: { title: "\u200b\u3164 \u00ad" } });
  expect(refused.status).toBe(422);
  expect(refused.body.fields.title).toEqual(["Please give the hut a name."]);
});

// Entering and deleting huts: invitations, requests, and the remains of a deleted hut.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import {
  appOf,
  db,
  errorCodeOf,
  makeUser,
  makeUsers,
  type TestUser,
  testApp,
} from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { hashOfName } from "~/domain/name-hash";
import { DAY, instant } from "~/domain/time";
import { confirmInvited, viewConfirmationInvited } from "~/use-cases/confirm-invited.server";
import { viewSessionPeople } from "~/use-cases/sessions/people-page.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import {
  acceptInvitation,
  answerRequest,
  renewInvitation,
  requestEntry,
  viewInvitation,
} from "./entry.server";
import { viewHutMembers } from "./members.server";

const NOW = instant(Date.now());
async function makePrivateHut(owner: TestUser, title = "Hidden"): Promise<{ id: number; slug: string }> {
  const made = await callAs(owner, "POST", "/groups/store", { hut: { title, is_private: 1 } });
  expect(made.status).toBe(201);
  return made.body.hut;
}
const at = (user: TestUser, now = NOW) => appOf(user, now);
const seesHut = async (user: TestUser | null, slug: string) =>
  (await callAs(user, "GET", `/api/group/${slug}`)).status;
const count = (sql: string, ...values: (string | number)[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .first<number>("count(*)");

/** A live confirmation link of the user's present address. */
async function confirmationOf(user: TestUser): Promise<string> {
  const token = newToken();
  const row = {
    tokenHash: await hashToken(token),
    userId: user.id,
    kind: "confirm",
    email: user.email,
  } as const;
  await db.insert(schema.confirmations).values({ ...row, createdAt: NOW, expiresAt: instant(NOW + DAY) });
  return token;
}

const writesToEverybody = keepBystanders();

test("Q-04 Q-28 creating and entering a private hut require a confirmed address", async () => {
  const unconfirmed = await makeUser({ isConfirmed: false });
  const refused = await callAs(unconfirmed, "POST", "/groups/store", { hut: { title: "x", is_private: 1 } });
  expect(refused.body).toMatchObject({
    error_code: "FORBIDDEN",
    message: "Please confirm your email address first.",
  });
  const { hut } = (await callAs(unconfirmed, "POST", "/groups/store", { hut: { title: "Open" } })).body;
  const change = await callAs(unconfirmed, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  expect(change.body.error_code).toBe("FORBIDDEN");
  const app = await at(unconfirmed);
  expect(await errorCodeOf(acceptInvitation(app, { code: "x" }))).toBe("FORBIDDEN");
  expect(await errorCodeOf(requestEntry(app, { slug: "x" }))).toBe("FORBIDDEN");
});

test("Q-28 an invitation opens the hut to its bearer, is stored hashed, and ends when it is renewed", async () => {
  const [owner, guest, late] = await makeUsers(3);
  const hut = await makePrivateHut(owner);
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  const code = url.split("#")[1] ?? "";
  expect(url).toMatch(/\/groups\/invite#[\w-]{40,}$/);
  const kept = JSON.stringify(await env.DB.prepare("SELECT * FROM huts WHERE id = ?").bind(hut.id).first());
  expect(kept).not.toContain(code);
  expect(await seesHut(guest, hut.slug)).toBe(404);
  for (const _ of [1, 2]) expect((await acceptInvitation(await at(guest), { code })).slug).toBe(hut.slug);
  expect(await seesHut(guest, hut.slug)).toBe(200);
  expect(await errorCodeOf(renewInvitation(await at(guest), { hut: hut.slug }))).toBe("FORBIDDEN");
  expect(await errorCodeOf(renewInvitation(await at(late), { hut: hut.slug }))).toBe("NOT_FOUND");
  await renewInvitation(await at(owner), { hut: hut.slug });
  expect(await errorCodeOf(acceptInvitation(await at(late), { code }))).toBe("INVALID");
  // A public hut has no link.
  await callAs(owner, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 0 } });
  expect(await errorCodeOf(renewInvitation(await at(owner), { hut: hut.slug }))).toBe("CONFLICT");
});

const codeOf = (url: string): string => url.split("#")[1] ?? "";

test("R-82 the scene of an invitation names hut, maker, faces without blocks and the next date, and joins nothing", async () => {
  const [owner, near, blocked, guest] = await makeUsers(4);
  const hut = await makePrivateHut(owner, "Lantern Room");
  const bystander = await makePrivateHut(owner, "Another Room");
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  for (const user of [near, blocked]) await acceptInvitation(await at(user), { code: codeOf(url) });
  await callAs(guest, "PUT", `/api/blocks/${blocked.username}`, {});
  const startedAt = instant(NOW + 2 * DAY);
  const dated = { is_manually_started: 0, started_at: new Date(startedAt).toISOString(), hut_id: hut.id };
  await makeSession(owner, { ...dated, title: "Thursday circle" });
  const shown = await viewInvitation(await at(guest), { code: codeOf(url) });
  expect(shown).toEqual({
    title: "Lantern Room",
    summary: "",
    userCount: 3,
    faces: [owner.username, near.username],
    by: owner.username,
    next: { title: "Thursday circle", startedAt },
    isOfSession: false,
    path: null,
    picture: hashOfName(hut.slug),
  });
  const facesSeen = async () =>
    (await viewInvitation(await testApp({ now: NOW }), { code: codeOf(url) })).faces;
  expect(await facesSeen()).toEqual([owner.username, near.username, blocked.username]);
  const { hutMembers } = schema;
  await db
    .update(hutMembers)
    .set({ joinedAt: instant(1) })
    .where(eq(hutMembers.userId, blocked.id));
  expect(await facesSeen()).toEqual([blocked.username, owner.username, near.username]);
  expect((await viewInvitation(await at(near), { code: codeOf(url) })).path).toBe(`/group/${hut.slug}`);
  expect(await seesHut(guest, hut.slug)).toBe(404);
  expect(await seesHut(guest, bystander.slug)).toBe(404);
  expect(await errorCodeOf(viewInvitation(await at(guest), { code: "x".repeat(43) }))).toBe("INVALID");
});

test("R-82 a link to a session in the hut shows that session, and no session of another hut", async () => {
  const [owner, guest] = await makeUsers(2);
  const [hut, other] = [await makePrivateHut(owner), await makePrivateHut(owner, "Other")];
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  const inside = await makeSession(owner, { title: "Inside", hut_id: hut.id });
  const outside = await makeSession(owner, { title: "Outside", hut_id: other.id });
  const scene = async (session: number) => viewInvitation(await at(guest), { code: codeOf(url), session });
  expect(await scene(inside.id)).toMatchObject({ isOfSession: true, next: { title: "Inside" } });
  expect(await scene(outside.id)).toMatchObject({ isOfSession: false, next: null });
});

test("R-82 the people page of a session shows the invitation of its own hut, beside another hut that has one", async () => {
  const owner = await makeUser();
  const huts = [await makePrivateHut(owner), await makePrivateHut(owner, "Other")];
  const links = [];
  for (const { slug } of huts) links.push((await renewInvitation(await at(owner), { hut: slug })).url);
  for (const [n, { id }] of huts.entries()) {
    const session = await makeSession(owner, { hut_id: id });
    const { joinLink } = await viewSessionPeople(await at(owner), { session: session.id });
    expect(joinLink).toMatchObject({ opensTo: "invited" });
    expect(codeOf(joinLink.url)).toBe(codeOf(links[n] ?? ""));
  }
});

test("R-82 owner and moderators see the link again, and nobody else does", async () => {
  const [owner, moderator, member] = await makeUsers(3);
  const hut = await makePrivateHut(owner);
  const read = async (user: TestUser) =>
    (await viewHutMembers(await at(user), { hut: hut.slug, page: 1 })).invitation;
  expect(await read(owner)).toEqual({ link: null, exists: false, by: null });
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  for (const user of [moderator, member]) await acceptInvitation(await at(user), { code: codeOf(url) });
  await callAs(owner, "PATCH", `/groups/${hut.slug}/members/${moderator.username}`, { role: 1 });
  for (const user of [owner, moderator])
    expect(await read(user)).toMatchObject({ link: { url }, exists: true, by: owner.username });
  expect(await errorCodeOf(read(member))).toBe("FORBIDDEN");
  for (const path of [`/group/${hut.slug}`, `/api/group/${hut.slug}`]) {
    const text = JSON.stringify((await callAs(member, "GET", path)).body);
    expect(text).not.toMatch(/invite|sealed/i);
  }
  // A link whose code was not kept can only be renewed.
  await env.DB.prepare("UPDATE huts SET invite_sealed = NULL WHERE id = ?").bind(hut.id).run();
  expect(await read(owner)).toMatchObject({ link: null, exists: true });
});

test("R-82 an unconfirmed account that accepts is led back by its confirmation, which joins nothing", async () => {
  const [owner] = await makeUsers(1);
  const [newcomer, bystander] = [
    await makeUser({ isConfirmed: false }),
    await makeUser({ isConfirmed: false }),
  ];
  const hut = await makePrivateHut(owner, "Waiting Room");
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  expect(await errorCodeOf(acceptInvitation(await at(newcomer), { code: codeOf(url) }))).toBe("FORBIDDEN");
  const confirm = async (user: TestUser, from: TestUser | null) =>
    confirmInvited(from ? await at(from) : await testApp({ now: NOW }), {
      token: await confirmationOf(user),
    });
  // On another device, where nobody is signed in.
  expect(await confirm(newcomer, null)).toEqual({ invitation: { title: "Waiting Room", url } });
  expect(await confirm(bystander, bystander)).toEqual({ invitation: null });
  expect(await seesHut(newcomer, hut.slug)).toBe(404);
  const confirmed = { ...newcomer, isConfirmed: true };
  await acceptInvitation(await at(confirmed), { code: codeOf(url) });
  expect(await count("SELECT count(*) FROM accepted_invitations WHERE user_id = ?", newcomer.id)).toBe(0);
});

test("R-82 the confirmation leads back to the session that the link invited to", async () => {
  const [owner] = await makeUsers(1);
  const newcomer = await makeUser({ isConfirmed: false });
  const hut = await makePrivateHut(owner, "Evening Room");
  const code = codeOf((await renewInvitation(await at(owner), { hut: hut.slug })).url);
  const session = await makeSession(owner, { title: "Inside", hut_id: hut.id });
  const enter = async (fields: Record<string, string>) =>
    (await post(newcomer, "/groups/invite", { intent: "enter", code, ...fields })).status;
  // The invitation that was accepted last counts.
  expect([await enter({}), await enter({ session: String(session.id) })]).toEqual([403, 403]);
  const token = await confirmationOf(newcomer);
  const invited = await confirmInvited(await testApp({ now: NOW }), { token });
  const { joinLink } = await viewSessionPeople(await at(owner), { session: session.id });
  expect(invited).toEqual({ invitation: { title: "Evening Room", url: joinLink.url } });
  expect(joinLink.url).toContain(`?session=${session.id}#`);
  // The page of the used link, on the device where the newcomer is signed in.
  const page = await viewConfirmationInvited(await at(newcomer), { token });
  expect(page.invitation).toEqual(invited.invitation);
});

test("R-82 a used link leads its reader to the invitation, and nobody else", async () => {
  const [owner, bystander] = await makeUsers(2);
  const newcomer = await makeUser({ isConfirmed: false });
  const hut = await makePrivateHut(owner, "Both Devices");
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  await errorCodeOf(acceptInvitation(await at(newcomer), { code: codeOf(url) }));
  const token = await confirmationOf(newcomer);
  await confirmInvited(await testApp({ now: NOW }), { token });
  const invitationFor = async (user: TestUser | null) =>
    (await viewConfirmationInvited(user ? await at(user) : await testApp({ now: NOW }), { token }))
      .invitation;
  expect(await invitationFor(newcomer)).toEqual({ title: "Both Devices", url });
  expect(await invitationFor(bystander)).toBeNull();
  expect(await invitationFor(null)).toBeNull();
});

test("R-82 without JavaScript the confirmation leads back to the open invitation, with its code", async () => {
  const [owner] = await makeUsers(1);
  const newcomer = await makeUser({ isConfirmed: false });
  const hut = await makePrivateHut(owner, "By Hand");
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  await errorCodeOf(acceptInvitation(await at(newcomer), { code: codeOf(url) }));
  const token = await confirmationOf(newcomer);
  const confirmed = await post(newcomer, "/account/confirm-email", { intent: "confirm", token });
  const form = 'main form[action="/groups/invite"]';
  expect(await confirmed.all(form)).toEqual([]);
  const fields = Object.fromEntries(
    (await confirmed.allWithoutScripts(`${form} input`)).map(({ attributes }) => [
      attributes.name,
      attributes.value ?? "",
    ]),
  );
  const scene = await post(newcomer, "/groups/invite", fields);
  expect(await scene.texts("h2")).toContain("By Hand");
  expect(await seesHut(newcomer, hut.slug)).toBe(404);
});

test("R-82 a renewed link leads nobody back", async () => {
  const [owner] = await makeUsers(1);
  const newcomer = await makeUser({ isConfirmed: false });
  const hut = await makePrivateHut(owner);
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  await errorCodeOf(acceptInvitation(await at(newcomer), { code: codeOf(url) }));
  await renewInvitation(await at(owner), { hut: hut.slug });
  const app = await testApp({ now: NOW });
  expect(await confirmInvited(app, { token: await confirmationOf(newcomer) })).toEqual({ invitation: null });
});

test("R-82 the owner hears once of each person who came in by the link", async () => {
  const [owner, one, two] = await makeUsers(3);
  const hut = await makePrivateHut(owner, "Heard");
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  for (const user of [one, one, two, owner]) await acceptInvitation(await at(user), { code: codeOf(url) });
  const { results } = await env.DB.prepare(
    "SELECT body ->> '$.name' AS name, body ->> '$.to' AS heard FROM events WHERE kind = 'invitation-used' AND subject = ? ORDER BY id",
  )
    .bind(`hut:${hut.id}`)
    .all();
  const heard = [one, two].map(({ username }) => ({ name: username, heard: JSON.stringify([owner.id]) }));
  expect(results).toHaveLength(2);
  expect(results).toEqual(expect.arrayContaining(heard));
});

test("Q-28 a request has the same answer whether or not the hut exists, by page and by use case", async () => {
  const [owner, asker, member] = await makeUsers(3);
  const hut = await makePrivateHut(owner, "Guessed");
  const { hut: open } = (await callAs(owner, "POST", "/groups/store", { hut: { title: "Open to all" } }))
    .body;
  const answerTo = async (slug: string) => {
    const page = await post(asker, "/groups/invite", { intent: "request", slug });
    return [page.status, (await page.texts("main")).join().replaceAll(slug, "")];
  };
  const missing = await answerTo("no-such-hut");
  expect(missing).toEqual([200, expect.stringContaining("its owner and moderators see your request now")]);
  for (const slug of [hut.slug, open.slug]) expect(await answerTo(slug)).toEqual(missing);
  expect(await count("SELECT count(*) FROM hut_requests WHERE user_id = ?", asker.id)).toBe(1);
  // The owner and members cannot request entry.
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  await acceptInvitation(await at(member), { code: url.split("#")[1] ?? "" });
  for (const user of [owner, member]) await requestEntry(await at(user), { slug: hut.slug });
  expect(await count("SELECT count(*) FROM hut_requests WHERE hut_id = ?", hut.id)).toBe(1);
});

test("Q-28 owner and moderators accept and refuse; an open request expires after 30 days", async () => {
  writesToEverybody();
  const [owner, moderator, one, two, three] = await makeUsers(5);
  const hut = await makePrivateHut(owner, "Answered");
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  await acceptInvitation(await at(moderator), { code: url.split("#")[1] ?? "" });
  await callAs(owner, "PATCH", `/groups/${hut.slug}/members/${moderator.username}`, { role: 1 });
  for (const user of [one, two, three]) await requestEntry(await at(user), { slug: hut.slug });
  const asked = async (now = NOW) =>
    (await viewHutMembers(await at(owner, now), { hut: hut.slug, page: 1 })).requests.map(
      ({ username }) => username,
    );
  expect(new Set(await asked())).toEqual(new Set([one, two, three].map(({ username }) => username)));
  const answer = async (by: TestUser, { username }: TestUser, isAccepted: boolean, now = NOW) =>
    answerRequest(await at(by, now), { hut: hut.slug, username, isAccepted });
  expect(await errorCodeOf(answer(one, one, true))).toBe("NOT_FOUND");
  await answer(moderator, one, true);
  await answer(owner, two, false);
  expect([await seesHut(one, hut.slug), await seesHut(two, hut.slug)]).toEqual([200, 404]);
  expect(await errorCodeOf(answer(owner, two, true))).toBe("NOT_FOUND");
  expect(await errorCodeOf(answer(one, three, true))).toBe("FORBIDDEN");
  const later = instant(NOW + 31 * DAY);
  expect(await asked(later)).toEqual([]);
  expect(await errorCodeOf(answer(owner, three, true, later))).toBe("NOT_FOUND");
  await deleteExpiredRows(await at(owner, later));
  expect(await count("SELECT count(*) FROM hut_requests WHERE hut_id = ?", hut.id)).toBe(0);
  expect((await visit(one, `/group/${hut.slug}`)).status).toBe(200);
});

test("Q-28 a page lists 50 open requests, and the next as these are answered", async () => {
  const owner = await makeUser();
  const hut = await makePrivateHut(owner, "Wanted");
  const askers = await makeUsers(51);
  const ask = env.DB.prepare("INSERT INTO hut_requests (hut_id, user_id, created_at) VALUES (?, ?, ?)");
  await env.DB.batch(askers.map(({ id }) => ask.bind(hut.id, id, NOW)));
  const listed = async () =>
    (await viewHutMembers(await at(owner), { hut: hut.slug, page: 1 })).requests.map(
      ({ username }) => username,
    );
  const first = await listed();
  // Of one instant, by the account.
  expect(first).toEqual(askers.slice(0, 50).map(({ username }) => username));
  await answerRequest(await at(owner), { hut: hut.slug, username: first[0] ?? "", isAccepted: false });
  expect(new Set([...first, ...(await listed())]).size).toBe(51);
});

test("Q-25 deleting a hut deletes its forum and memberships; activities, sessions and items stay without it", async () => {
  const [owner, member, root] = [await makeUser(), await makeUser(), await makeUser({ roleId: 10 })];
  const { hut } = (await callAs(owner, "POST", "/groups/store", { hut: { title: "Wobblestone" } })).body;
  await callAs(member, "POST", `/groups/${hut.slug}/join`, {});
  const { challenge } = (
    await callAs(member, "POST", "/challenges", { challenge: { title: "Left behind", hut_id: hut.id } })
  ).body;
  const session = await makeSession(member, { hut_id: hut.id, title: "Left behind too" });
  const { item } = (
    await callAs(member, "POST", "/items", { itemData: { title: "Left", status: 1, group_id: hut.id } })
  ).body;
  await callAs(member, "POST", `/challenges/${hut.slug}/posts`, { item: { content: "Gone" } });
  const remove = (user: TestUser | null, slug: unknown) =>
    callAs(user, "DELETE", `/groups/${hut.slug}`, { slug });
  expect((await remove(null, hut.slug)).body.error_code).toBe("UNAUTHENTICATED");
  expect((await remove(member, hut.slug)).body.error_code).toBe("FORBIDDEN");
  for (const slug of ["", "another", undefined])
    expect((await remove(owner, slug)).body.error_code, String(slug)).toBe("INVALID");
  expect(await seesHut(null, hut.slug)).toBe(200);
  expect((await remove(owner, hut.slug)).status).toBe(204);
  expect((await remove(owner, hut.slug)).status).toBe(404);
  expect(await seesHut(owner, hut.slug)).toBe(404);
  for (const table of ["posts", "hut_members"])
    expect(await count(`SELECT count(*) FROM ${table} WHERE hut_id = ?`, hut.id), table).toBe(0);
  const seen = (path: string) => dataOf(null, path);
  expect((await seen(`/api/activities/${challenge.slug}`)).challenge.hut_id).toBe(null);
  expect((await callAs(null, "GET", `/api/sessions/${session.id}`)).status).toBe(200);
  expect((await callAs(null, "GET", `/api/${member.username}/${item.slug}`)).status).toBe(200);
  // No search contains its name, and the counts of its activities are right.
  expect((await seen("/api/events?q=wobblestone")).sessions).toEqual([]);
  const row = await env.DB.prepare("SELECT * FROM audit WHERE action = 'hut-deleted' AND target_id = ?")
    .bind(String(hut.id))
    .all();
  expect(row.results).toHaveLength(1);
  const { hut: next } = (await callAs(owner, "POST", "/groups/store", { hut: { title: "By a super admin" } }))
    .body;
  expect((await callAs(root, "DELETE", `/groups/${next.slug}`, { slug: next.slug })).status).toBe(204);
  expect(
    await count(
      "SELECT count(*) FROM (SELECT sum(count) AS n FROM activity_counts WHERE hut_id = 0) WHERE n = (SELECT count(*) FROM activities WHERE is_private = 0)",
    ),
  ).toBe(1);
});

test("Q-25 Q-27 deleting a private hut leaves its things private", async () => {
  const [owner, guest] = await makeUsers(2);
  const hut = await makePrivateHut(owner, "Closed for good");
  const { challenge } = (
    await callAs(owner, "POST", "/challenges", { challenge: { title: "Kept", hut_id: hut.id } })
  ).body;
  const session = await makeSession(owner, { hut_id: hut.id });
  expect((await callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug })).status).toBe(204);
  const statuses = (user: TestUser) =>
    Promise.all(
      [`/api/sessions/${session.id}`, `/api/activities/${challenge.slug}`].map(
        async (path) => (await callAs(user, "GET", path)).status,
      ),
    );
  expect(await statuses(owner)).toEqual([200, 200]);
  expect(await statuses(guest)).toEqual([404, 404]);
});

test("Q-26 Q-29 roles and hand-over write one audit row each, and a repeat none", async () => {
  const [owner, member] = await makeUsers(2);
  const hut = await makePrivateHut(owner, "Audited");
  const { url } = await renewInvitation(await at(owner), { hut: hut.slug });
  await acceptInvitation(await at(member), { code: url.split("#")[1] ?? "" });
  const path = `/groups/${hut.slug}/members/${member.username}`;
  for (const body of [{ role: 1 }, { role: 1 }, { owner: 1 }]) await callAs(owner, "PATCH", path, body);
  const { results } = await env.DB.prepare(
    "SELECT action, previous, user_id FROM audit WHERE target_kind = 'hut' AND target_id = ? ORDER BY id",
  )
    .bind(String(hut.id))
    .all();
  expect(results).toEqual([
    { action: "role-changed", previous: "member", user_id: member.id },
    { action: "owner-changed", previous: owner.username, user_id: member.id },
  ]);
});

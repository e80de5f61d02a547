// Appeals against decisions, and what a granted one lifts.
import { asc, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import {
  actsOn,
  appeal,
  decide,
  file,
  grant,
  linkIn,
  mailOf,
  rudeLine,
  send,
  warden,
} from "#tests/support/decisions";
import { db, makeUser, makeUsers, setUser, signInAgain, type TestUser } from "#tests/support/factories";
import { openHouse, seated } from "#tests/support/guests";
import { sayInRoom } from "#tests/support/rooms";
import { makeRichUser, makeSeries, openOf } from "#tests/support/series";
import { join, leave, makeHut, makePost, sayIn, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { instant, SECOND } from "~/domain/time";

keepBystanders();

test("Q-18 Q-31 a suspended person who is signed in appeals by the link of the email", async () => {
  const [author, reporter, root] = [...(await makeUsers(2)), await warden()];
  await send(reporter, "person", author.username);
  await decide(root, "person", author.username, "suspend");
  const back = await signInAgain(author);
  const link = linkIn((await mailOf(author))[0]?.text);
  expect((await visit(back, "/my/notices")).location).toBe("/account/suspended");
  expect((await visit(back, link)).html).toContain("Why should the decision change?");
  const fields = { intent: "appeal", token: link.split("=")[1] ?? "", text: "It was a quotation" };
  expect((await post(back, link, fields)).status).toBe(200);
  expect((await visit(root, "/admin/reports")).html).toContain("It was a quotation");
});

test("Q-05 Q-31 the page of a suspended person with an unconfirmed address leads to the appeal", async () => {
  const author = await makeUser({ isConfirmed: false });
  const [reporter, other, root] = [...(await makeUsers(2)), await warden()];
  await send(reporter, "person", author.username);
  await decide(root, "person", author.username, "suspend");
  await post(root, `/admin/users/${other.username}`, { intent: "suspend", days: "7", reason: "Spam" });
  const [back, otherBack] = [await signInAgain(author), await signInAgain(other)];
  const linkOf = async (user: typeof back) =>
    (await (await visit(user, "/account/suspended")).links())["appeal against the decision"];
  const path = (await linkOf(back)) ?? "";
  // Nobody reported the other person, so there is no decision.
  expect(await linkOf(otherBack)).toBeUndefined();
  expect((await visit(otherBack, path)).html).toContain("This link has expired.");
  const decision = path.split("=")[1] ?? "";
  expect((await post(back, path, { intent: "appeal", token: "", decision, text: "Please" })).status).toBe(
    200,
  );
  expect(await linkOf(back)).toBeUndefined();
  await grant(root, author);
  expect((await visit(back, "/my/notices")).status).toBe(200);
  expect((await visit(otherBack, "/my/notices")).status).toBe(302);
});

/** Registers the guest, whose rows take the new name, confirms the address and signs in. */
async function register(guest: TestUser, username: string): Promise<TestUser> {
  const email = `${username}@example.com`;
  const password = "correct horse battery";
  const names = { email, username, password, passwordConfirmation: password };
  const { status } = await post(guest, "/auth/register", { intent: "register", ...names, terms: "on" });
  expect(status).toBe(302);
  await setUser(guest.id, { emailConfirmedAt: instant(Date.now()) });
  return signInAgain({ ...guest, username, email });
}
const sanctionsOf = async ({ id }: TestUser) =>
  (
    await db
      .select()
      .from(schema.sanctions)
      .where(eq(schema.sanctions.userId, id))
      .orderBy(asc(schema.sanctions.scope), asc(schema.sanctions.kind))
  ).map(({ scope, kind, until }) => [scope, kind, until]);

test("H-22 Q-30 Q-31 a decision about a guest who has registered acts on the account, and an appeal lifts it", async () => {
  const root = await warden();
  const { host, member, path, id } = await openHouse();
  const guest = await seated(path, "Ann");
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const line = `${id}:${await sayInRoom(id, guest, "Rude words")}`;
  await send(member, "message", line);
  const account = await register(guest, "ann-of-the-words");
  const next = await seated(path, "Ann");
  expect(next.username).toBe(guest.username);
  const queue = await visit(root, "/admin/reports");
  expect(queue.html).toContain('href="/ann-of-the-words"');
  expect((await decide(root, "message", line, "mute")).status).toBe(302);
  expect([await sanctionsOf(account), await sanctionsOf(next)]).toEqual([[["session", "mute", null]], []]);
  const seat = `/challenge-events/${id}/participants/${encodeURIComponent(next.username)}`;
  expect((await callAs(host, "PATCH", seat, { mute: 1 })).status).toBe(200);
  await appeal(account);
  expect((await grant(root, account)).status).toBe(302);
  expect((await sayIn(account, id)).status).toBe(201);
  expect((await sayIn(next, id)).status).toBe(403);
});

test("Q-13 Q-31 a granted appeal lifts the mute of a person who has left, so that they write after joining again", async () => {
  const [root, { author, reporter, host, id, line }] = [await warden(), await rudeLine()];
  const seatOf = ({ username }: TestUser) => `/challenge-events/${id}/participants/${username}`;
  await callAs(host, "PATCH", seatOf(reporter), { mute: 1 });
  await decide(root, "message", line, "mute");
  expect((await leave(author, id)).status).toBe(200);
  // A host's call that is NOT_FOUND lifts nothing.
  expect((await callAs(host, "PATCH", seatOf(author), { mute: 0 })).status).toBe(404);
  expect((await join(author, id)).status).toBe(200);
  expect((await sayIn(author, id)).status).toBe(403);
  expect((await leave(author, id)).status).toBe(200);
  await appeal(author);
  expect((await grant(root, author)).status).toBe(302);
  expect((await join(author, id)).status).toBe(200);
  expect((await sayIn(author, id)).status).toBe(201);
  expect((await sayIn(reporter, id)).status).toBe(403);
});

test("Q-15 Q-31 a granted appeal against a ban from a session leaves the series' host's ban", async () => {
  const [root, host, author, reporter] = [await warden(), await makeRichUser(), ...(await makeUsers(2))];
  const series = await makeSeries(host);
  const [first, second] = await openOf(series);
  if (!first || !second) throw new Error("no dates");
  const rude = await makePost(author, { sessionId: first.id }, "Rude words");
  await send(reporter, "post", rude);
  expect((await decide(root, "post", rude, "ban")).status).toBe(302);
  const until = instant(Date.now() + SECOND);
  vi.setSystemTime(until);
  const seat = `/challenge-events/${first.id}/participants/${author.username}`;
  expect((await callAs(host, "DELETE", seat, { keep_out: 1, series: 1 })).status).toBe(204);
  await appeal(author);
  expect((await grant(root, author)).status).toBe(302);
  expect(await sanctionsOf(author)).toEqual([
    ["series", "ban", null],
    ["session", "ban", until],
  ]);
  expect((await join(author, second.id)).body.message).toContain("The host has closed this session to you.");
  expect((await join(reporter, second.id)).status).toBe(200);
});

test("H-24 Q-31 a granted appeal lets a guest's browser in again, unless the series' host keeps it out", async () => {
  const root = await warden();
  for (const isOutOfSeries of [true, false]) {
    const host = await makeRichUser();
    const [session] = await openOf(await makeSeries(host));
    if (!session) throw new Error("no date");
    const { id } = session;
    await setSession(id, { guestLimit: 5 });
    const path = `/sessions/${id}`;
    const guest = await seated(path, "Ann");
    const rude = await makePost(guest, { sessionId: id }, "Rude words");
    await send(host, "post", rude);
    expect((await decide(root, "post", rude, "ban")).status).toBe(302);
    const seat = `/challenge-events/${id}/participants/${encodeURIComponent(guest.username)}`;
    if (isOutOfSeries) await callAs(host, "DELETE", seat, { keep_out: 1, series: 1 });
    await db
      .update(schema.decisions)
      .set({ appeal: "Please", appealedAt: instant(Date.now()) })
      .where(eq(schema.decisions.userId, guest.id));
    expect((await grant(root, guest)).status).toBe(302);
    const bans = await db.select().from(schema.guestBans).where(eq(schema.guestBans.userId, guest.id));
    expect([isOutOfSeries, bans.length > 0]).toEqual([isOutOfSeries, isOutOfSeries]);
  }
});

test("Q-31 a granted appeal leaves the suspension that was set for something else", async () => {
  const [root, author, reporter] = [await warden(), ...(await makeUsers(2))];
  await send(reporter, "person", author.username);
  await decide(root, "person", author.username, "suspend");
  await appeal(author);
  const account = `/admin/users/${author.username}`;
  await post(root, account, { intent: "lift-suspension" });
  vi.setSystemTime(Date.now() + SECOND);
  await post(root, account, { intent: "suspend", days: "0", reason: "Spam" });
  expect((await grant(root, author)).status).toBe(302);
  expect(await sanctionsOf(author)).toEqual([["site", "ban", null]]);
});

test("Q-16 Q-31 a granted appeal leaves what the keepers of a session and of a hut have set since", async () => {
  const root = await warden();
  const { author, host, id, line } = await rudeLine();
  await decide(root, "message", line, "mute");
  const owner = await makeUser();
  const hut = await makeHut(owner, [author]);
  const [rude, worse] = [
    await makePost(author, { hutId: hut.id }, "Rude words"),
    await makePost(author, { hutId: hut.id }, "Worse words"),
  ];
  for (const [words, act] of [
    [rude, "mute"],
    [worse, "ban"],
  ] as const) {
    await send(host, "post", words);
    await decide(root, "post", words, act);
  }
  vi.setSystemTime(Date.now() + SECOND);
  const change = (by: TestUser, place: string, body: object) =>
    callAs(by, "PATCH", `${place}/${author.username}`, { ...body, reason: "Noise" });
  await change(host, `/challenge-events/${id}/participants`, { mute: 1 });
  for (const body of [{ mute: 1 }, { ban: 1 }]) await change(owner, `/groups/${hut.slug}/members`, body);
  for (const { text } of await mailOf(author)) expect((await file(linkIn(text))).status).toBe(200);
  for (let n = 0; n < 3; n++) expect((await grant(root, author)).status).toBe(302);
  const lifted = (await actsOn(author)).filter(({ action }) => /lifted|granted/.test(String(action)));
  expect(lifted.map(({ action }) => action)).toEqual(["appeal-granted", "appeal-granted", "appeal-granted"]);
  expect(await sanctionsOf(author)).toEqual([
    ["hut", "ban", null],
    ["hut", "mute", null],
    ["session", "mute", null],
  ]);
});

test("Q-16 Q-18 Q-29 Q-31 a decision leaves an equal or longer sanction that holds, and so does its granted appeal", async () => {
  const root = await warden();
  const { author, host, id, line } = await rudeLine();
  const owner = await makeUser();
  const hut = await makeHut(owner, [author]);
  const rude = await makePost(author, { hutId: hut.id }, "Rude words");
  await send(host, "post", rude);
  await send(host, "person", author.username);
  const change = (by: TestUser, place: string, body: object) =>
    callAs(by, "PATCH", `${place}/${author.username}`, { ...body, reason: "Noise" });
  await change(host, `/challenge-events/${id}/participants`, { mute: 1 });
  await change(owner, `/groups/${hut.slug}/members`, { ban: 1 });
  await post(root, `/admin/users/${author.username}`, { intent: "suspend", days: "0", reason: "Spam" });
  const before = await db.select().from(schema.sanctions).where(eq(schema.sanctions.userId, author.id));
  expect(before).toHaveLength(3);
  vi.setSystemTime(Date.now() + SECOND);
  await decide(root, "message", line, "mute");
  await decide(root, "post", rude, "ban");
  await decide(root, "person", author.username, "suspend");
  const decided = (await actsOn(author)).filter(({ reason }) => reason === "Insults");
  expect(decided.map(({ action }) => action)).toEqual(["muted", "banned", "suspended"]);
  const links = (await mailOf(author)).map(({ text }) => linkIn(text)).filter((link) => link !== "");
  expect(links).toHaveLength(3);
  for (const link of links) expect((await file(link)).status).toBe(200);
  for (const _ of links) expect((await grant(root, author)).status).toBe(302);
  expect(await db.select().from(schema.sanctions).where(eq(schema.sanctions.userId, author.id))).toEqual(
    before,
  );
});

test("Q-13 Q-31 a decision replaces a shorter mute, and its granted appeal lifts it", async () => {
  const [root, { author, host, id, line }] = [await warden(), await rudeLine()];
  const seat = `/challenge-events/${id}/participants/${author.username}`;
  await callAs(host, "PATCH", seat, { mute: 300 });
  vi.setSystemTime(Date.now() + SECOND);
  await decide(root, "message", line, "mute");
  expect(await sanctionsOf(author)).toEqual([["session", "mute", null]]);
  await appeal(author);
  await grant(root, author);
  expect((await sayIn(author, id)).status).toBe(201);
});

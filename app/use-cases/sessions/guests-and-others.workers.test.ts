import { eq, like } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, setUser, type TestUser } from "#tests/support/factories";
import {
  beginRun,
  endRun,
  eventPath,
  now,
  openHouse,
  seated,
  seatedIds,
  seatPath,
  sitIn,
  sortedIds,
} from "#tests/support/guests";
import { passNight } from "#tests/support/nights";
import { drain, emptySpine, noticeRows, spineApp } from "#tests/support/notices";
import { joinRoom, useRoomClock } from "#tests/support/rooms";
import { iso, makeSeries, openOf, restSeries } from "#tests/support/series";
import {
  balanceOf,
  join,
  leave,
  makeHut,
  makeSession,
  sayIn,
  seatsOf,
  sessionNow,
  setSession,
} from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { createKey } from "~/use-cases/accounts/api-keys.server";

useRoomClock();
beforeEach(restSeries);
const writesToEverybody = keepBystanders(restSeries);

test("R-88 H-26 a deleted host's session goes to a member and never to a guest, and is cancelled where only guests sit", async () => {
  writesToEverybody();
  const dated = { is_manually_started: 0, started_at: iso(Date.now() + 5 * DAY) };
  const host = await makeUser({ tokens: 5000 });
  const [kept, cancelled] = [await makeSession(host, dated), await makeSession(host, dated)];
  for (const { id } of [kept, cancelled]) await setSession(id, { guestLimit: 5 });
  for (const { path } of [kept, cancelled]) await seated(path, "Ada");
  const member = await makeUser();
  await join(member, kept.id);
  await setUser(host.id, { deletionDueAt: instant(Date.now() + HOUR) });
  await passNight(now());
  const hosts = (await seatsOf(kept.id)).filter(({ isHost }) => isHost);
  expect(hosts.map(({ userId }) => userId)).toEqual([member.id]);
  expect(await sessionNow(kept.id)).toMatchObject({ guestLimit: 0, closedAt: null });
  const ended = await sessionNow(cancelled.id);
  expect(ended?.closedAt ?? "gone").not.toBeNull();
  await passNight(instant(now() + DAY));
  await passNight(instant(now() + DAY));
  const left = await db.select().from(schema.users).where(eq(schema.users.guestOf, cancelled.id));
  expect(left).toEqual([]);
});

test("H-18 G-22 a seat that a guest gives up goes to the waiting list, before another guest and before their own return", async () => {
  const { host, member, id, path } = await openHouse({ participant_limit: 3 });
  await callAs(host, "PATCH", eventPath(id, "patch"), { challenge: { guest_limit: 2 } });
  const guest = await seated(path, "Ada");
  const waiter = await makeUser();
  expect((await callAs(waiter, "POST", eventPath(id, "wait"), {})).status).toBe(200);
  expect((await sitIn(path, "Bo")).answer.status).toBe(409);
  // A limit cannot go below the seats that are taken.
  const below = await callAs(host, "PATCH", eventPath(id, "patch"), {
    challenge: { participant_limit: 2, guest_limit: 2 },
  });
  expect([below.status, await seatedIds(id)]).toEqual([422, sortedIds(host, member, guest)]);
  const paid = await balanceOf(host);
  await leave(guest, id);
  expect(await balanceOf(host)).toBe(paid + 100);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, waiter));
  expect((await join(guest, id)).body.error_code).toBe("SESSION_FULL");
  expect((await sitIn(path, "Bo")).answer.status).toBe(409);
  // The waiter leaves, the limit goes down with the seat, and nobody gets in.
  await leave(waiter, id);
  const lower = { participant_limit: 2, guest_limit: 2 };
  expect((await callAs(host, "PATCH", eventPath(id, "patch"), { challenge: lower })).status).toBe(200);
  expect((await join(guest, id)).body.error_code).toBe("SESSION_FULL");
  expect(await seatedIds(id)).toEqual(sortedIds(host, member));
});

test("H-24 O-03 a host's key mutes, removes and keeps out guests by its scope, and a key that reads does not", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  const keyOf = async (scope: "read" | "host") =>
    (await createKey(await appOf(host, now()), { name: "Script", scopes: [scope], days: 30 })).key;
  const [reads, hosts] = [await keyOf("read"), await keyOf("host")];
  const by = async (key: string, method: string, address: string, body?: object) =>
    (
      await ask(address, {
        method,
        headers: { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    ).status;
  await beginRun(host, id);
  expect(await by(reads, "PATCH", seatPath(id, guest), { mute: 1 })).toBe(403);
  expect(await by(reads, "DELETE", seatPath(id, guest))).toBe(403);
  expect(await by(hosts, "PATCH", seatPath(id, guest), { mute: 1 })).toBe(200);
  expect([(await sayIn(guest, id)).status, (await sayIn(other, id)).status]).toEqual([403, 201]);
  expect(await by(hosts, "PATCH", seatPath(id, guest), { host: 1 })).toBe(403);
  expect(await by(hosts, "DELETE", seatPath(id, guest), { keep_out: 1 })).toBe(204);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, other));
  expect((await join(guest, id)).status).toBe(403);
  // A guest has no key.
  const made = await post(other, "/account/api", {
    intent: "key.create",
    name: "Mine",
    scopes: "read",
    days: "30",
  });
  expect(made.status).toBe(403);
});

test("H-24 the page of a guest who was removed writes nothing, closes its socket, and offers the way back", async () => {
  const { host, member, id, slug, path } = await openHouse();
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await beginRun(host, id);
  const line = await joinRoom(guest, id);
  expect((await callAs(host, "DELETE", seatPath(id, guest))).status).toBe(204);
  await line.closed;
  const presses: [string, string, string, object][] = [
    ["say", "POST", "/messages", { messageable_type: "challenge_event", messageable_id: id, content: "Hm" }],
    ["aim", "POST", eventPath(id, "aim"), { aim: "Late" }],
    ["ready", "POST", `/challenges/${slug}/user-is-ready`, { is_ready: 1 }],
    ["contribute", "PUT", `/challenges/${slug}/contribute-content`, { contribution: "Late" }],
    ["log", "POST", eventPath(id, "logs"), { title: "Late", amount: 1 }],
    ["done", "POST", eventPath(id, "complete"), {}],
  ];
  for (const [name, method, address, body] of presses)
    expect([name, (await callAs(guest, method, address, body)).status]).toEqual([name, 403]);
  expect((await post(guest, path, { intent: "aim", aim: "Late" })).status).toBe(403);
  expect((await post(guest, path, { intent: "complete" })).status).toBe(403);
  expect((await post(guest, `${path}/chat`, { intent: "say", content: "Hm" })).status).toBe(403);
  // Leaving twice is no error.
  expect((await leave(guest, id)).status).toBe(200);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, other));
  const page = await visit(guest, path);
  expect([page.status, page.html.includes("You sit in as Ada")]).toEqual([200, false]);
  expect((await post(guest, path, { intent: "join" })).status).toBe(302);
  expect((await sayIn(other, id)).status).toBe(201);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, other, guest));
});

test("H-19 R-83 a guest takes a turn, contributes in it and passes it on, and a removed guest's turn goes on", async () => {
  const part = { uuid: "r", title: "Round", duration: 60, per_participant: 1, edit_content: 1 };
  const { host, member, id, slug, path } = await openHouse({
    parts: [{ uuid: "g", auto_start: 0, parts: [part] }],
  });
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await beginRun(host, id);
  for (const user of [host, member, guest, other]) await joinRoom(user, id);
  await callAs(host, "POST", eventPath(id, "parts/r/start"), {});
  const next = (by: TestUser, act: string) => callAs(by, "POST", eventPath(id, `parts/r/${act}`), {});
  expect((await next(guest, "pass")).status).toBeGreaterThanOrEqual(400);
  for (const _ of [1, 2]) expect((await next(host, "next")).status).toBe(200);
  const wrote = await callAs(guest, "PUT", `/challenges/${slug}/contribute-content`, {
    contribution: "By Ada",
  });
  expect(wrote.status).toBe(200);
  expect((await next(guest, "pass")).status).toBe(200);
  expect((await callAs(host, "DELETE", seatPath(id, other))).status).toBe(204);
  expect((await next(other, "pass")).status).toBe(403);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, guest));
  expect(JSON.stringify(await dataOf(host, `/api/sessions/${id}`))).not.toContain(other.username);
  const said = await db.select().from(schema.contributions).where(eq(schema.contributions.sessionId, id));
  expect(said.map(({ userId }) => userId)).toEqual([guest.id]);
});

test("H-19 Q-24 R-41 chat and reactions rest for a guest in a focus part, as they do for a member", async () => {
  const parts = [
    { uuid: "f", title: "Focus", duration: 600, is_focus: 1 },
    { uuid: "t", title: "Talk", duration: 600 },
  ];
  const { host, member, id, path } = await openHouse({ parts: [{ uuid: "g", auto_start: 0, parts }] });
  const guest = await seated(path, "Ada");
  await beginRun(host, id);
  await callAs(host, "POST", eventPath(id, "parts/f/start"), {});
  const [ofGuest, ofMember] = [await sayIn(guest, id), await sayIn(member, id)];
  expect([ofGuest.status, ofGuest.body.message]).toEqual([ofMember.status, ofMember.body.message]);
  expect(ofGuest.status).toBeGreaterThanOrEqual(400);
  vi.setSystemTime(Date.now() + 11 * MINUTE);
  expect([(await sayIn(guest, id)).status, (await sayIn(member, id)).status]).toEqual([201, 201]);
});

test("H-17 H-24 guests leave a session that moves into a private hut, with the host's token, and members of the hut stay", async () => {
  const { host, member, id, path } = await openHouse();
  const [hut, paid] = [await makeHut(host, [member]), await balanceOf(host)];
  await db
    .insert(schema.hutMembers)
    .values({ hutId: hut.id, userId: host.id, joinedAt: now() })
    .onConflictDoNothing();
  await setSession(id, { hutId: hut.id });
  await seated(path, "Ada");
  expect(await balanceOf(host)).toBe(paid - 100);
  const closed = await callAs(host, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  expect(closed.status).toBe(200);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member));
  expect(await balanceOf(host)).toBe(paid);
  expect((await sitIn(path, "Bo")).guest).toBeNull();
});

test("H-26 a guest gets no notice, mail or push of a session that moves, ends or is cancelled", async () => {
  await emptySpine();
  const { host, member, id, path } = await openHouse({
    is_manually_started: 0,
    started_at: iso(Date.now() + 2 * DAY),
  });
  const guest = await seated(path, "Ada");
  await callAs(host, "PATCH", eventPath(id, "patch"), {
    challenge: { started_at: iso(Date.now() + 3 * DAY) },
  });
  expect((await post(host, path, { intent: "delete" })).status).toBe(302);
  const { app, mails } = await spineApp(now());
  await drain(app);
  const to = (await noticeRows()).map(({ userId }) => userId);
  expect(to).toContain(member.id);
  expect(to).not.toContain(guest.id);
  expect(mails.filter(({ to }) => to.includes("guest.invalid"))).toEqual([]);
});

test("R-99 H-21 the page after the session tells a guest what a member reads, and after a day it tells the others of a guest", async () => {
  writesToEverybody();
  const { host, member, id, path } = await openHouse();
  const guest = await seated(path, "Quillon");
  await beginRun(host, id);
  for (const user of [member, guest]) await joinRoom(user, id);
  await callAs(guest, "POST", eventPath(id, "aim"), { aim: "Two pages" });
  vi.setSystemTime(Date.now() + 30 * MINUTE);
  await endRun(host, id);
  const page = (await visit(guest, `${path}/recap`)).html;
  for (const text of ["You sat 30 minutes", member.username, "Two pages"]) expect(page).toContain(text);
  const attended = async () =>
    (await db.select().from(schema.attendance).where(eq(schema.attendance.sessionId, id))).map(
      ({ userId, seconds }) => [userId, seconds],
    );
  const before = await attended();
  expect(before).toContainEqual([guest.id, 1800]);
  const exported = await ask("/account/export/everything.json", {
    headers: { Cookie: `login=${host.loginToken}` },
  });
  expect(exported.status).toBe(200);
  await passNight(now());
  await passNight(now());
  await passNight(now());
  expect(await attended()).toEqual(before);
  const after = (await visit(member, `${path}/recap`)).html;
  expect(after).toContain("a guest");
  expect(after).not.toContain("Quillon");
  for (const user of [host, member]) {
    const all = await ask("/account/export/everything.json", {
      headers: { Cookie: `login=${user.loginToken}` },
    });
    expect(await all.text()).not.toContain("Quillon");
  }
});

test("G-10 H-17 a change of this and later dates leaves the guests of each where they sit", async () => {
  const host = await makeUser({ tokens: 5000 });
  const [one, two] = await openOf(await makeSeries(host));
  if (!one || !two) throw new Error("no dates");
  for (const { id } of [one, two]) await setSession(id, { guestLimit: 5 });
  const guests = [await seated(`/sessions/${one.id}`, "Ada"), await seated(`/sessions/${two.id}`, "Ada")];
  const changed = await callAs(host, "PATCH", eventPath(one.id, "patch"), {
    challenge: { title: "Evening pages", started_at: iso(Number(one.startedAt) + HOUR), guest_limit: 2 },
    scope: "later",
  });
  expect(changed.status).toBe(200);
  const after = await openOf(one.seriesId ?? 0);
  expect(after.slice(0, 2).map(({ title }) => title)).toEqual(["Evening pages", "Evening pages"]);
  expect((await sessionNow(one.id))?.guestLimit).toBe(2);
  // Both dates have one host, who answers for the guests of both (H-17).
  expect((await sessionNow(two.id))?.guestLimit).toBe(2);
  expect([await seatedIds(one.id), await seatedIds(two.id)]).toEqual(
    guests.map((guest) => sortedIds(host, guest)),
  );
  await callAs(host, "PATCH", eventPath(two.id, "patch"), { challenge: { guest_limit: 0 }, scope: "later" });
  expect((await sitIn(`/sessions/${two.id}`, "Bo")).guest).toBeNull();
  expect(await seatedIds(two.id)).toEqual(sortedIds(host, guests[1] as TestUser));
});

test("Q-29 H-23 H-24 acts on guests are in the audit by number, and a report of a guest's answer keeps its text", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await beginRun(host, id);
  await callAs(guest, "POST", eventPath(id, "aim"), { aim: "A rude answer" });
  const reported = await callAs(member, "POST", "/api/reports", {
    kind: "aim",
    id: `${id}:${guest.username}`,
    reason: "spam",
  });
  expect(reported.status).toBeLessThan(300);
  expect((await callAs(host, "DELETE", `${seatPath(id, guest)}/aim`)).status).toBeLessThan(300);
  await post(host, `${path}/people`, { intent: "guest.rename", username: guest.username, name: "Grace" });
  await callAs(host, "PATCH", seatPath(id, guest), { mute: 300 });
  await callAs(host, "DELETE", seatPath(id, guest), { keep_out: 1 });
  const acts = await db.select().from(schema.audit).where(eq(schema.audit.userId, guest.id));
  expect(acts.map(({ action, actorId }) => [action, actorId]).sort()).toEqual(
    ["aim-removed", "banned", "guest-renamed", "muted"].map((action) => [action, host.id]),
  );
  expect(JSON.stringify(acts)).not.toMatch(/Ada|Grace/);
  const [report] = await db
    .select()
    .from(schema.reports)
    .where(like(schema.reports.targetId, `${id}:%`));
  expect(report).toMatchObject({ authorId: guest.id, snapshot: "A rude answer" });
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, other));
});

test("Q-08 Q-27 Q-45 a report page of a guest answers only people who may read the session, also after a block, and names no session to others", async () => {
  const { host, member, path, id } = await openHouse();
  const guest = await seated(path, "Quillon");
  const [stranger, blocker, root] = [await makeUser(), await makeUser(), await makeUser({ roleId: 10 })];
  expect((await join(blocker, id)).status).toBe(200);
  await callAs(blocker, "PUT", `/api/blocks/${encodeURIComponent(guest.username)}`);
  const statusFor = async (user: TestUser) => {
    const address = `/account/report/person/${encodeURIComponent(guest.username)}`;
    const { status, html } = await visit(user, address);
    const named = { kind: "person", id: guest.username, reason: "spam" };
    const call = await callAs(user, "POST", "/api/reports", named);
    return [status, html.includes(path), call.status];
  };
  const [seen, missing] = [
    [200, true, 201],
    [404, false, 404],
  ];
  for (const user of [stranger, blocker]) expect(await statusFor(user)).toEqual(seen);
  await setSession(id, { joinCode: "sesame" });
  const outsider = await makeUser();
  expect(await statusFor(outsider)).toEqual(missing);
  expect(await statusFor(member)).toEqual(seen);
  expect(await statusFor(root)).toEqual(seen);
  await setSession(id, { joinCode: "", isPrivate: true });
  expect(await statusFor(outsider)).toEqual(missing);
  expect(await statusFor(host)).toEqual(seen);
});

test("H-19 Q-09 without JavaScript a guest reports a person's answer, and reads why they cannot report their own", async () => {
  const { host, member, id, path } = await openHouse();
  const guest = await seated(path, "Ada");
  await beginRun(host, id);
  for (const [user, aim] of [
    [member, "A rude answer"],
    [guest, "My own"],
  ] as const)
    await callAs(user, "POST", eventPath(id, "aim"), { aim });
  const addresses = (await (await visit(guest, path)).all("a[href]"))
    .map(({ attributes }) => attributes.href ?? "")
    .filter((href) => href.startsWith("/account/report/aim/"));
  expect(addresses).toEqual([`/account/report/aim/${encodeURIComponent(`${id}:${member.username}`)}`]);
  const [address = ""] = addresses;
  expect((await visit(guest, address)).html).toContain("A rude answer");
  const reports = async () =>
    (await db.select().from(schema.reports).where(eq(schema.reports.reporterId, guest.id))).map(
      ({ targetId, snapshot }) => [targetId, snapshot],
    );
  expect((await post(guest, address, { intent: "report", reason: "spam", text: "" })).status).toBe(200);
  expect(await reports()).toEqual([[`${id}:${member.username}`, "A rude answer"]]);
  const own = `/account/report/aim/${encodeURIComponent(`${id}:${guest.username}`)}`;
  expect((await visit(guest, own)).status).toBe(422);
  expect(await reports()).toHaveLength(1);
});

// Guests where other rules meet them: hand-overs, waiting lists, bans and mutes, another login of the browser, keys, old
// pages, rounds, private huts, and the notices and files of others (H-17 to H-26).
import { env } from "cloudflare:workers";
import { eq, like } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, dataOf, ORIGIN } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, setUser, type TestUser, testApp } from "#tests/support/factories";
import { openHouse, seated, sitIn } from "#tests/support/guests";
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
import { KEPT_OUT } from "~/domain/safety/sanctions";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { logout } from "~/use-cases/accounts/accounts.server";
import { createKey } from "~/use-cases/accounts/api-keys.server";
import { passwords } from "~/use-cases/accounts/password-hashes.server";
import { eraseGuests } from "~/use-cases/erase-guests.server";
import { markOf } from "~/use-cases/made-for.server";
import { MADE_FOR_FIELD } from "~/wire/made-for";
import { CLOSE } from "~/wire/room/room";

const now = () => instant(Date.now());
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const seatAt = (id: number, { username }: TestUser) =>
  event(id, `participants/${encodeURIComponent(username)}`);
const begin = (host: TestUser, id: number) => callAs(host, "POST", event(id, "start"), {});
const end = (host: TestUser, id: number) => callAs(host, "POST", event(id, "end"), {});
const idsIn = async (id: number) => (await seatsOf(id)).map(({ userId }) => userId).sort((a, b) => a - b);
const idsOf = (...users: TestUser[]) => users.map(({ id }) => id).sort((a, b) => a - b);

useRoomClock();
beforeEach(restSeries);
const writesToEverybody = keepBystanders(restSeries);

test("H-20 R-55 guests sit on through a hand-over, and the host who let them in pays; one who left comes back when the new host takes guests", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, left] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await begin(host, id);
  await leave(left, id);
  expect((await callAs(host, "PATCH", seatAt(id, member), { host: 1 })).status).toBe(200);
  const [ofHost, ofMember] = [await balanceOf(host), await balanceOf(member)];
  expect(await idsIn(id)).toEqual(idsOf(host, member, guest));
  expect((await sayIn(guest, id)).status).toBe(201);
  expect([await balanceOf(host), await balanceOf(member)]).toEqual([ofHost - 100, ofMember]);
  const closed = await join(left, id);
  expect([closed.status, closed.body.error_code]).toEqual([401, "UNAUTHENTICATED"]);
  const switched = await callAs(member, "PATCH", event(id, "patch"), { challenge: { guest_limit: 2 } });
  expect(switched.status).toBe(200);
  expect((await join(left, id)).status).toBe(200);
  expect([await balanceOf(host), await balanceOf(member)]).toEqual([ofHost - 100, ofMember - 100]);
  expect(await idsIn(id)).toEqual(idsOf(host, member, guest, left));
});

const comesAndGoes = async (guest: TestUser, id: number, times: number) => {
  for (let n = 0; n < times; n++) {
    expect((await leave(guest, id)).status).toBe(200);
    expect((await join(guest, id)).status).toBe(200);
  }
};
/** The amounts of the entries for the seats that this person pays for others. */
const seatEntriesOf = async ({ id }: TestUser) => {
  const entries = await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, id));
  return entries.flatMap(({ reason, amount }) => (/host_join|refund/.test(reason) ? [amount] : []));
};

test("H-20 a guest who leaves a running session and comes back three times costs the host one token, and a member pays each time", async () => {
  const { host, member, id, path } = await openHouse();
  const [before, guest] = [await balanceOf(host), await seated(path, "Ada")];
  await begin(host, id);
  await comesAndGoes(guest, id, 3);
  expect(before - (await balanceOf(host))).toBe(100);
  const other = await seated(path, "Bo");
  const ofMember = await balanceOf(member);
  await comesAndGoes(member, id, 1);
  await comesAndGoes(other, id, 1);
  expect([before - (await balanceOf(host)), ofMember - (await balanceOf(member))]).toEqual([200, 100]);
  expect(await idsIn(id)).toEqual(idsOf(host, member, guest, other));
  expect((await sessionNow(id))?.participantsCount).toBe(4);
});

test("H-20 two returns of a guest at once are one seat and no second token", async () => {
  const { host, member, id, path } = await openHouse();
  const guest = await seated(path, "Ada");
  await begin(host, id);
  await leave(guest, id);
  const paid = await balanceOf(host);
  const both = await Promise.all([join(guest, id), join(guest, id), join(guest, id)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([await balanceOf(host), await idsIn(id)]).toEqual([paid, idsOf(host, member, guest)]);
  expect((await sessionNow(id))?.participantsCount).toBe(3);
});

test("H-20 B-14 before the start each return of a guest pays and each leave returns, and two at once pay once", async () => {
  const { host, id, path } = await openHouse();
  const before = await balanceOf(host);
  const guest = await seated(path, "Ada");
  await comesAndGoes(guest, id, 3);
  expect(before - (await balanceOf(host))).toBe(100);
  expect(await seatEntriesOf(host)).toEqual([-100, 100, -100, 100, -100, 100, -100]);
  await leave(guest, id);
  expect(await balanceOf(host)).toBe(before);
  await Promise.all([join(guest, id), join(guest, id)]);
  expect(before - (await balanceOf(host))).toBe(100);
});

test("H-20 B-14 a token that a late leave kept returns once, when the guest has come back and is removed before the start", async () => {
  const { host, id, path } = await openHouse({
    is_manually_started: 0,
    started_at: iso(Date.now() + 30 * MINUTE),
  });
  const before = await balanceOf(host);
  const guest = await seated(path, "Ada");
  await comesAndGoes(guest, id, 2);
  expect(before - (await balanceOf(host))).toBe(100);
  expect((await callAs(host, "DELETE", seatAt(id, guest))).status).toBe(204);
  expect(await balanceOf(host)).toBe(before);
  expect((await join(guest, id)).status).toBe(200);
  await leave(guest, id);
  expect(before - (await balanceOf(host))).toBe(100);
});

test("H-20 R-55 each host pays a guest's seat once, and the first of them not again", async () => {
  const { host, member, id, path } = await openHouse();
  const guest = await seated(path, "Ada");
  await begin(host, id);
  const balances = async () => [await balanceOf(host), await balanceOf(member)];
  const [ofHost = 0, ofMember = 0] = await balances();
  const handTo = async (from: TestUser, to: TestUser) => {
    expect((await callAs(from, "PATCH", seatAt(id, to), { host: 1 })).status).toBe(200);
    expect((await callAs(to, "PATCH", event(id, "patch"), { challenge: { guest_limit: 2 } })).status).toBe(
      200,
    );
  };
  await handTo(host, member);
  await comesAndGoes(guest, id, 2);
  expect(await balances()).toEqual([ofHost, ofMember - 100]);
  await handTo(member, host);
  await comesAndGoes(guest, id, 2);
  expect(await balances()).toEqual([ofHost, ofMember - 100]);
  expect(new Set((await seatsOf(id)).map(({ seat }) => seat)).size).toBe(3);
});

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
  await callAs(host, "PATCH", event(id, "patch"), { challenge: { guest_limit: 2 } });
  const guest = await seated(path, "Ada");
  const waiter = await makeUser();
  expect((await callAs(waiter, "POST", event(id, "wait"), {})).status).toBe(200);
  expect((await sitIn(path, "Bo")).answer.status).toBe(409);
  // A limit cannot go below the seats that are taken.
  const below = await callAs(host, "PATCH", event(id, "patch"), {
    challenge: { participant_limit: 2, guest_limit: 2 },
  });
  expect([below.status, await idsIn(id)]).toEqual([422, idsOf(host, member, guest)]);
  const paid = await balanceOf(host);
  await leave(guest, id);
  expect(await balanceOf(host)).toBe(paid + 100);
  expect(await idsIn(id)).toEqual(idsOf(host, member, waiter));
  expect((await join(guest, id)).body.error_code).toBe("SESSION_FULL");
  expect((await sitIn(path, "Bo")).answer.status).toBe(409);
  // The waiter leaves, the limit goes down with the seat, and nobody gets in.
  await leave(waiter, id);
  const lower = { participant_limit: 2, guest_limit: 2 };
  expect((await callAs(host, "PATCH", event(id, "patch"), { challenge: lower })).status).toBe(200);
  expect((await join(guest, id)).body.error_code).toBe("SESSION_FULL");
  expect(await idsIn(id)).toEqual(idsOf(host, member));
});

test("H-24 Q-12 Q-13 a guest who comes back under another name is the same guest, with mute, block and name", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, other] = [await seated(path, "Wilhelmina"), await seated(path, "Bo")];
  await begin(host, id);
  await callAs(host, "PATCH", seatAt(id, guest), { mute: 1 });
  await callAs(member, "PUT", `/api/blocks/${encodeURIComponent(guest.username)}`);
  await leave(guest, id);
  expect((await post(guest, path, { intent: "sit-in", name: "Somebody new" })).status).toBe(302);
  const seats = await seatsOf(id);
  expect(seats.find(({ userId }) => userId === guest.id)?.guestName).toBe("Wilhelmina");
  expect(seats.filter(({ guestName }) => guestName === "Somebody new")).toEqual([]);
  expect([(await sayIn(guest, id)).status, (await sayIn(other, id)).status]).toEqual([403, 201]);
  expect((await visit(member, path)).html).not.toContain("Wilhelmina");
});

const PASSWORD = "a long walk to the hut";
const cookieOf = (answer: Response, name: RegExp) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .find((line) => name.test(line)) ?? "";

/** A browser in which this person signs in, and after that signs out and sits in as a guest. */
async function browserOf(person: TestUser) {
  await setUser(person.id, { passwordHash: await passwords.hash(PASSWORD) });
  const send = (address: string, form: Record<string, string>, cookie: string) =>
    ask(address, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: cookie, Origin: ORIGIN, Accept: "text/html" },
      body: new URLSearchParams(form),
    });
  const signedIn = await send(
    "/auth/login",
    { intent: "login", email: person.email, password: PASSWORD },
    "",
  );
  const device = cookieOf(signedIn, /device/);
  expect(device).toMatch(/=.{40,}/);
  return {
    signOut: () => send("/auth/logout", {}, `${device}; ${cookieOf(signedIn, /^login/)}`),
    sitIn: (path: string, name: string) => send(path, { intent: "sit-in", name }, device),
  };
}

const SENTENCES = {
  keptOut: KEPT_OUT,
  muted: "You are muted until 00:05.",
  mutedInHut: "You are muted in this hut until its owner or a moderator lifts the mute.",
  hut: "The owner or a moderator has closed this hut to you.",
  suspended: "Your account is suspended until Tuesday,",
  forEver: "Your account is suspended.",
};
/** The status of a form, and the names of the sentences on its page. */
async function sentencesOf(answer: Promise<Response>): Promise<(number | string)[]> {
  const response = await answer;
  const html = await response.text();
  return [
    response.status,
    ...Object.entries(SENTENCES).flatMap(([name, one]) => (html.includes(one) ? [name] : [])),
  ];
}

test("Q-15 H-24 a member who was kept out does not sit in as a guest by the same browser, and another browser does", async () => {
  const { host, member, id, path } = await openHouse();
  const browser = await browserOf(member);
  const out = await callAs(host, "DELETE", seatAt(id, member), { keep_out: 1 });
  expect(out.status).toBe(204);
  await browser.signOut();
  expect(await sentencesOf(browser.sitIn(path, "Ada"))).toEqual([403, "keptOut"]);
  expect(await idsIn(id)).toEqual(idsOf(host));
  expect((await sitIn(path, "Ada")).guest).not.toBeNull();
  // The ban names this session only.
  const other = await openHouse();
  expect((await browser.sitIn(other.path, "Ada")).status).toBe(302);
  await callAs(host, "DELETE", event(id, `bans/${member.username}`));
  expect((await browser.sitIn(path, "Bo")).status).toBe(302);
});

test("Q-13 Q-16 H-24 a muted member does not speak as a guest of the same browser until the mute ends, and another member does", async () => {
  const { host, member, id, path } = await openHouse();
  const hut = await makeHut(host, [member]);
  await setSession(id, { hutId: hut.id });
  const other = await makeUser();
  const [muted, free] = [await browserOf(member), await browserOf(other)];
  await begin(host, id);
  const setMute = (mute: number) => callAs(host, "PATCH", seatAt(id, member), { mute });
  expect((await setMute(300)).status).toBe(200);
  for (const browser of [muted, free]) await browser.signOut();
  expect(await sentencesOf(muted.sitIn(path, "Ada"))).toEqual([403, "muted"]);
  expect((await free.sitIn(path, "Bo")).status).toBe(302);
  const elsewhere = await openHouse();
  expect((await muted.sitIn(elsewhere.path, "Ada")).status).toBe(302);
  vi.setSystemTime(Date.now() + 301_000);
  expect((await muted.sitIn(path, "Ada")).status).toBe(302);
  // The mute of the hut is the hut's.
  const hutMute = { scope: "hut", targetId: hut.id, userId: member.id, kind: "mute" } as const;
  await db.insert(schema.sanctions).values({ ...hutMute, createdAt: now() });
  expect(await sentencesOf(muted.sitIn(path, "Cleo"))).toEqual([403, "mutedInHut"]);
  expect((await free.sitIn(path, "Dan")).status).toBe(302);
});

test("H-24 Q-15 Q-16 Q-18 a browser is kept out while a ban or a suspension of its person is in force, however old", async () => {
  const { host, member, id, path } = await openHouse();
  const apart = await openHouse();
  const browser = await browserOf(member);
  await browser.signOut();
  const longAgo = { createdAt: instant(now() - 90 * DAY) };
  const suspension = { scope: "site", targetId: 0, userId: member.id, kind: "ban" } as const;
  await db.insert(schema.sanctions).values({ ...suspension, ...longAgo, reason: "Rude letters" });
  expect(await sentencesOf(browser.sitIn(path, "Ada"))).toEqual([403, "forEver"]);
  expect(await (await browser.sitIn(path, "Ada")).text()).not.toContain("Rude letters");
  await db.delete(schema.sanctions).where(eq(schema.sanctions.userId, member.id));
  await callAs(host, "DELETE", seatAt(id, member), { keep_out: 1 });
  await db.update(schema.sanctions).set(longAgo).where(eq(schema.sanctions.userId, member.id));
  expect((await browser.sitIn(path, "Bo")).status).toBe(403);
  expect((await browser.sitIn(apart.path, "Cleo")).status).toBe(302);
});

test("H-24 Q-15 a guest who comes back by a network that is kept out reads why, and one of another session comes back", async () => {
  const { host, member, id, path } = await openHouse();
  const apart = await openHouse();
  const [guest, rude] = [await seated(path, "Ada"), await seated(path, "Bo")];
  const other = await seated(apart.path, "Cleo");
  for (const [user, session] of [
    [guest, id],
    [other, apart.id],
  ] as const)
    await leave(user, session);
  expect((await callAs(host, "DELETE", seatAt(id, rude), { keep_out: 1 })).status).toBe(204);
  const back = await join(guest, id);
  expect([back.status, back.body.error_code, back.body.message]).toEqual([403, "FORBIDDEN", KEPT_OUT]);
  expect(await idsIn(id)).toEqual(idsOf(host, member));
  expect((await join(other, apart.id)).status).toBe(200);
});

const isSignedIn = async ({ loginToken }: TestUser) =>
  (await testApp({ loginToken, now: now() })).user !== null;

/** Runs `work` while the seat of this person cannot be deleted. */
async function withStuckSeat(userId: number, work: () => Promise<void>): Promise<void> {
  await env.DB.exec(
    `CREATE TRIGGER stuck_seat BEFORE DELETE ON participants WHEN OLD.user_id = ${userId} BEGIN SELECT RAISE(ABORT, 'stuck'); END`,
  );
  await work().finally(() => env.DB.exec("DROP TRIGGER stuck_seat"));
}

test("H-19 X-10 a guest who signs out gives up the seat and its sockets, and can again after a failure", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await begin(host, id);
  const [line, kept] = [await joinRoom(guest, id), await joinRoom(other, id)];
  await withStuckSeat(guest.id, async () => {
    expect((await callAs(guest, "POST", "/logout")).status).toBe(500);
  });
  expect([await isSignedIn(guest), await idsIn(id)]).toEqual([true, idsOf(host, member, guest, other)]);
  expect((await callAs(guest, "POST", "/logout")).status).toBe(204);
  expect((await line.closed).code).toBe(CLOSE.notAllowed);
  expect([await isSignedIn(guest), await isSignedIn(other)]).toEqual([false, true]);
  expect(await idsIn(id)).toEqual(idsOf(host, member, other));
  kept.say({ type: "ready", is_ready: true });
  await kept.expect("participants", ({ participants }) => participants.some((one) => one.is_ready === 1));
});

test("H-19 a sign-in that fails to give up the guest's seat leaves the guest signed in, and the next one succeeds", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  const person = await makeUser();
  await setUser(person.id, { passwordHash: await passwords.hash(PASSWORD) });
  const signIn = () =>
    post(guest, "/auth/login", { intent: "login", email: person.email, password: PASSWORD });
  const loginsOfPerson = async () =>
    (await db.select().from(schema.logins).where(eq(schema.logins.userId, person.id))).length;
  const before = await loginsOfPerson();
  await withStuckSeat(guest.id, async () => {
    expect((await signIn()).status).toBe(500);
  });
  expect([await isSignedIn(guest), await loginsOfPerson()]).toEqual([true, before]);
  expect((await signIn()).status).toBe(302);
  expect([await isSignedIn(guest), await loginsOfPerson()]).toEqual([false, before + 1]);
  expect(await idsIn(id)).toEqual(idsOf(host, member, other));
});

test("H-22 a guest who registers keeps the seat, though another tab of the browser signs out at the same time", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  const tab = await appOf(guest, now());
  const registered = await post(guest, "/auth/register", {
    intent: "register",
    email: "ada-two-tabs@example.com",
    username: "ada-two-tabs",
    password: "correct horse battery",
    passwordConfirmation: "correct horse battery",
    terms: "on",
  });
  expect(registered.status).toBe(302);
  await logout(tab);
  expect(await idsIn(id)).toEqual(idsOf(host, member, guest, other));
  expect((await sessionNow(id))?.participantsCount).toBe(4);
  expect((await seatsOf(id)).find(({ userId }) => userId === guest.id)?.username).toBe("ada-two-tabs");
});

test("H-20 H-21 the seat of a guest whose login has expired goes back to the host, a few at a time, and others sit on", async () => {
  const { host, member, id, path } = await openHouse();
  const paid = await balanceOf(host);
  const [one, two, kept] = [await seated(path, "Ada"), await seated(path, "Bo"), await seated(path, "Cleo")];
  const closed = await openHouse();
  const past = await seated(closed.path, "Dan");
  await setSession(closed.id, { closedAt: now() });
  for (const { id: userId } of [one, past])
    await db.delete(schema.logins).where(eq(schema.logins.userId, userId));
  await db.update(schema.logins).set({ expiresAt: now() }).where(eq(schema.logins.userId, two.id));
  expect(await eraseGuests(await testApp({ now: now() }), 1)).toMatchObject({ freed: 1, failed: 0 });
  expect(await idsIn(id)).toEqual(idsOf(host, member, two, kept));
  expect(await eraseGuests(await testApp({ now: now() }))).toMatchObject({ freed: 1, failed: 0 });
  expect(await idsIn(id)).toEqual(idsOf(host, member, kept));
  expect([await balanceOf(host), (await sessionNow(id))?.participantsCount]).toEqual([paid - 100, 3]);
  expect(await idsIn(closed.id)).toEqual(idsOf(closed.host, closed.member, past));
  expect(await eraseGuests(await testApp({ now: now() }))).toMatchObject({ freed: 0, failed: 0 });
});

test.each(["waiting", "running"])(
  "H-24 R-69 a form from before all guests were removed does not let guests in again: %s",
  async (status) => {
    const { host, id, path } = await openHouse();
    const apart = await openHouse();
    const save = (challenge: object) => callAs(host, "PATCH", event(id, "patch"), { challenge });
    const dateOf = async (session: number) => {
      const { updatedAt, sequence } = (await sessionNow(session)) ?? {};
      return { updatedAt, sequence };
    };
    await seated(path, "Ada");
    if (status === "running") await begin(host, id);
    const began = (await save({ donation_link: "https://example.com/tea" })).body.challenge_event.updated_at;
    const before = await dateOf(id);
    const beforeApart = await dateOf(apart.id);
    expect((await post(host, `${path}/people`, { intent: "guests.remove" })).status).toBe(302);
    const late = await save({ guest_limit: 5, updated_at: began });
    expect([late.status, late.body.error_code]).toEqual([409, "CONFLICT"]);
    expect((await sitIn(path, "Bo")).guest).toBeNull();
    expect((await sessionNow(id))?.sequence).toBe(before.sequence);
    expect(await dateOf(apart.id)).toEqual(beforeApart);
    // The answer to the refusal is saved.
    const updated_at = new Date(late.body.newer.updatedAt).toISOString();
    expect((await save({ guest_limit: 1, updated_at })).status).toBe(200);
    expect((await sitIn(path, "Bo")).guest).not.toBeNull();
  },
);

test("H-20 R-55 R-69 a form from before a hand-over neither takes guests nor makes joining free again, once its host is host again", async () => {
  const { host, member, id, path } = await openHouse();
  await callAs(host, "PATCH", event(id, "patch"), { challenge: { is_free: 1 } });
  const save = (challenge: object) => callAs(host, "PATCH", event(id, "patch"), { challenge });
  const updated_at = (await save({ donation_link: "https://example.com/tea" })).body.challenge_event
    .updated_at;
  expect((await callAs(host, "PATCH", seatAt(id, member), { host: 1 })).status).toBe(200);
  expect((await callAs(member, "PATCH", seatAt(id, host), { host: 1 })).status).toBe(200);
  for (const change of [{ guest_limit: 5 }, { is_free: 1 }])
    expect([change, (await save({ ...change, updated_at })).status]).toEqual([change, 409]);
  expect((await sitIn(path, "Bo")).guest).toBeNull();
  expect((await save({ guest_limit: 1 })).status).toBe(200);
});

test("H-19 R-58 a page that was made for a guest writes nothing once somebody signs in on its browser, whose sign-in gives up the guest's seat", async () => {
  const { host, member, id, path } = await openHouse();
  const other = await seated(path, "Bo");
  const guest = await seated(path, "Ada");
  const person = await makeUser();
  await setUser(person.id, { passwordHash: await passwords.hash(PASSWORD) });
  const paid = await balanceOf(host);
  const mark = markOf((await testApp({ loginToken: guest.loginToken, now: now() })).user) ?? "";
  const signedIn = await post(guest, "/auth/login", {
    intent: "login",
    email: person.email,
    password: PASSWORD,
  });
  expect(signedIn.status).toBe(302);
  expect(await idsIn(id)).toEqual(idsOf(host, member, other));
  expect([await balanceOf(host), (await sessionNow(id))?.participantsCount]).toEqual([paid + 100, 3]);
  const late = await post(person, path, { intent: "aim", aim: "Mine", [MADE_FOR_FIELD]: mark });
  expect([late.status, late.html.includes(`You are signed in as ${person.username} now.`)]).toEqual([
    409,
    true,
  ]);
  expect((await post(person, path, { intent: "join" })).status).toBe(302);
  expect(await idsIn(id)).toEqual(idsOf(host, member, other, person));
});

test("R-71 R-93 a press that waits for a sign-in is dropped when its browser sits in as a guest, and keeping the seat takes no second one", async () => {
  const { host, member, id, path } = await openHouse();
  const refused = await post(null, path, { intent: "join" });
  expect(refused.status).toBe(401);
  const kept = refused.headers.getSetCookie().find((line) => line.startsWith("interrupted=")) ?? "";
  const [, actToResume = ""] = /name="actToResume" value="([^"]+)"/.exec(refused.html) ?? [];
  const guest = await seated(path, "Ada");
  const answer = await ask("/auth/register", {
    method: "POST",
    redirect: "manual",
    headers: {
      Cookie: `login=${guest.loginToken}; ${kept.split(";")[0]}`,
      Origin: ORIGIN,
      Accept: "text/html",
    },
    body: new URLSearchParams({
      intent: "register",
      next: path,
      actToResume,
      email: "ada-kept@example.com",
      username: "ada-kept",
      password: "correct horse battery",
      passwordConfirmation: "correct horse battery",
      terms: "on",
    }),
  });
  expect(answer.status).toBe(302);
  expect(await idsIn(id)).toEqual(idsOf(host, member, guest));
  expect(await balanceOf(guest)).toBe(1000);
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
  await begin(host, id);
  expect(await by(reads, "PATCH", seatAt(id, guest), { mute: 1 })).toBe(403);
  expect(await by(reads, "DELETE", seatAt(id, guest))).toBe(403);
  expect(await by(hosts, "PATCH", seatAt(id, guest), { mute: 1 })).toBe(200);
  expect([(await sayIn(guest, id)).status, (await sayIn(other, id)).status]).toEqual([403, 201]);
  expect(await by(hosts, "PATCH", seatAt(id, guest), { host: 1 })).toBe(403);
  expect(await by(hosts, "DELETE", seatAt(id, guest), { keep_out: 1 })).toBe(204);
  expect(await idsIn(id)).toEqual(idsOf(host, member, other));
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
  await begin(host, id);
  const line = await joinRoom(guest, id);
  expect((await callAs(host, "DELETE", seatAt(id, guest))).status).toBe(204);
  await line.closed;
  const presses: [string, string, string, object][] = [
    ["say", "POST", "/messages", { messageable_type: "challenge_event", messageable_id: id, content: "Hm" }],
    ["aim", "POST", event(id, "aim"), { aim: "Late" }],
    ["ready", "POST", `/challenges/${slug}/user-is-ready`, { is_ready: 1 }],
    ["contribute", "PUT", `/challenges/${slug}/contribute-content`, { contribution: "Late" }],
    ["log", "POST", event(id, "logs"), { title: "Late", amount: 1 }],
    ["done", "POST", event(id, "complete"), {}],
  ];
  for (const [name, method, address, body] of presses)
    expect([name, (await callAs(guest, method, address, body)).status]).toEqual([name, 403]);
  expect((await post(guest, path, { intent: "aim", aim: "Late" })).status).toBe(403);
  expect((await post(guest, path, { intent: "complete" })).status).toBe(403);
  expect((await post(guest, `${path}/chat`, { intent: "say", content: "Hm" })).status).toBe(403);
  // Leaving twice is no error.
  expect((await leave(guest, id)).status).toBe(200);
  expect(await idsIn(id)).toEqual(idsOf(host, member, other));
  const page = await visit(guest, path);
  expect([page.status, page.html.includes("You sit in as Ada")]).toEqual([200, false]);
  expect((await post(guest, path, { intent: "join" })).status).toBe(302);
  expect((await sayIn(other, id)).status).toBe(201);
  expect(await idsIn(id)).toEqual(idsOf(host, member, other, guest));
});

test("H-19 R-83 a guest takes a turn, contributes in it and passes it on, and a removed guest's turn goes on", async () => {
  const part = { uuid: "r", title: "Round", duration: 60, per_participant: 1, edit_content: 1 };
  const { host, member, id, slug, path } = await openHouse({
    parts: [{ uuid: "g", auto_start: 0, parts: [part] }],
  });
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await begin(host, id);
  for (const user of [host, member, guest, other]) await joinRoom(user, id);
  await callAs(host, "POST", event(id, "parts/r/start"), {});
  const next = (by: TestUser, act: string) => callAs(by, "POST", event(id, `parts/r/${act}`), {});
  expect((await next(guest, "pass")).status).toBeGreaterThanOrEqual(400);
  for (const _ of [1, 2]) expect((await next(host, "next")).status).toBe(200);
  const wrote = await callAs(guest, "PUT", `/challenges/${slug}/contribute-content`, {
    contribution: "By Ada",
  });
  expect(wrote.status).toBe(200);
  expect((await next(guest, "pass")).status).toBe(200);
  expect((await callAs(host, "DELETE", seatAt(id, other))).status).toBe(204);
  expect((await next(other, "pass")).status).toBe(403);
  expect(await idsIn(id)).toEqual(idsOf(host, member, guest));
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
  await begin(host, id);
  await callAs(host, "POST", event(id, "parts/f/start"), {});
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
  expect(await idsIn(id)).toEqual(idsOf(host, member));
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
  await callAs(host, "PATCH", event(id, "patch"), { challenge: { started_at: iso(Date.now() + 3 * DAY) } });
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
  await begin(host, id);
  for (const user of [member, guest]) await joinRoom(user, id);
  await callAs(guest, "POST", event(id, "aim"), { aim: "Two pages" });
  vi.setSystemTime(Date.now() + 30 * MINUTE);
  await end(host, id);
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
  const changed = await callAs(host, "PATCH", event(one.id, "patch"), {
    challenge: { title: "Evening pages", started_at: iso(Number(one.startedAt) + HOUR), guest_limit: 2 },
    scope: "later",
  });
  expect(changed.status).toBe(200);
  const after = await openOf(one.seriesId ?? 0);
  expect(after.slice(0, 2).map(({ title }) => title)).toEqual(["Evening pages", "Evening pages"]);
  expect((await sessionNow(one.id))?.guestLimit).toBe(2);
  // Both dates have one host, who answers for the guests of both (H-17).
  expect((await sessionNow(two.id))?.guestLimit).toBe(2);
  expect([await idsIn(one.id), await idsIn(two.id)]).toEqual(guests.map((guest) => idsOf(host, guest)));
  await callAs(host, "PATCH", event(two.id, "patch"), { challenge: { guest_limit: 0 }, scope: "later" });
  expect((await sitIn(`/sessions/${two.id}`, "Bo")).guest).toBeNull();
  expect(await idsIn(two.id)).toEqual(idsOf(host, guests[1] as TestUser));
});

test("Q-29 H-23 H-24 acts on guests are in the audit by number, and a report of a guest's answer keeps its text", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await begin(host, id);
  await callAs(guest, "POST", event(id, "aim"), { aim: "A rude answer" });
  const reported = await callAs(member, "POST", "/api/reports", {
    kind: "aim",
    id: `${id}:${guest.username}`,
    reason: "spam",
  });
  expect(reported.status).toBeLessThan(300);
  expect((await callAs(host, "DELETE", `${seatAt(id, guest)}/aim`)).status).toBeLessThan(300);
  await post(host, `${path}/people`, { intent: "guest.rename", username: guest.username, name: "Grace" });
  await callAs(host, "PATCH", seatAt(id, guest), { mute: 300 });
  await callAs(host, "DELETE", seatAt(id, guest), { keep_out: 1 });
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
  expect(await idsIn(id)).toEqual(idsOf(host, member, other));
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
  await begin(host, id);
  for (const [user, aim] of [
    [member, "A rude answer"],
    [guest, "My own"],
  ] as const)
    await callAs(user, "POST", event(id, "aim"), { aim });
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

// Guests and the logins of a browser: a mute, a ban or a seat holds through signing in, signing out and coming back.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, setUser, type TestUser, testApp } from "#tests/support/factories";
import {
  beginRun,
  eventPath,
  now,
  openHouse,
  seated,
  seatedIds,
  seatPath,
  sitIn,
  sortedIds,
} from "#tests/support/guests";
import { joinRoom, useRoomClock } from "#tests/support/rooms";
import { restSeries } from "#tests/support/series";
import {
  balanceOf,
  join,
  leave,
  makeHut,
  sayIn,
  seatsOf,
  sessionNow,
  setSession,
} from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { KEPT_OUT } from "~/domain/safety/sanctions";
import { DAY, instant } from "~/domain/time";
import { logout } from "~/use-cases/accounts/accounts.server";
import { passwords } from "~/use-cases/accounts/password-hashes.server";
import { markOf } from "~/use-cases/made-for.server";
import { MADE_FOR_FIELD } from "~/wire/made-for";
import { CLOSE } from "~/wire/room/room";

useRoomClock();
beforeEach(restSeries);
keepBystanders(restSeries);

test("H-24 Q-12 Q-13 a guest who comes back under another name is the same guest, with mute, block and name", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, other] = [await seated(path, "Wilhelmina"), await seated(path, "Bo")];
  await beginRun(host, id);
  await callAs(host, "PATCH", seatPath(id, guest), { mute: 1 });
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
  const out = await callAs(host, "DELETE", seatPath(id, member), { keep_out: 1 });
  expect(out.status).toBe(204);
  await browser.signOut();
  expect(await sentencesOf(browser.sitIn(path, "Ada"))).toEqual([403, "keptOut"]);
  expect(await seatedIds(id)).toEqual(sortedIds(host));
  expect((await sitIn(path, "Ada")).guest).not.toBeNull();
  // The ban names this session only.
  const other = await openHouse();
  expect((await browser.sitIn(other.path, "Ada")).status).toBe(302);
  await callAs(host, "DELETE", eventPath(id, `bans/${member.username}`));
  expect((await browser.sitIn(path, "Bo")).status).toBe(302);
});

test("Q-13 Q-16 H-24 a muted member does not speak as a guest of the same browser until the mute ends, and another member does", async () => {
  const { host, member, id, path } = await openHouse();
  const hut = await makeHut(host, [member]);
  await setSession(id, { hutId: hut.id });
  const other = await makeUser();
  const [muted, free] = [await browserOf(member), await browserOf(other)];
  await beginRun(host, id);
  const setMute = (mute: number) => callAs(host, "PATCH", seatPath(id, member), { mute });
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
  await callAs(host, "DELETE", seatPath(id, member), { keep_out: 1 });
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
  expect((await callAs(host, "DELETE", seatPath(id, rude), { keep_out: 1 })).status).toBe(204);
  const back = await join(guest, id);
  expect([back.status, back.body.error_code, back.body.message]).toEqual([403, "FORBIDDEN", KEPT_OUT]);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member));
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
  await beginRun(host, id);
  const [line, kept] = [await joinRoom(guest, id), await joinRoom(other, id)];
  await withStuckSeat(guest.id, async () => {
    expect((await callAs(guest, "POST", "/logout")).status).toBe(500);
  });
  expect([await isSignedIn(guest), await seatedIds(id)]).toEqual([
    true,
    sortedIds(host, member, guest, other),
  ]);
  expect((await callAs(guest, "POST", "/logout")).status).toBe(204);
  expect((await line.closed).code).toBe(CLOSE.notAllowed);
  expect([await isSignedIn(guest), await isSignedIn(other)]).toEqual([false, true]);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, other));
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
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, other));
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
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, guest, other));
  expect((await sessionNow(id))?.participantsCount).toBe(4);
  expect((await seatsOf(id)).find(({ userId }) => userId === guest.id)?.username).toBe("ada-two-tabs");
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
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, other));
  expect([await balanceOf(host), (await sessionNow(id))?.participantsCount]).toEqual([paid + 100, 3]);
  const late = await post(person, path, { intent: "aim", aim: "Mine", [MADE_FOR_FIELD]: mark });
  expect([late.status, late.html.includes(`You are signed in as ${person.username} now.`)]).toEqual([
    409,
    true,
  ]);
  expect((await post(person, path, { intent: "join" })).status).toBe(302);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, other, person));
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
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, guest));
  expect(await balanceOf(guest)).toBe(1000);
});

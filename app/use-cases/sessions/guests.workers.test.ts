import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, errorCodeOf, makeUser, setUser, type TestUser, testApp } from "#tests/support/factories";
import { seated, sitIn } from "#tests/support/guests";
import { runsOf } from "#tests/support/property-seed";
import { makeSeries, openOf, restSeries } from "#tests/support/series";
import {
  balanceOf,
  join,
  leave,
  makeSession,
  sayIn,
  seatsOf,
  sessionNow,
  setSession,
} from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { GUEST_REFUSED } from "~/domain/room/guest-names";
import { DAY, instant } from "~/domain/time";
import { eraseGuests } from "~/use-cases/erase-guests.server";
import { fileReport } from "~/use-cases/safety/reports.server";
import { updateSession } from "./update.server";

beforeEach(restSeries);

/** A session of a rich host that takes guests. */
async function openHouse(over: { guests?: number; tokens?: number } = {}, session: object = {}) {
  const host = await makeUser({ tokens: over.tokens ?? 5000 });
  const made = await makeSession(host, session as Record<string, unknown>);
  await setSession(made.id, { guestLimit: over.guests ?? 5 });
  return { host, ...made, paid: await balanceOf(host) };
}

const guestsOf = async (id: number) => (await seatsOf(id)).filter(({ guestName }) => guestName !== "");
/** The number of rows of every table of D1. */
async function rowsOf(): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  ).all<{ name: string }>();
  const counts = await env.DB.batch(
    results.map(({ name }) => env.DB.prepare(`SELECT '${name}' AS name, count(*) AS n FROM "${name}"`)),
  );
  return counts.map((one) => one.results);
}

test("H-18 H-20 H-23 R-92 a name and one press sign a guest in to the seat, and the host pays one token", async () => {
  const { host, id, path, paid } = await openHouse();
  const page = await visit(null, path);
  expect(await page.texts("main form p")).toContain("or sit in as a guest");
  const guest = await seated(path, "  Ada 🦊 ");
  expect(guest.username).toBe("~Ada");
  expect(await guestsOf(id)).toMatchObject([{ userId: guest.id, guestName: "Ada 🦊", paidBy: host.id }]);
  expect(await balanceOf(host)).toBe(paid - 100);
  const mine = await visit(guest, path);
  expect([mine.status, mine.html.includes("Ada 🦊")]).toEqual([200, true]);
  expect(mine.html).toContain("Keep my seat");
});

test("H-17 without the switch a visitor sees no form of guests, and the form is refused", async () => {
  const { path } = await openHouse({ guests: 0 });
  expect((await visit(null, path)).html).not.toContain("sit in as a guest");
  expect((await sitIn(path, "Ada")).answer.status).toBe(401);
});

test("H-17 guests need a host with a confirmed address, an open session and at most as many places as it has", async () => {
  const { host, id } = await openHouse({ guests: 0 });
  const open = async (guestLimit: number) =>
    errorCodeOf(updateSession(await appOf(host), { session: id, guestLimit }));
  await setUser(host.id, { emailConfirmedAt: null });
  expect(await open(3)).toBe("FORBIDDEN");
  await setUser(host.id, { emailConfirmedAt: instant(Date.now()) });
  await setSession(id, { isPrivate: true });
  expect(await open(3)).toBe("INVALID");
  await setSession(id, { isPrivate: false, participantLimit: 4 });
  expect(await open(5)).toBe("INVALID");
  expect(await open(4)).toBe("ok");
});

test("H-17 a participant limit below the places of guests is refused at its field, and in a series takes the places", async () => {
  const { host, id, path } = await openHouse({ guests: 5 });
  const [other] = [await openHouse({ guests: 5 })];
  const limited = (participant_limit: number, more: object = {}) =>
    callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge: { participant_limit, ...more } });
  const refused = await limited(4);
  const sentence = "Guests may take 5 places. Please give at least as many, or fewer to guests.";
  expect([refused.status, refused.body.fields]).toEqual([422, { participant_limit: [sentence] }]);
  expect((await sessionNow(id))?.participantLimit).toBe(null);
  const form = await visit(host, `/events/${id}/update`);
  const fields = Object.fromEntries(
    (await form.all("main form input[name]"))
      .filter(({ attributes }) => attributes.type !== "checkbox" || attributes.checked !== undefined)
      .map(({ attributes }) => [attributes.name ?? "", attributes.value ?? "on"]),
  );
  const page = await post(host, `/events/${id}/update`, { ...fields, participantLimit: "4" });
  expect(page.status).toBe(422);
  expect(page.html).toContain(sentence);
  // Both at once, and a later change of something else.
  expect((await limited(4, { guest_limit: 4 })).status).toBe(200);
  await setSession(id, { guestLimit: 5 });
  expect((await limited(4, { title: "Evening pages" })).status).toBe(200);
  expect(await sitIn(path, "Rowan")).toMatchObject({ guest: { username: "~Rowan" } });
  const series = await makeSeries(host);
  const [date] = await openOf(series);
  await setSession(date?.id ?? 0, { guestLimit: 3 });
  const change = { series: { session: { participant_limit: 2 } } };
  const all = await callAs(host, "PATCH", `/api/series/${series}`, change);
  // The host of a date answers for its guests, so a series takes only the places that are gone.
  expect(all.status, JSON.stringify(all.body)).toBe(200);
  expect(await sessionNow(date?.id ?? 0)).toMatchObject({ participantLimit: 2, guestLimit: 2 });
  expect(await sessionNow(other.id)).toMatchObject({ guestLimit: 5, participantLimit: null });
});

test("H-17 H-23 JSON calls read and change the number of guests, and name guests in the roster", async () => {
  const host = await makeUser({ tokens: 5000 });
  const { id, path } = await makeSession(host, { guest_limit: "3" });
  const read = async (user: TestUser | null) => (await dataOf(user, `/api/sessions/${id}`)).session;
  expect((await read(host)).guest_limit).toBe(3);
  const guest = await seated(path, "Ida 🦊");
  for (const user of [host, guest]) {
    const { participants } = await read(user);
    expect(
      participants.map((one: { username: string; guest_name?: string }) => [one.username, one.guest_name]),
    ).toEqual([
      [host.username, undefined],
      [guest.username, "Ida 🦊"],
    ]);
  }
  const change = (guest_limit: unknown) =>
    callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge: { guest_limit } });
  expect(JSON.stringify((await change("many")).body)).toContain("Please give a number of guests.");
  expect([(await change(0)).status, (await read(host)).guest_limit]).toEqual([200, 0]);
});

test("H-24 Q-13 a muted guest says nothing until it ends, and another guest still does", async () => {
  const { host, path, id } = await openHouse();
  const [guest, other] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  expect((await sayIn(guest, id, "One")).status).toBe(201);
  const muted = await callAs(host, "PATCH", `/challenge-events/${id}/participants/${guest.username}`, {
    mute: 300,
  });
  expect(muted.status).toBe(200);
  expect((await sayIn(guest, id, "Two")).status).toBe(403);
  expect((await sayIn(other, id, "Three")).status).toBe(201);
});

test("H-24 Q-24 slow mode holds for a guest as for a member", async () => {
  const { host, path, id } = await openHouse();
  const [guest, member] = [await seated(path, "Ada"), await makeUser()];
  await join(member, id);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge: { slow_mode: 60 } });
  const twice = async (user: TestUser) => [
    (await sayIn(user, id, "One")).status,
    (await sayIn(user, id, "Two")).status,
  ];
  const [first, second] = [await twice(guest), await twice(member)];
  expect([first, first[0]]).toEqual([second, 201]);
  expect(first[1]).toBeGreaterThanOrEqual(400);
});

test("H-24 Q-12 a member who blocks a guest and the guest read each other as Participant N", async () => {
  const { host, path, id } = await openHouse();
  const [guest, member] = [await seated(path, "Wilhelmina"), await makeUser()];
  await join(member, id);
  expect(
    (await callAs(member, "PUT", `/api/blocks/${encodeURIComponent(guest.username)}`)).status,
  ).toBeLessThan(300);
  const page = async (user: TestUser) => JSON.stringify(await dataOf(user, `/api/sessions/${id}`));
  expect(await page(host)).toContain(guest.username);
  expect(await page(member)).not.toContain("Wilhelmina");
  expect(await page(guest)).not.toContain(member.username);
  expect((await visit(guest, path)).html).not.toContain(member.username);
});

test("H-19 Q-09 a guest reports three things, and a fourth is refused", async () => {
  const { host, path, id } = await openHouse();
  const guest = await seated(path, "Ada");
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const send = async (seq: number) =>
    errorCodeOf(
      fileReport(await testApp({ loginToken: guest.loginToken, now: instant(Date.now()) }), {
        kind: "message",
        id: `${id}:${seq}`,
        reason: "other",
      }),
    );
  const said = [];
  for (const text of ["One", "Two", "Three", "Four"])
    said.push((await sayIn(host, id, text)).body.message.seq);
  const answers = [];
  for (const seq of said) answers.push(await send(seq));
  expect(answers).toEqual(["ok", "ok", "ok", "FORBIDDEN"]);
});

test("H-25 opening an invitation writes no row and sets no login, however often", {
  timeout: 600_000,
}, async () => {
  const { path } = await openHouse();
  const before = await rowsOf();
  for (let n = 0; n < runsOf(10_000, 50); n++) {
    const { headers } = await visit(null, path);
    expect(headers.getSetCookie().filter((one) => !one.startsWith("XSRF-TOKEN="))).toEqual([]);
  }
  expect(await rowsOf()).toEqual(before);
});

test("H-18 a code is needed, and a full session says M-29", async () => {
  const { path, id } = await openHouse({}, { join_code: "owl" });
  expect((await sitIn(path, "Ada")).answer.status).toBe(403);
  expect((await sitIn(path, "Ada", { joinCode: "wrong" })).answer.status).toBe(403);
  expect((await sitIn(path, "Ada", { joinCode: "owl" })).guest).not.toBeNull();
  await setSession(id, { participantLimit: 2 });
  const { answer } = await sitIn(path, "Bob", { joinCode: "owl" });
  expect([answer.status, answer.html.includes("This session is full")]).toEqual([409, true]);
});

test("H-18 a person who is signed in sits as themselves", async () => {
  const { path, id } = await openHouse();
  const user = await makeUser();
  expect((await post(user, path, { intent: "sit-in", name: "Somebody" })).status).toBe(302);
  expect((await seatsOf(id)).map(({ username }) => username)).toContain(user.username);
});

test("H-23 two guests never have names that look alike, nor one of somebody with a seat", async () => {
  const { host, path, id } = await openHouse();
  await seated(path, "Zoë");
  for (const name of ["zoe", "ZOE ", host.username.toUpperCase(), "Host"])
    expect([name, (await sitIn(path, name)).answer.status]).toEqual([name, 422]);
  expect(await guestsOf(id)).toHaveLength(1);
  const other = await openHouse();
  expect((await seated(other.path, "Zoe")).username).toMatch(/^~Zoe-/);
});

test("H-20 100 guests race for 10 places: 10 seats and 10 tokens", { timeout: 120_000 }, async () => {
  const { host, path, id, paid } = await openHouse({ guests: 10 });
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, n) => sitIn(path, `Guest number ${String.fromCodePoint(0x4e00 + n)}`)),
  );
  const taken = all.filter(({ guest }) => guest !== null);
  expect([taken.length, (await guestsOf(id)).length, paid - (await balanceOf(host))]).toEqual([10, 10, 1000]);
  const [users] = await db
    .select({ n: sql<number>`count(*)` })
    .from(schema.users)
    .where(eq(schema.users.guestOf, id));
  expect(users?.n).toBe(10);
  expect(new Set(all.map(({ answer }) => answer.status))).toEqual(new Set([302, 409]));
});

test("H-20 a host with tokens for three gets three guests, and the fourth reads no balance", async () => {
  const { host, path, id } = await openHouse({ tokens: 400 });
  for (const name of ["Ada", "Bob", "Cleo"]) await seated(path, name);
  const { answer, guest } = await sitIn(path, "Dan");
  expect([answer.status, guest]).toEqual([402, null]);
  expect(answer.html).toContain("The host pays for joining this session and is out of tokens.");
  expect([await balanceOf(host), (await guestsOf(id)).length]).toEqual([0, 3]);
});

test("H-19 H-20 a guest has the hour, at the host's cost, and everything else is FORBIDDEN", async () => {
  const { host, path, id, slug } = await openHouse();
  const guest = await seated(path, "Ada");
  expect((await callAs(guest, "POST", `/challenges/${slug}/user-is-ready`, { is_ready: 1 })).status).toBe(
    200,
  );
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const before = await balanceOf(host);
  expect((await sayIn(guest, id, "Hello all")).status).toBe(201);
  expect(await balanceOf(host)).toBe(before - 100);
  const log = await callAs(guest, "POST", `/challenge-events/${id}/logs`, { title: "Two pages", amount: 2 });
  expect(log.status).toBe(201);
  expect((await callAs(guest, "POST", `/challenge-events/${id}/aim`, { aim: "Two pages" })).status).toBe(200);
  expect(await balanceOf(host)).toBe(before - 101);
  for (const [method, address, body] of [
    ["GET", "/get-user", undefined],
    ["GET", "/api/home", undefined],
    ["POST", "/challenge-events", { challenge: { title: "Mine" } }],
    ["POST", `/challenges/${slug}/posts`, { item: { content: "Hello" } }],
    ["POST", `/challenge-events/${id}/start`, {}],
  ] as const) {
    const answer = await callAs(guest, method, address, body);
    expect([address, answer.status, answer.body.message]).toEqual([address, 403, GUEST_REFUSED]);
  }
  vi.setSystemTime(Date.now() + 600_000);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  expect(await balanceOf(host)).toBe(before - 2);
  expect((await visit(guest, `${path}/recap`)).status).toBe(200);
});

test("H-20 after 100 lines and logs together a guest reads so", { timeout: 60_000 }, async () => {
  const { host, path, id } = await openHouse();
  const guest = await seated(path, "Ada");
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(guest, "POST", `/challenge-events/${id}/logs`, { title: "One", amount: 1 });
  for (let n = 0; n < 99; n++) expect((await sayIn(guest, id, `Line ${n}`)).status).toBe(201);
  const refused = await sayIn(guest, id, "One more");
  expect([refused.status, refused.body.message]).toEqual([403, "You have written 100 lines."]);
  const log = await callAs(guest, "POST", `/challenge-events/${id}/logs`, { title: "Two", amount: 1 });
  expect([log.status, log.body.message]).toEqual([403, "You have written 100 lines."]);
});

test("H-19 a guest leaves and comes back by the same link", async () => {
  const { path, id } = await openHouse();
  const guest = await seated(path, "Ada");
  expect((await leave(guest, id)).status).toBe(200);
  expect(await guestsOf(id)).toEqual([]);
  expect((await join(guest, id)).status).toBe(200);
  expect(await guestsOf(id)).toMatchObject([
    { userId: guest.id, guestName: "Ada", username: guest.username },
  ]);
});

test("H-24 a guest who is kept out finds no way back by the browser or its network", async () => {
  const { host, path, id } = await openHouse();
  const guest = await seated(path, "Ada");
  const gone = await callAs(host, "DELETE", `/challenge-events/${id}/participants/${guest.username}`, {
    keep_out: 1,
  });
  expect([gone.status, await guestsOf(id)]).toEqual([204, []]);
  expect((await join(guest, id)).status).toBe(403);
  expect((await sitIn(path, "Somebody else")).answer.status).toBe(403);
  // Another session is open to the same network.
  const other = await openHouse();
  expect((await sitIn(other.path, "Ada")).guest).not.toBeNull();
});

test("H-24 a browser that was kept out of one date is kept out of the others of the series for 30 days, and its network is not", async () => {
  const host = await makeUser({ tokens: 5000 });
  const [one, two] = await openOf(await makeSeries(host));
  if (!one || !two) throw new Error("no dates");
  for (const { id } of [one, two]) await setSession(id, { guestLimit: 5 });
  const apart = await openHouse();
  const guest = await seated(`/sessions/${one.id}`, "Ada");
  await callAs(host, "DELETE", `/challenge-events/${one.id}/participants/${guest.username}`, { keep_out: 1 });
  await db.delete(schema.logins).where(eq(schema.logins.userId, guest.id));
  const comesBack = async (path: string) =>
    (await post(guest, path, { intent: "sit-in", name: "Bo" })).status;
  expect(await comesBack(`/sessions/${two.id}`)).toBe(403);
  expect(await comesBack(apart.path)).toBe(302);
  expect((await sitIn(`/sessions/${two.id}`, "Cleo")).guest).not.toBeNull();
  const { now } = await testApp();
  await db.update(schema.guestBans).set({ until: now });
  expect(await comesBack(`/sessions/${two.id}`)).toBe(302);
});

test("H-24 all guests go in one batch, with their refunds and an audit row each", async () => {
  const { host, path, id, paid } = await openHouse();
  const others = await makeUser();
  await join(others, id);
  for (const name of ["Ada", "Bob", "Cleo"]) await seated(path, name);
  expect((await post(host, `${path}/people`, { intent: "guests.remove" })).status).toBe(302);
  expect([await guestsOf(id), await balanceOf(host)]).toEqual([[], paid]);
  expect((await sessionNow(id))?.participantsCount).toBe(2);
  const acts = await db
    .select()
    .from(schema.audit)
    .where(eq(schema.audit.targetId, String(id)));
  expect(acts.map(({ action, actorId }) => [action, actorId])).toEqual(
    Array.from({ length: 3 }, () => ["participant-removed", host.id]),
  );
  // Again: nobody is left, nothing changes.
  expect((await post(host, `${path}/people`, { intent: "guests.remove" })).status).toBe(302);
  expect((await sessionNow(id))?.participantsCount).toBe(2);
});

test("H-24 H-23 the host renames a guest, and removes all guests in one press", async () => {
  const { host, path, id } = await openHouse();
  const guest = await seated(path, "Ada");
  await seated(path, "Bob");
  const people = `${path}/people`;
  const renamed = await post(host, people, {
    intent: "guest.rename",
    username: guest.username,
    name: "Grace",
  });
  expect([renamed.status, (await guestsOf(id)).map(({ guestName }) => guestName)]).toEqual([
    302,
    ["Grace", "Bob"],
  ]);
  expect(
    (await post(guest, people, { intent: "guest.rename", username: guest.username, name: "X1" })).status,
  ).toBe(403);
  expect((await post(host, people, { intent: "guests.remove" })).status).toBe(302);
  expect([(await guestsOf(id)).length, (await seatsOf(id)).length]).toEqual([0, 1]);
  expect((await sitIn(path, "Cleo")).guest).toBeNull();
});

test("H-24 a guest removed while sitting down has no seat and costs nothing", async () => {
  const { host, path, id, paid } = await openHouse();
  const [{ guest }] = await Promise.all([
    sitIn(path, "Ada"),
    post(host, `${path}/people`, { intent: "guests.remove" }),
  ]);
  if (guest) await post(host, `${path}/people`, { intent: "guests.remove" });
  expect([await guestsOf(id), await balanceOf(host)]).toEqual([[], paid]);
});

test("H-20 H-26 a guest is never host or admin, and a hand-over switches guests off", async () => {
  const { host, path, id } = await openHouse();
  const guest = await seated(path, "Ada");
  const seat = `/challenge-events/${id}/participants/${encodeURIComponent(guest.username)}`;
  for (const body of [{ role: 1 }, { host: 1 }])
    expect((await callAs(host, "PATCH", seat, body)).status).toBe(403);
  const heir = await makeUser();
  await join(heir, id);
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${heir.username}`, { host: 1 });
  expect((await sitIn(path, "Bob")).guest).toBeNull();
  expect(await guestsOf(id)).toHaveLength(1);
});

const registration = (name: string) => ({
  intent: "register",
  email: `${name}@example.com`,
  username: name,
  password: "correct horse battery",
  passwordConfirmation: "correct horse battery",
  terms: "on",
});

test("H-22 a guest keeps seat, lines and logs with an account, in one of two tabs", async () => {
  const { host, path, id } = await openHouse();
  const guest = await seated(path, "Ada");
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(guest, "POST", `/challenge-events/${id}/logs`, { title: "Two pages", amount: 2 });
  const names = ["ada-first", "ada-second"];
  const answers = await Promise.all(names.map((name) => post(guest, "/auth/register", registration(name))));
  const won = answers.flatMap(({ status }, n) => (status === 302 ? [n] : []));
  expect([won.length, answers.map(({ status }) => status).sort()]).toEqual([1, [302, 409]]);
  const name = names[won[0] ?? 0];
  const [seat] = (await seatsOf(id)).filter(({ userId }) => userId === guest.id);
  expect(seat).toMatchObject({ username: name, guestName: "", guestLook: "" });
  const [user] = await db.select().from(schema.users).where(eq(schema.users.id, guest.id));
  expect(user).toMatchObject({ guestOf: null, endsAt: null, username: name, email: `${name}@example.com` });
  const logs = await db.select().from(schema.logs).where(eq(schema.logs.userId, guest.id));
  expect(logs).toMatchObject([{ title: "Two pages", username: name }]);
  expect(await balanceOf(guest)).toBe(1000);
  await eraseGuests(await testApp({ now: instant(Date.now() + 3 * DAY) }));
  expect((await db.select().from(schema.users).where(eq(schema.users.id, guest.id)))[0]?.username).toBe(name);
});

test("H-22 a guest who registers while the session ends keeps the seat", async () => {
  const { host, path, id } = await openHouse();
  const guest = await seated(path, "Ada");
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const [answer] = await Promise.all([
    post(guest, "/auth/register", registration("ada-at-the-end")),
    callAs(host, "POST", `/challenge-events/${id}/end`, {}),
  ]);
  expect(answer.status).toBe(302);
  const seat = (await seatsOf(id)).find(({ userId }) => userId === guest.id);
  expect(seat?.username).toBe("ada-at-the-end");
});

test("H-26 Q-29 a host who gives a guest a role reads that a guest holds none, and nothing changes", async () => {
  const { host, path, id } = await openHouse();
  const guest = await seated(path, "Ada");
  for (const body of [{ role: 1 }, { host: 1 }]) {
    const seat = `/challenge-events/${id}/participants/${encodeURIComponent(guest.username)}`;
    const answer = await callAs(host, "PATCH", seat, body);
    expect([answer.status, answer.body.message]).toEqual([403, "A guest cannot host or be an admin."]);
  }
  expect((await seatsOf(id)).map(({ userId, isHost, role }) => [userId, isHost, role])).toEqual([
    [host.id, true, 1],
    [guest.id, false, 0],
  ]);
});

// The waiting list through HTTP and the record: places, freed seats, payments and offers.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { connect, runBatch, schema } from "#db/connect.server";
import { insertWaiter } from "#db/queries/sessions/waiters";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, setUser, type TestUser, testApp } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { joinRoom, ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import {
  balanceOf,
  join,
  leave,
  makeHut,
  makeSession,
  seatsOf,
  sessionNow,
  setSession,
} from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { runCron } from "#workers/cron";
import { writeNotice } from "~/domain/notices/texts";
import { HOUR, instant, MINUTE } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { fanOut } from "~/use-cases/notices/events.server";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import { joinSession, leaveSession } from "./people.server";
import { viewSessionPeople } from "./people-page.server";
import { waitForSeat } from "./waiting.server";

const at = useRoomClock();
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const wait = (user: TestUser | null, id: number, code = "") =>
  callAs(user, "POST", event(id, "wait"), code ? { join_code: code } : {});
const unwait = (user: TestUser | null, id: number) => callAs(user, "DELETE", event(id, "wait"));
const meIn = async (user: TestUser, id: number) => (await dataOf(user, `/api/sessions/${id}`)).session.me;
const mayJoin = async (user: TestUser, id: number) =>
  (await dataOf(user, `/api/sessions/${id}`)).session.can_join;
const seated = async (id: number) => (await seatsOf(id)).map(({ userId }) => userId).sort((a, b) => a - b);
const idsOf = (...users: TestUser[]) => users.map(({ id }) => id).sort((a, b) => a - b);
const waitingIn = async (id: number) =>
  (
    await db
      .select()
      .from(schema.waiters)
      .where(eq(schema.waiters.sessionId, id))
      .orderBy(schema.waiters.since, schema.waiters.userId)
  ).map(({ userId }) => userId);
/** The causes of notices that wait for their fan-out, with their recipients. */
const causesIn = async (id: number) =>
  (
    await db
      .select()
      .from(schema.events)
      .where(eq(schema.events.subject, `session:${id}`))
  )
    .filter(({ kind }) => kind.startsWith("seat-"))
    .map(({ kind, body }) => [kind, (body as { to: number[] }).to])
    .sort();
let clock = ROOM_NOW;
/** Each act has its own instant, so that the order on the list is known. */
const tick = () => {
  clock = instant(clock + 1000);
  at(clock);
};
const goTo = (ms: number) => {
  clock = instant(ms);
  at(clock);
};
beforeEach(() => goTo(ROOM_NOW));

/** A full session of `host` and `guest`, with `waiters` on its list in this order. */
async function fullSession(
  [host, guest, ...waiters]: TestUser[],
  over: Record<string, unknown> = {},
): Promise<{ id: number; slug: string }> {
  if (!host || !guest) throw new Error("no people");
  const session = await makeSession(host, { participant_limit: 2, ...over });
  const code = String(over.join_code ?? "");
  expect((await join(guest, session.id, code)).status).toBe(200);
  for (const user of waiters) {
    tick();
    expect((await wait(user, session.id, code)).status).toBe(200);
  }
  return session;
}
const startsIn = (minutes: number) => ({
  is_manually_started: 0,
  started_at: new Date(clock + minutes * MINUTE).toISOString(),
});

const writesToEverybody = keepBystanders();

test("G-18 G-23 a full session takes people on its list, again at the same place, and lets them leave it", async () => {
  const [host, guest, a, b] = await makeUsers(4);
  const { id } = await fullSession([host, guest, a, b]);
  for (const user of [a, b, a]) expect(await balanceOf(user)).toBe(1000);
  expect([(await wait(a, id)).body.position, (await wait(b, id)).body.position]).toEqual([1, 2]);
  expect((await meIn(b, id)).waiting).toEqual({ position: 2, offered_until: null, code_until: null });
  const seen = (await dataOf(guest, `/api/sessions/${id}`)).session;
  expect([seen.waiters_count, seen.me.waiting, seen.me.can_wait]).toEqual([2, null, 0]);
  expect(JSON.stringify(seen)).not.toContain(a.username);
  expect((await visit(host, `/sessions/${id}/people`)).html).toContain(b.username);
  expect((await visit(guest, `/sessions/${id}/people`)).status).toBe(403);
  for (const _ of [1, 2]) expect((await unwait(a, id)).status).toBe(204);
  expect((await wait(b, id)).body.position).toBe(1);
});

test("G-18 G-19 a wrong code, a free seat, a seat of one's own and an ended session are refused", async () => {
  const [host, guest, a] = await makeUsers(3);
  const superAdmin = await makeUser({ roleId: 10 });
  const { id } = await fullSession([host, guest], { join_code: "sesame" });
  const refused = async (user: TestUser, code = "sesame") => {
    const { status, body } = await wait(user, id, code);
    return [status, body.error_code, body.error];
  };
  expect((await refused(a, "")).slice(0, 2)).toEqual([403, "WRONG_CODE"]);
  expect((await refused(a, "wrong")).slice(0, 2)).toEqual([403, "WRONG_CODE"]);
  expect((await refused(guest)).slice(0, 2)).toEqual([409, "CONFLICT"]);
  await leave(guest, id);
  expect(await refused(a)).toEqual([409, "CONFLICT", "There is a free seat. Please join."]);
  const patch = (is_preset: 0 | 1) =>
    callAs(superAdmin, "PATCH", event(id, "patch"), { challenge: { is_preset } });
  for (const [isTemplate, sentence] of [
    [1, "This is a template. Create an activity from it."],
    [0, "There is a free seat. Please join."],
  ] as const) {
    expect((await patch(isTemplate)).status).toBe(200);
    expect(await refused(a)).toEqual([409, "CONFLICT", sentence]);
  }
  await callAs(host, "POST", event(id, "end"), {});
  expect(await refused(a)).toEqual([409, "CONFLICT", "This session has ended."]);
});

test("G-19 at most 500 people wait", async () => {
  const [host, guest, a] = await makeUsers(3);
  const { id } = await fullSession([host, guest]);
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
       INSERT INTO users (username, email, password_hash, created_at, updated_at) SELECT 'w-${id}-' || i, 'w-${id}-' || i || '@example.com', 'none', 1, 1 FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO waiters (session_id, since, user_id, person_id) SELECT ${id}, 1, id, 0 FROM users WHERE username LIKE 'w-${id}-%'`,
    ),
  ]);
  expect((await wait(a, id)).body.error).toBe("There are 500 people on the waiting list already.");
});

test.each([
  ["leaving", (_: TestUser, guest: TestUser, id: number) => leave(guest, id)],
  [
    "removal",
    (host: TestUser, guest: TestUser, id: number) =>
      callAs(host, "DELETE", event(id, `participants/${guest.username}`)),
  ],
  [
    "keeping out",
    (host: TestUser, guest: TestUser, id: number) =>
      callAs(host, "DELETE", event(id, `participants/${guest.username}`), { keep_out: 1 }),
  ],
  [
    "a raised limit",
    (host: TestUser, _: TestUser, id: number) =>
      callAs(host, "PATCH", event(id, "patch"), { challenge: { participant_limit: 3 } }),
  ],
  [
    "the deletion of an account",
    async (_: TestUser, guest: TestUser) => {
      await setUser(guest.id, { deletionDueAt: clock });
      await deleteDueAccounts(await testApp({ now: clock }));
    },
  ],
])("G-20 G-21 %s gives the seat to the first waiter who can pay, who pays for it", async (_, free) => {
  const [host, guest, next, last] = await makeUsers(4);
  const poor = await makeUser({ tokens: 50 });
  const { id } = await fullSession([host, guest, poor, next, last]);
  await free(host, guest, id);
  const others = (await seatsOf(id)).filter(({ userId }) => userId !== guest.id);
  expect(others.map(({ userId, paidBy }) => [userId, paidBy])).toEqual([
    [host.id, host.id],
    [next.id, next.id],
  ]);
  expect(await waitingIn(id)).toEqual([poor.id, last.id]);
  expect(await causesIn(id)).toEqual([
    ["seat-given", [next.id]],
    ["seat-unpaid", [poor.id]],
  ]);
  expect([await balanceOf(poor), await balanceOf(next), await balanceOf(last)]).toEqual([50, 900, 1000]);
  expect((await sessionNow(id))?.participantsCount).toBe((await seatsOf(id)).length);
});

test("G-20 a limit raised for many seats everybody who waits, more than one batch holds", async () => {
  const all = await makeUsers(22);
  const { id } = await fullSession(all);
  await callAs(all[0], "PATCH", event(id, "patch"), { challenge: { participant_limit: 0 } });
  expect(await seated(id)).toEqual(idsOf(...all));
  expect(await waitingIn(id)).toEqual([]);
  expect((await sessionNow(id))?.participantsCount).toBe(22);
});

test("R-67 G-20 a waiter whose account is about to be deleted gets no seat, and hears of none", async () => {
  const [host, guest, going, next] = await makeUsers(4);
  const { id } = await fullSession([host, guest, going, next], { is_free: 1 });
  await setUser(going.id, { deletionDueAt: clock });
  await leave(guest, id);
  expect(await seated(id)).toEqual(idsOf(host, next));
  expect(await causesIn(id)).toEqual([["seat-given", [next.id]]]);
});

test("G-20 leaving passes on a single seat, in at most 20 statements", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await fullSession([host, guest]);
  const { d1, counter } = failingD1(env.DB, { at: 1e9, when: "before" });
  await leaveSession({ ...(await appOf(guest, clock)), db: connect(d1) }, { session: id });
  expect(counter.count).toBeLessThanOrEqual(20);
});

test("G-21 where joining is free the host pays, and out of tokens nobody is promoted", async () => {
  const [host, guest, a, b] = await makeUsers(4, { tokens: 200 });
  const { id } = await fullSession([host, guest, a, b], { is_free: 1 });
  await leave(guest, id);
  expect(await seated(id)).toEqual(idsOf(host, a));
  expect([await balanceOf(host), await balanceOf(a)]).toEqual([0, 200]);
  const entries = await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, host.id));
  expect(entries.at(-1)?.reason).toBe("host_join");
  const raised = await callAs(host, "PATCH", event(id, "patch"), { challenge: { participant_limit: 3 } });
  expect(raised.status).toBe(200);
  expect(await seated(id)).toEqual(idsOf(host, a));
  expect(await waitingIn(id)).toEqual([b.id]);
});

test("Q-15 Q-16 G-20 a person who is kept out of the session or its hut gets no place and no seat", async () => {
  const [host, guest, a, b] = await makeUsers(4);
  const hut = await makeHut(host, [a]);
  const { id } = await fullSession([host, guest, a, b], { hut_id: hut.id });
  await callAs(host, "PATCH", `/groups/${hut.slug}/members/${a.username}`, { ban: 1 });
  const keepOut = event(id, `participants/${b.username}`);
  expect((await callAs(host, "DELETE", keepOut, { keep_out: 1 })).status).toBe(204);
  expect(await waitingIn(id)).toEqual([]);
  expect((await wait(b, id)).body.error).toBe("The host has closed this session to you.");
  await leave(guest, id);
  expect(await seated(id)).toEqual([host.id]);
  expect([await balanceOf(a), await balanceOf(b)]).toEqual([1000, 1000]);
});

test("G-18 Q-27 a session that closes between the reading and the writing of a wait gives no place, and the next one does", async () => {
  const [host, guest, outsider] = await makeUsers(3);
  const [closed, open] = [await fullSession([host, guest]), await fullSession([host, guest])];
  await setSession(closed.id, { hutId: (await makeHut(host)).id, isPrivate: true });
  const terms = { joinCode: "", capacity: 50 };
  const place = {
    userId: outsider.id,
    personId: outsider.personId,
    now: instant(clock),
    viewer: outsider.id,
  };
  for (const { id } of [closed, open])
    await runBatch(db, [insertWaiter(db, { ...place, sessionId: id }, terms)]);
  expect([await waitingIn(closed.id), await waitingIn(open.id)]).toEqual([[], [outsider.id]]);
});

test("G-20 G-21 the waiter who gets a seat and the waiter without tokens are notified", async () => {
  const [host, guest, next] = await makeUsers(3);
  const poor = await makeUser({ tokens: 50 });
  const { id } = await fullSession([host, guest, poor, next]);
  await leave(guest, id);
  const app = await testApp({ now: clock });
  const causes = await db
    .select()
    .from(schema.events)
    .where(eq(schema.events.subject, `session:${id}`));
  for (const cause of causes) await fanOut(app, cause.id);
  const told = async (user: TestUser) =>
    (await db.select().from(schema.notices).where(eq(schema.notices.userId, user.id))).map(({ kind, body }) =>
      writeNotice({ kind, body: body as object }, { timeZone: "UTC", locale: "en-GB" }),
    );
  const path = `/sessions/${id}`;
  expect(await told(next)).toEqual([{ text: "You have a seat in Morning pages.", path }]);
  expect(await told(poor)).toEqual([
    {
      text: "A seat in Morning pages went to the next person: you are out of tokens. You keep your place.",
      path,
    },
  ]);
  expect([await told(guest), await told(host)]).toEqual([[], []]);
});

test("G-22 close to the start a seat is offered for ten minutes, in order, and nobody else can take it", async () => {
  const [host, guest, a, b, other] = await makeUsers(5);
  const { id } = await fullSession([host, guest, a, b], startsIn(120));
  goTo(ROOM_NOW + 60 * MINUTE);
  await leave(guest, id);
  const until = new Date(clock + 10 * MINUTE).toISOString();
  expect((await meIn(a, id)).waiting).toEqual({ position: 1, offered_until: until, code_until: null });
  expect(await causesIn(id)).toEqual([["seat-offered", [a.id]]]);
  // The card of a list agrees with the page: the seat is free for the person who is asked, and for nobody else.
  const cardOf = async (user: TestUser) => {
    const { sessions } = await dataOf(user, "/api/events");
    const card = sessions.find((one: { id: number }) => one.id === id);
    return [card?.can_join, card?.spots_left];
  };
  const onPage = async (user: TestUser) => {
    const { session } = await dataOf(user, `/api/sessions/${id}`);
    return [session.can_join, session.spots_left];
  };
  expect([await cardOf(a), await cardOf(b)]).toEqual([await onPage(a), await onPage(b)]);
  expect([await cardOf(a), await cardOf(b)]).toEqual([
    [1, 1],
    [0, 0],
  ]);
  expect([await mayJoin(a, id), await mayJoin(other, id)]).toEqual([1, 0]);
  for (const user of [b, other]) expect((await join(user, id)).body.error_code).toBe("SESSION_FULL");
  expect((await wait(other, id)).body.position).toBe(3);
  goTo(clock + 10 * MINUTE - 1);
  expect(await runMinute()).toMatchObject([{ ok: true, did: { expired: 0, failed: 0 } }]);
  goTo(clock + 1);
  expect((await join(a, id)).body.error_code).toBe("SESSION_FULL");
  expect(await runMinute()).toMatchObject([{ ok: true, did: { expired: 1, failed: 0 } }]);
  expect([await meIn(a, id), await meIn(b, id)].map(({ waiting }) => waiting?.offered_until ?? null)).toEqual(
    [null, new Date(clock + 10 * MINUTE).toISOString()],
  );
  expect((await join(b, id)).status).toBe(200);
  expect([await balanceOf(a), await balanceOf(b)]).toEqual([1000, 900]);
  expect(await waitingIn(id)).toEqual([other.id]);
});
const runMinute = () =>
  runCron({ cron: "* * * * *", scheduledTime: clock }, env, createExecutionContext()).then((lines) =>
    lines.filter(({ job }) => job === "pass-expired-offers"),
  );

test("G-22 a seat that is offered between the reading and the writing of a join stays with the person asked", async () => {
  goTo(ROOM_NOW);
  const [host, asked, other] = await makeUsers(3);
  const { id } = await makeSession(host, { participant_limit: 2, ...startsIn(120) });
  const app = await testApp({ now: clock, loginToken: other.loginToken });
  const offer = {
    sessionId: id,
    since: clock,
    userId: asked.id,
    personId: asked.personId,
    offeredUntil: instant(clock + 10 * MINUTE),
  };
  const late = connect(
    wrappedD1(env.DB, {
      one: (_statement, _method, send) => send(),
      batch: async (_, send) => {
        await db.insert(schema.waiters).values(offer).onConflictDoNothing();
        return send();
      },
    }),
  );
  await expect(joinSession({ ...app, db: late }, { session: id })).rejects.toThrow();
  expect((await seatsOf(id)).map(({ userId }) => userId)).toEqual([host.id]);
  expect((await join(asked, id)).status).toBe(200);
});

test("G-22 offers that run out together go to as many waiters", async () => {
  const [host, one, two, ...waiting] = await makeUsers(7);
  const { id } = await makeSession(host, { participant_limit: 3, ...startsIn(120) });
  for (const user of [one, two]) expect((await join(user, id)).status).toBe(200);
  for (const user of waiting) {
    tick();
    expect((await wait(user, id)).status).toBe(200);
  }
  goTo(ROOM_NOW + HOUR);
  for (const user of [one, two]) await leave(user, id);
  goTo(clock + 10 * MINUTE);
  expect(await runMinute()).toMatchObject([{ did: { expired: 2 } }]);
  const offers = await db.select().from(schema.waiters).where(eq(schema.waiters.sessionId, id));
  expect(offers.map(({ userId, offeredUntil }) => [userId, offeredUntil])).toEqual(
    waiting.slice(2).map((user) => [user.id, clock + 10 * MINUTE]),
  );
});

test("G-22 an offer that is declined goes to the next at once, and after the start the list closes", async () => {
  const [host, guest, a, b, c] = await makeUsers(5);
  const { id } = await fullSession([host, guest, a, b], startsIn(90));
  goTo(ROOM_NOW + HOUR);
  await leave(guest, id);
  await unwait(a, id);
  expect((await meIn(b, id)).waiting.offered_until).not.toBe(null);
  goTo(ROOM_NOW + 90 * MINUTE + 15 * MINUTE);
  await runMinute();
  expect(await mayJoin(c, id)).toBe(1);
  expect((await join(c, id)).status).toBe(200);
  expect((await wait(b, id)).body.error).toBe("The waiting list of this session is closed.");
  expect(await runMinute()).toMatchObject([{ did: { expired: 0 } }]);
});

test("G-20 G-22 once the start has moved away, a declined seat goes to the next, and the room shows them", async () => {
  const [host, guest, a, b] = await makeUsers(4);
  const { id } = await fullSession([host, guest, a, b], startsIn(90));
  goTo(ROOM_NOW + HOUR);
  await leave(guest, id);
  const { started_at } = startsIn(180);
  await callAs(host, "PATCH", event(id, "patch"), { challenge: { started_at } });
  const line = await joinRoom(host, id);
  await unwait(a, id);
  const heard = await line.expect("participants");
  expect(heard.participants.map(({ username }) => username)).toEqual([b.username]);
});

test("Q-12 G-23 the host reads an alias of a waiter with whom a block exists", async () => {
  const [host, guest, a, b] = await makeUsers(4);
  const { id } = await fullSession([host, guest, a, b]);
  await callAs(b, "PUT", `/api/blocks/${host.username}`, {});
  const { waiters } = await viewSessionPeople(await appOf(host, clock), { session: id });
  expect(waiters.map(({ username }) => username)).toEqual([a.username, "Person 2"]);
});

test("G-18 a waiter joins without the code a second time, and the lists of closed sessions are deleted", async () => {
  writesToEverybody();
  const [host, guest, a, b] = await makeUsers(4);
  const { id } = await fullSession([host, guest, a, b], { join_code: "sesame", ...startsIn(30) });
  await leave(guest, id);
  expect((await join(a, id)).status).toBe(200);
  expect((await callAs(host, "POST", event(id, "end"), {})).status).toBe(200);
  expect(await waitingIn(id)).toEqual([b.id]);
  await deleteExpiredRows(await testApp({ now: clock }));
  expect(await waitingIn(id)).toEqual([]);
});

test("G-18 G-20 the page waits, leaves and takes an offered seat without JavaScript, and names nobody else", async () => {
  const [host, guest, a, b] = await makeUsers(4);
  const { id } = await fullSession([host, guest, a], startsIn(30));
  const before = await visit(b, `/sessions/${id}`);
  expect(before.html).toContain("Join the waiting list");
  expect(before.html).toContain("1 person is waiting");
  await wait(b, id);
  const page = await visit(b, `/sessions/${id}`);
  expect(page.html).toContain("You are number 2 of 2 on the waiting list.");
  expect(page.html).not.toContain(a.username);
  expect((await visit(await makeUser(), `/sessions/${id}`)).html).toContain("2 people are waiting.");
  await leave(guest, id);
  const asked = (await visit(a, `/sessions/${id}`)).html;
  expect(asked).toContain("A seat is free for you");
  expect(asked).toMatch(/1 of \d spots left/);
  expect((await visit(b, `/sessions/${id}`)).html).toContain("no spots left: 1 offered to the waiting list");
});

const FREES = runsOf(1000, 20);
/** The host, two seats and the waiters. */
const PEOPLE = runsOf(103, 15);
/** All that the ledger holds, and all that it ever granted and spent. */
const ledgerSum = async () => {
  const [row] = await db.all<{ held: number; granted: number; spent: number }>(
    sql`SELECT (SELECT sum(remaining) FROM token_lots) AS held, (SELECT sum(granted) FROM token_lots) AS granted,
      (SELECT coalesce(sum(amount), 0) FROM token_entries) AS spent`,
  );
  return row ?? { held: 0, granted: 0, spent: 0 };
};

test("G-20 each freed seat goes to exactly one waiter, whatever fails between, and no leave is undone", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const [host, ...others] = (await makeUsers(PEOPLE, { tokens: 100_000 })) as [TestUser, ...TestUser[]];
  const { id } = await makeSession(host, { participant_limit: 3 });
  const waiting = new Set<TestUser>();
  const seats = new Set<TestUser>(others.slice(0, 2));
  for (const user of seats) await join(user, id);
  for (const user of others.slice(2)) {
    tick();
    await wait(user, id);
    waiting.add(user);
  }
  const appFor = async (user: TestUser, d1: D1Database) => ({
    ...(await appOf(user, clock)),
    db: connect(d1),
  });
  const start = await ledgerSum();
  let frees = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1),
      fc.integer({ min: 1, max: 14 }),
      fc.constantFrom("before" as const, "after" as const),
      fc.boolean(),
      async (nth, at, when, isTwice) => {
        tick();
        const leaver = [...seats][nth] as TestUser;
        const { d1 } = failingD1(env.DB, { at, when });
        const first = leaveSession(await appFor(leaver, d1), { session: id }).catch(() => "failed");
        // Another person presses Join at the same moment.
        const joiner = [...waiting].at(-1) as TestUser;
        await Promise.all([
          first,
          ...(isTwice ? [joinSession(await appOf(joiner, clock), { session: id }).catch(() => "full")] : []),
        ]);
        if ((await seatsOf(id)).some(({ userId }) => userId === leaver.id))
          await leaveSession(await appOf(leaver, clock), { session: id });
        frees++;
        const [now, list] = [await seated(id), await waitingIn(id)];
        expect(now).not.toContain(leaver.id);
        expect(now.length).toBe(3);
        expect((await sessionNow(id))?.participantsCount).toBe(3);
        expect(list.filter((user) => now.includes(user))).toEqual([]);
        expect(new Set([...now, ...list, leaver.id]).size).toBe(PEOPLE);
        const { held, granted, spent } = await ledgerSum();
        expect(held - granted - spent).toBe(start.held - start.granted - start.spent);
        const next = [...waiting].filter(({ id }) => now.includes(id));
        expect(next.length).toBe(1);
        for (const user of next) {
          waiting.delete(user);
          seats.add(user);
        }
        seats.delete(leaver);
        tick();
        await waitForSeat(await appOf(leaver, clock), { session: id });
        waiting.add(leaver);
      },
    ),
    { numRuns: FREES, seed: propertySeed, endOnFailure: true },
  );
  expect(frees).toBeGreaterThanOrEqual(FREES);
}, 1_800_000);

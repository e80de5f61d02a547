// Participation, through HTTP: capacity, code and payment in that order and atomically, leaving, roles.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { hasSeat, takeSeat } from "#db/queries/sessions/participants";
import { spendTokens } from "#db/queries/tokens";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, NOW, type TestUser } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { balanceOf, leave, makeSession, seatsOf, sessionNow, setSession } from "#tests/support/sessions";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { brokenConstraint } from "~/domain/errors";
import { DAY, instant } from "~/domain/time";
import { changeParticipant, joinSession, leaveSession } from "./people.server";

const join = (user: TestUser, id: number, code?: string, headers?: Record<string, string>) =>
  callAs(
    user,
    "POST",
    `/challenge-events/${id}/join${code === undefined ? "" : `?join_code=${code}`}`,
    {},
    headers,
  );
/** Counts the statuses, or the codes of refusals. */
const statuses = (answers: { status: number; body: { error_code?: string } }[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = body.error_code ?? String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

keepBystanders();

test("C-72 S-17 joining takes a seat and one token, and reports both", async () => {
  const session = await makeSession(await makeUser());
  const guest = await makeUser();
  const { status, body } = await join(guest, session.id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ is_joined: 1, all_remaining_tokens: 9, path: session.path });
  expect(body.challenge_event).toMatchObject({ is_joined: 1, can_join: 0, participants_count: 2 });
  expect(body.challenge_event.participants.map((one: { username: string }) => one.username)).toContain(
    guest.username,
  );
  expect(await balanceOf(guest)).toBe(900);
  expect((await sessionNow(session.id))?.participantsCount).toBe(2);
});

test("R-02 X-07 joining again, at once or later, is free and answers 200", async () => {
  const session = await makeSession(await makeUser());
  const guest = await makeUser();
  const atOnce = await Promise.all(Array.from({ length: 10 }, () => join(guest, session.id)));
  expect(statuses(atOnce)).toEqual({ 200: 10 });
  const again = await join(guest, session.id);
  expect([again.status, again.body.is_joined, again.body.all_remaining_tokens]).toEqual([200, 1, 9]);
  const headers = { "Idempotency-Key": "k" };
  const first = await join(guest, session.id, undefined, headers);
  expect((await join(guest, session.id, undefined, headers)).body).toEqual(first.body);
  expect(await balanceOf(guest)).toBe(900);
  expect((await sessionNow(session.id))?.participantsCount).toBe(2);
});

describe("L-08 with a hundred at once", () => {
  test("L-08 one spot admits one person and spends one token", async () => {
    const session = await makeSession(await makeUser(), { participant_limit: 2 });
    const guests = await makeUsers(100);
    const answers = await Promise.all(guests.map((guest) => join(guest, session.id)));
    expect(statuses(answers)).toEqual({ 200: 1, SESSION_FULL: 99 });
    const balances = await Promise.all(guests.map(balanceOf));
    expect(balances.filter((left) => left === 900).length).toBe(1);
    expect(balances.filter((left) => left === 1000).length).toBe(99);
    expect((await seatsOf(session.id)).length).toBe(2);
    expect((await sessionNow(session.id))?.participantsCount).toBe(2);
  });

  test("L-08 B-07 M-15 one token of the host admits one person, and the others read the reason", async () => {
    const host = await makeUser({ tokens: 200 });
    const session = await makeSession(host, { is_free: 1 });
    const guests = await makeUsers(100);
    const answers = await Promise.all(guests.map((guest) => join(guest, session.id)));
    expect(statuses(answers)).toEqual({ 200: 1, INSUFFICIENT_TOKENS: 99 });
    const refused = answers.find(({ status }) => status === 402);
    expect(refused?.body).toMatchObject({
      message: "The host pays for joining this session and is out of tokens.",
      lacks_tokens: "host",
    });
    const poor = await join(await makeUser({ tokens: 0 }), (await makeSession(await makeUser())).id);
    expect(poor.body).toMatchObject({ error_code: "INSUFFICIENT_TOKENS", lacks_tokens: "you" });
    expect(await balanceOf(host)).toBe(0);
    for (const guest of guests.slice(0, 5)) expect(await balanceOf(guest)).toBe(1000);
    expect((await seatsOf(session.id)).length).toBe(2);
  });

  test("L-08 one token of a user admits to one of two sessions", async () => {
    const host = await makeUser();
    const sessions = await Promise.all([makeSession(host), makeSession(host, { title: "Other" })]);
    const guest = await makeUser({ tokens: 100 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => join(guest, sessions[index % 2]?.id ?? 0)),
    );
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.path)).size).toBe(1);
    expect(await balanceOf(guest)).toBe(0);
  });
});

test("L-08 C-72 capacity is checked before the code, the code before payment", async () => {
  const host = await makeUser();
  const full = await makeSession(host, { participant_limit: 1, join_code: "lamp" });
  const poor = await makeUser({ tokens: 0 });
  expect((await join(poor, full.id, "wrong")).body).toMatchObject({
    error_code: "SESSION_FULL",
    message: "This session is full and is not accepting additional participants.",
  });
  const coded = await makeSession(host, { join_code: "lamp" });
  expect((await join(poor, coded.id, "wrong")).body.error_code).toBe("WRONG_CODE");
  expect((await join(poor, coded.id)).body).toMatchObject({
    error_code: "WRONG_CODE",
    fields: { join_code: ["Please enter the code."] },
  });
  expect((await join(poor, coded.id, "lamp")).body.error_code).toBe("INSUFFICIENT_TOKENS");
  expect((await sessionNow(coded.id))?.participantsCount).toBe(1);
  const guest = await makeUser();
  expect((await join(guest, coded.id, "%20lamp%20")).status).toBe(200);
  const inBody = await callAs(await makeUser(), "POST", `/challenge-events/${coded.id}/join`, {
    join_code: "lamp",
  });
  expect(inBody.status).toBe(200);
});

test("B-07 the host pays for free joining, with a ledger entry of its own", async () => {
  const host = await makeUser();
  const session = await makeSession(host, { is_free: 1 });
  const guest = await makeUser({ tokens: 0 });
  expect((await join(guest, session.id)).status).toBe(200);
  expect(await balanceOf(host)).toBe(800);
  const entries = await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, host.id));
  expect(entries.map(({ reason }) => reason).sort()).toEqual(["host_join", "join"]);
});

test("R-17 the installation's limit applies if the host set none", async () => {
  const session = await makeSession(await makeUser());
  await setSession(session.id, { participantsCount: 10_000 });
  expect((await join(await makeUser(), session.id)).body.error_code).toBe("SESSION_FULL");
});

test("C-72 an ended or unknown session cannot be joined", async () => {
  const host = await makeUser();
  const session = await makeSession(host);
  expect((await join(await makeUser(), 999_999)).status).toBe(404);
  await callAs(host, "POST", `/challenge-events/${session.id}/end`, {});
  const late = await join(await makeUser(), session.id);
  expect([late.status, late.body.error_code, late.body.message]).toEqual([
    409,
    "CONFLICT",
    "This session has ended.",
  ]);
});

test("C-72 a session that is deleted while somebody joins is not found, and costs nothing", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id, slug } = await makeSession(host);
  const deletes = wrappedD1(env.DB, {
    one: (_, __, ask) => ask(),
    batch: async (_, ask) => {
      await callAs(host, "DELETE", `/challenges/${slug}`);
      return ask();
    },
  });
  const app = { ...(await appOf(guest)), db: connect(deletes) };
  await expect(joinSession(app, { session: id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await balanceOf(guest)).toBe(1000);
});

test("F-20 joining a planned session sends its invitation at once", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const startedAt = instant(Date.now() + DAY);
  const { id } = await makeSession(host, {
    is_manually_started: 0,
    started_at: new Date(startedAt).toISOString(),
  });
  const woken: string[] = [];
  const jobs = { wake: async (ids: readonly string[]) => void woken.push(...ids) };
  await joinSession({ ...(await appOf(guest)), jobs }, { session: id });
  expect(woken).toHaveLength(1);
});

test("R-55 a session that is handed over notifies its new host at once", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession(host);
  await joinSession(await appOf(guest), { session: id });
  const woken: string[] = [];
  const jobs = { wake: async (ids: readonly string[]) => void woken.push(...ids) };
  await changeParticipant(
    { ...(await appOf(host)), jobs },
    { session: id, username: guest.username, isHost: true },
  );
  expect(woken).toHaveLength(1);
});

test("C-72 a join that changes no plan takes fewer than 12 statements", async () => {
  const [host, guest] = await makeUsers(2);
  const { id } = await makeSession(host);
  const { d1, counter } = failingD1(env.DB, { at: 1e9, when: "before" });
  await joinSession({ ...(await appOf(guest)), db: connect(d1) }, { session: id });
  expect(counter.count).toBeLessThan(12);
});

test("C-78 S-07 R-64 leaving frees the spot and returns the token, and joining again costs again", async () => {
  const session = await makeSession(await makeUser(), { participant_limit: 2 });
  const [guest, next] = [await makeUser(), await makeUser()];
  await join(guest, session.id);
  expect((await join(next, session.id)).body.error_code).toBe("SESSION_FULL");
  const left = await leave(guest, session.id);
  expect([left.status, left.body.is_joined, left.body.challenge_event.participants_count]).toEqual([
    200, 0, 1,
  ]);
  expect((await leave(guest, session.id)).status).toBe(200);
  expect(await balanceOf(guest)).toBe(1000);
  expect((await join(next, session.id)).status).toBe(200);
  await leave(next, session.id);
  await join(guest, session.id);
  expect(await balanceOf(guest)).toBe(900);
});

const seatFor = (user: TestUser, sessionId: number) => ({
  sessionId,
  userId: user.id,
  personId: user.personId,
  username: user.username,
  seat: `join:${crypto.randomUUID()}`,
  paidBy: user.id,
  now: NOW,
  viewer: user.id,
});

test("B-12 X-07 a seat is paid for once, whether its person still sits there or has left", async () => {
  const session = await makeSession(await makeUser());
  const guest = await makeUser();
  const seat = seatFor(guest, session.id);
  const sit = () =>
    db
      .batch([
        ...takeSeat(db, seat, { joinCode: "", isFree: false, hostId: null, capacity: 100 }),
        ...spendTokens(db, {
          userId: guest.id,
          what: "join",
          reference: seat.seat,
          now: NOW,
          condition: hasSeat(seat),
        }),
      ])
      .then(() => "done", brokenConstraint);
  const counts = async () => [await balanceOf(guest), (await sessionNow(session.id))?.participantsCount];
  expect([await sit(), ...(await counts())]).toEqual(["done", 900, 2]);
  expect([await sit(), ...(await counts())]).toEqual(["one_seat_per_user", 900, 2]);
  await leave(guest, session.id);
  expect([await sit(), ...(await counts())]).toEqual(["entry_written_once", 1000, 1]);
});

test("C-72 a session that ended between the read and the batch gives no seat", async () => {
  const session = await makeSession(await makeUser());
  const guest = await makeUser();
  const seat = seatFor(guest, session.id);
  const terms = { joinCode: "", isFree: false, hostId: null, capacity: 100 };
  const sitAfterEndOf = async (endedAt: typeof NOW) => {
    await setSession(session.id, { startedAt: instant(NOW - DAY), endedAt });
    await db.batch(takeSeat(db, seat, terms));
    return (await seatsOf(session.id)).some(({ userId }) => userId === guest.id);
  };
  expect(await sitAfterEndOf(NOW)).toBe(false);
  expect(await sitAfterEndOf(instant(NOW + 1))).toBe(true);
});

test("S-08 the host cannot leave until the session is handed over", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const session = await makeSession(host);
  await join(guest, session.id);
  const refused = await leave(host, session.id);
  expect([refused.status, refused.body.error_code]).toEqual([409, "CONFLICT"]);
  const handed = await callAs(
    host,
    "PATCH",
    `/challenge-events/${session.id}/participants/${guest.username}`,
    { host: 1 },
  );
  expect(handed.body.participant).toMatchObject({ username: guest.username, is_host: 1, role: 1 });
  expect((await leave(host, session.id)).status).toBe(200);
  const seats = await seatsOf(session.id);
  expect(seats.map(({ userId, isHost }) => [userId, isHost])).toEqual([[guest.id, true]]);
});

describe("R-05 roles", () => {
  const patch = (user: TestUser, id: number, name: string, body: object) =>
    callAs(user, "PATCH", `/challenge-events/${id}/participants/${name}`, body);

  test("R-05 only host and super admin appoint admins", async () => {
    const [host, guest, other, stranger] = await makeUsers(4);
    const session = await makeSession(host);
    await join(guest, session.id);
    await join(other, session.id);
    const made = await patch(host, session.id, guest.username.toUpperCase(), { role: 1 });
    expect([made.status, made.body.participant.role]).toEqual([200, 1]);
    expect((await patch(guest, session.id, other.username, { role: 1 })).status).toBe(403);
    expect((await patch(stranger, session.id, other.username, { role: 1 })).status).toBe(403);
    const superAdmin = await makeUser({ roleId: 10 });
    expect((await patch(superAdmin, session.id, guest.username, { role: 0 })).body.participant.role).toBe(0);
    expect((await patch(host, session.id, host.username, { role: 0 })).status).toBe(409);
    expect((await patch(host, session.id, stranger.username, { role: 1 })).status).toBe(404);
    expect((await patch(host, session.id, guest.username, { role: 7 })).body.fields.role).toEqual([
      "Please choose 0 (participant) or 1 (admin).",
    ]);
  });

  test("R-05 two simultaneous hand-overs leave exactly one host", async () => {
    const [host, a, b] = await makeUsers(3);
    const superAdmin = await makeUser({ roleId: 10 });
    const session = await makeSession(host);
    await join(a, session.id);
    await join(b, session.id);
    await Promise.all([
      patch(host, session.id, a.username, { host: 1 }),
      patch(superAdmin, session.id, b.username, { host: 1 }),
      patch(superAdmin, session.id, host.username, { host: 1 }),
    ]);
    expect((await seatsOf(session.id)).filter(({ isHost }) => isHost).length).toBe(1);
    expect(
      (await patch(superAdmin, session.id, a.username, { host: 1, role: 1 })).body.participant.is_host,
    ).toBe(1);
  });

  test("R-05 removing a participant takes the seat and, before the start, refunds the payer", async () => {
    const [host, guest] = await makeUsers(2);
    const session = await makeSession(host, { is_free: 1 });
    await join(guest, session.id);
    expect(await balanceOf(host)).toBe(800);
    const remove = (user: TestUser, name: string) =>
      callAs(user, "DELETE", `/challenge-events/${session.id}/participants/${name}`);
    expect((await remove(guest, guest.username)).status).toBe(403);
    expect((await remove(host, host.username)).status).toBe(409);
    const removed = await Promise.all([remove(host, guest.username), remove(host, guest.username)]);
    expect(removed.map(({ status }) => status).sort()[0]).toBe(204);
    expect(await balanceOf(host)).toBe(900);
    expect((await sessionNow(session.id))?.participantsCount).toBe(1);
    expect((await seatsOf(session.id)).length).toBe(1);
  });
});

test("L-08 B-14 a leave that another leave and a join overtake returns nothing of the new seat", async () => {
  const session = await makeSession(await makeUser());
  const guest = await makeUser();
  await join(guest, session.id);
  const joined = await balanceOf(guest);
  const app = await appOf(guest);
  let isOvertaken = false;
  const of = (id: number) => {
    const room = app.rooms.of(id);
    const view = async () => {
      if (!isOvertaken) {
        isOvertaken = true;
        await leave(guest, session.id);
        await join(guest, session.id);
      }
      return room.view();
    };
    return { view, refresh: () => room.refresh() } as unknown as typeof room;
  };
  await leaveSession({ ...app, rooms: { ...app.rooms, of } }, { session: session.id });
  expect(await balanceOf(guest)).toBe(joined);
  expect((await seatsOf(session.id)).map(({ userId }) => userId)).toContain(guest.id);
});

describe("B-14 a session that never began", () => {
  const end = (user: TestUser, id: number) => callAs(user, "POST", `/challenge-events/${id}/end`, {});

  test("B-14 C-74 ending at status 0 refunds every join to its payer, once", async () => {
    const [host, a, b] = await makeUsers(3);
    const session = await makeSession(host);
    await join(a, session.id);
    await callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge: { is_free: 1 } });
    await join(b, session.id);
    expect([await balanceOf(host), await balanceOf(a), await balanceOf(b)]).toEqual([800, 900, 1000]);
    expect((await end(a, session.id)).status).toBe(403);
    expect((await end(await makeUser(), session.id)).status).toBe(403);
    const ended = await Promise.all([end(host, session.id), end(host, session.id), end(host, session.id)]);
    expect(ended.some(({ status, body }) => status === 200 && body.challenge_event.status === 2)).toBe(true);
    expect([await balanceOf(host), await balanceOf(a), await balanceOf(b)]).toEqual([1000, 1000, 1000]);
    expect(
      await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, host.id)),
    ).toHaveLength(4);
    expect((await end(host, session.id)).status).toBe(409);
  });

  test("B-14 R-64 a person who left before has no seat, and gets no second refund", async () => {
    const [host, gone] = await makeUsers(2);
    const session = await makeSession(host);
    await join(gone, session.id);
    await leave(gone, session.id);
    await end(host, session.id);
    expect([await balanceOf(host), await balanceOf(gone)]).toEqual([1000, 1000]);
  });
});

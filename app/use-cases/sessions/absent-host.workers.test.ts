// Sessions whose host does not come: an admin claims them, or the room cancels them. Sockets, alarms and D1 are real.
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { and, eq, inArray, like } from "drizzle-orm";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { joinRoom, ROOM_NOW, stubOf, useRoomClock } from "#tests/support/rooms";
import { balanceOf, join, makeSession, seatsOf, sessionNow } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { writeNotice } from "~/domain/notices/texts";
import { MINUTE } from "~/domain/time";

const at = useRoomClock();
const START = ROOM_NOW + 60 * MINUTE;
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const claim = (user: TestUser | null, id: number, body: object = {}) =>
  callAs(user, "POST", event(id, "claim"), body);
const hostOf = async (id: number) =>
  (await seatsOf(id)).filter(({ isHost }) => isHost).map((one) => one.userId);

/** A session in an hour, with a host, two admins and a guest. */
async function staged(over: Record<string, unknown> = {}) {
  const [host, admin, other, guest] = await makeUsers(4);
  const started_at = new Date(START).toISOString();
  const { id } = await makeSession(host, { is_manually_started: 0, started_at, ...over });
  for (const user of [admin, other, guest]) await join(user, id);
  for (const { username } of [admin, other])
    await callAs(host, "PATCH", event(id, `participants/${username}`), { role: 1 });
  return { id, host, admin, other, guest };
}

keepBystanders();

test("G-29 an admin with an open page claims a session whose host is absent, from 5 minutes before the start", async () => {
  const { id, host, admin, other, guest } = await staged();
  await joinRoom(admin, id);
  at(START - 5 * MINUTE - 1);
  expect((await claim(admin, id)).body).toMatchObject({
    error_code: "CONFLICT",
    message: "You can claim this session from 5 minutes before its start.",
  });
  at(START - 5 * MINUTE);
  const page = await visit(admin, `/sessions/${id}`);
  expect(page.html).toContain("Host this session?");
  expect((await visit(guest, `/sessions/${id}`)).html).not.toContain("Host this session?");
  // Without an open page, and without the role.
  expect((await claim(other, id)).body.error_code).toBe("CONFLICT");
  expect((await claim(guest, id)).body.error_code).toBe("FORBIDDEN");
  const hosts = await joinRoom(host, id);
  expect((await visit(admin, `/sessions/${id}`)).html).not.toContain("Host this session?");
  expect((await claim(admin, id)).body).toMatchObject({
    error_code: "CONFLICT",
    message: "The host is here.",
  });
  expect(await hostOf(id)).toEqual([host.id]);
  hosts.socket.close();
  await vi.waitFor(async () => expect((await claim(admin, id)).status).toBe(200));
  expect(await hostOf(id)).toEqual([admin.id]);
  expect((await claim(admin, id)).status).toBe(200);
  // The new host is here.
  await joinRoom(other, id);
  expect((await claim(other, id)).body.message).toBe("The host is here.");
  const acts = await db
    .select()
    .from(schema.audit)
    .where(and(eq(schema.audit.targetId, String(id)), eq(schema.audit.action, "host-changed")));
  expect(acts.map(({ actorId, previous }) => [actorId, previous])).toEqual([[admin.id, host.username]]);
});

test("G-29 the only admin of a session claims it", async () => {
  const { id, host, admin, other } = await staged();
  await callAs(host, "PATCH", event(id, `participants/${other.username}`), { role: 0 });
  await joinRoom(admin, id);
  at(START);
  expect((await claim(admin, id)).status).toBe(200);
  expect(await hostOf(id)).toEqual([admin.id]);
});

test("G-29 of two admins who claim at once one becomes the host", async () => {
  const { id, admin, other } = await staged();
  await Promise.all([admin, other].map((user) => joinRoom(user, id)));
  at(START);
  const answers = await Promise.all([admin, other].map((user) => claim(user, id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await hostOf(id)).length).toBe(1);
});

test("G-30 a claim ends free joining unless the call keeps it, and then the new host pays", async () => {
  const [paying, kept] = [await staged({ is_free: 1 }), await staged({ is_free: 1 })];
  at(START);
  const late = await makeUser();
  for (const [{ id, admin }, keep_free] of [
    [paying, 0],
    [kept, 1],
  ] as const) {
    await joinRoom(admin, id);
    expect((await visit(admin, `/sessions/${id}`)).html).toContain(
      "You pay for people who join from now on.",
    );
    expect((await claim(admin, id, { keep_free })).status).toBe(200);
    expect((await sessionNow(id))?.isFree).toBe(keep_free === 1);
    expect((await join(late, id)).status).toBe(200);
  }
  expect([await balanceOf(late), await balanceOf(paying.admin), await balanceOf(kept.admin)]).toEqual([
    900, 1000, 900,
  ]);
});

// ---- sessions that need their host

const needed = { needs_host: 1 };
const wake = async (user: TestUser, id: number) => (await appOf(user)).rooms.of(id).view();
const refundsOf = async (id: number) => {
  const seats = (await seatsOf(id)).map(({ seat }) => `refund:${seat}`);
  return db.select().from(schema.tokenEntries).where(inArray(schema.tokenEntries.reference, seats));
};
const causesOf = (id: number) =>
  db
    .select()
    .from(schema.events)
    .where(and(eq(schema.events.subject, `session:${id}`), like(schema.events.kind, "session-cancelled")));

test("N-21 a cancellation tells only the people whose token comes back of it", async () => {
  const [host, payer, heir] = await makeUsers(3);
  const { id } = await makeSession(host);
  for (const user of [payer, heir]) await join(user, id);
  // A seat that cost nothing, such as that of a person who took the session over.
  const isHeir = and(eq(schema.participants.sessionId, id), eq(schema.participants.userId, heir.id));
  await db
    .update(schema.participants)
    .set({ seat: `free ${id}` })
    .where(isHeir);
  expect((await callAs(host, "POST", `/challenge-events/${id}/end`, {})).status).toBe(200);
  const [cause] = await causesOf(id);
  expect(cause?.body).toMatchObject({ to: [payer.id, heir.id], payers: [payer.id] });
});

test("G-31 without a host or admin by 15 minutes after the start the session is cancelled, and each payer is paid back", async () => {
  const { id, host, admin, other, guest } = await staged(needed);
  await wake(host, id);
  const bystander = await makeSession(await makeUser());
  // Before the start nobody hosts yet.
  const early = await joinRoom(host, id);
  early.socket.close();
  await joinRoom(guest, id);
  await vi.waitFor(async () => expect((await wake(host, id)).online).toEqual([guest.username]));
  at(START);
  await runDurableObjectAlarm(stubOf(id));
  at(START + 15 * MINUTE - 1);
  await runDurableObjectAlarm(stubOf(id));
  expect((await sessionNow(id))?.closedAt).toBeNull();
  const end = START + 15 * MINUTE;
  at(end);
  await runDurableObjectAlarm(stubOf(id));
  expect(await sessionNow(id)).toMatchObject({
    startedAt: end,
    endedAt: end,
    closedAt: end,
    cancelledStart: START,
  });
  expect((await sessionNow(bystander.id))?.cancelledStart).toBeNull();
  const people = [host, admin, other, guest];
  expect(await Promise.all(people.map(balanceOf))).toEqual([1000, 1000, 1000, 1000]);
  const [cause, ...more] = await causesOf(id);
  expect(more).toEqual([]);
  const ids = people.map((user) => user.id).sort((a, b) => a - b);
  const body = cause?.body as { to: number[]; payers: number[] };
  expect([body.to.sort((a, b) => a - b), body.payers.sort((a, b) => a - b)]).toEqual([ids, ids]);
  const said = (more: object) =>
    writeNotice(
      { kind: "session-cancelled", body: { ...body, ...more } },
      { timeZone: "UTC", locale: "en-GB" },
    ).text;
  expect(said({})).toBe("Morning pages was cancelled because the host did not come.");
  expect(said({ isPayer: true })).toBe(
    "Morning pages was cancelled because the host did not come. Your token was returned.",
  );
});

test("G-31 a host or admin who is present at any moment of the first 15 minutes keeps the session", async () => {
  const [byHost, byAdmin, unasked] = [await staged(needed), await staged(needed), await staged()];
  const here = await joinRoom(byHost.host, byHost.id);
  await wake(byAdmin.host, byAdmin.id);
  await wake(unasked.host, unasked.id);
  at(START);
  for (const { id } of [byHost, byAdmin, unasked]) await runDurableObjectAlarm(stubOf(id));
  here.socket.close();
  await evictDurableObject(stubOf(byHost.id));
  at(START + 14 * MINUTE);
  (await joinRoom(byAdmin.admin, byAdmin.id)).socket.close();
  await evictDurableObject(stubOf(byAdmin.id));
  at(START + 20 * MINUTE);
  for (const { id, host } of [byHost, byAdmin, unasked]) {
    await runDurableObjectAlarm(stubOf(id));
    expect((await wake(host, id)).state).toMatchObject({ hasEnded: false, startedAt: START });
  }
});

const ABSENCES = runsOf(1000, 6);

test("G-31 a killed room gives each join back exactly once", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const [host, payer, guest] = await Promise.all([1, 2, 3].map(() => makeUser({ tokens: 1_000_000 })));
  if (!host || !payer || !guest) throw new Error("no people");
  let start = START;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      async (nth, isAnswerLost, isKilled, is_free) => {
        count++;
        const started_at = new Date(start).toISOString();
        const more = { is_manually_started: 0, started_at, is_free: is_free ? 1 : 0 };
        const { id } = await makeSession(host, { ...needed, ...more });
        await join(payer, id);
        await join(guest, id);
        await wake(host, id);
        at(start);
        await runDurableObjectAlarm(stubOf(id));
        at(start + 15 * MINUTE);
        // One round trip to D1 fails, before or after its work; the room dies with it, or tries again.
        let trips = 0;
        const failing = <T>(work: () => Promise<T>): Promise<T> => {
          if (++trips !== nth) return work();
          const lost = () => Promise.reject(new Error("D1 does not answer"));
          return isAnswerLost ? work().then(lost) : lost();
        };
        const prototype = Object.getPrototypeOf(env.DB) as D1Database;
        const { withSession } = prototype;
        const spy = vi.spyOn(prototype, "withSession").mockImplementation(function (this: D1Database, mark) {
          const session = Reflect.apply(withSession, this, [mark]) as D1DatabaseSession;
          const between = {
            one: (_: unknown, __: unknown, ask: () => Promise<unknown>) => failing(ask),
            batch: (_: number, ask: () => Promise<D1Result[]>) => failing(ask),
          };
          return wrappedD1(session as unknown as D1Database, between) as unknown as D1DatabaseSession;
        });
        await runDurableObjectAlarm(stubOf(id)).catch(() => {});
        if (isKilled) await abortAllDurableObjects();
        spy.mockRestore();
        for (let late = 16; (await sessionNow(id))?.closedAt === null && late < 60; late += 6) {
          at(start + late * MINUTE);
          await runDurableObjectAlarm(stubOf(id)).catch(() => {});
        }
        // A room that hears of nothing else rings once more.
        at(start + 70 * MINUTE);
        await wake(host, id);
        expect(await sessionNow(id)).toMatchObject({ cancelledStart: start });
        const back = await refundsOf(id);
        const payers = is_free ? [host, host, host] : [host, payer, guest];
        expect(back.map(({ userId }) => userId).sort()).toEqual(payers.map(({ id }) => id).sort());
        expect(back.every(({ amount }) => amount === 100)).toBe(true);
        expect((await causesOf(id)).length).toBe(1);
        start += 2 * 60 * MINUTE;
      },
    ),
    { numRuns: ABSENCES, seed: propertySeed, endOnFailure: true },
  );
  expect(count).toBeGreaterThanOrEqual(ABSENCES);
  expect(await Promise.all([host, payer, guest].map(balanceOf))).toEqual([1_000_000, 1_000_000, 1_000_000]);
}, 1_800_000);

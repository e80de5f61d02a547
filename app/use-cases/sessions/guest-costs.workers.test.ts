import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, type TestUser, testApp } from "#tests/support/factories";
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
import { useRoomClock } from "#tests/support/rooms";
import { iso, restSeries } from "#tests/support/series";
import { balanceOf, join, leave, sayIn, seatsOf, sessionNow, setSession } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { MINUTE } from "~/domain/time";
import { eraseGuests } from "~/use-cases/erase-guests.server";

useRoomClock();
beforeEach(restSeries);
keepBystanders(restSeries);

test("H-20 R-55 guests sit on through a hand-over, and the host who let them in pays; one who left comes back when the new host takes guests", async () => {
  const { host, member, id, path } = await openHouse();
  const [guest, left] = [await seated(path, "Ada"), await seated(path, "Bo")];
  await beginRun(host, id);
  await leave(left, id);
  expect((await callAs(host, "PATCH", seatPath(id, member), { host: 1 })).status).toBe(200);
  const [ofHost, ofMember] = [await balanceOf(host), await balanceOf(member)];
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, guest));
  expect((await sayIn(guest, id)).status).toBe(201);
  expect([await balanceOf(host), await balanceOf(member)]).toEqual([ofHost - 100, ofMember]);
  const closed = await join(left, id);
  expect([closed.status, closed.body.error_code]).toEqual([401, "UNAUTHENTICATED"]);
  const switched = await callAs(member, "PATCH", eventPath(id, "patch"), { challenge: { guest_limit: 2 } });
  expect(switched.status).toBe(200);
  expect((await join(left, id)).status).toBe(200);
  expect([await balanceOf(host), await balanceOf(member)]).toEqual([ofHost - 100, ofMember - 100]);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, guest, left));
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
  await beginRun(host, id);
  await comesAndGoes(guest, id, 3);
  expect(before - (await balanceOf(host))).toBe(100);
  const other = await seated(path, "Bo");
  const ofMember = await balanceOf(member);
  await comesAndGoes(member, id, 1);
  await comesAndGoes(other, id, 1);
  expect([before - (await balanceOf(host)), ofMember - (await balanceOf(member))]).toEqual([200, 100]);
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, guest, other));
  expect((await sessionNow(id))?.participantsCount).toBe(4);
});

test("H-20 two returns of a guest at once are one seat and no second token", async () => {
  const { host, member, id, path } = await openHouse();
  const guest = await seated(path, "Ada");
  await beginRun(host, id);
  await leave(guest, id);
  const paid = await balanceOf(host);
  const both = await Promise.all([join(guest, id), join(guest, id), join(guest, id)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([await balanceOf(host), await seatedIds(id)]).toEqual([paid, sortedIds(host, member, guest)]);
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
  expect((await callAs(host, "DELETE", seatPath(id, guest))).status).toBe(204);
  expect(await balanceOf(host)).toBe(before);
  expect((await join(guest, id)).status).toBe(200);
  await leave(guest, id);
  expect(before - (await balanceOf(host))).toBe(100);
});

test("H-20 R-55 each host pays a guest's seat once, and the first of them not again", async () => {
  const { host, member, id, path } = await openHouse();
  const guest = await seated(path, "Ada");
  await beginRun(host, id);
  const balances = async () => [await balanceOf(host), await balanceOf(member)];
  const [ofHost = 0, ofMember = 0] = await balances();
  const handTo = async (from: TestUser, to: TestUser) => {
    expect((await callAs(from, "PATCH", seatPath(id, to), { host: 1 })).status).toBe(200);
    expect(
      (await callAs(to, "PATCH", eventPath(id, "patch"), { challenge: { guest_limit: 2 } })).status,
    ).toBe(200);
  };
  await handTo(host, member);
  await comesAndGoes(guest, id, 2);
  expect(await balances()).toEqual([ofHost, ofMember - 100]);
  await handTo(member, host);
  await comesAndGoes(guest, id, 2);
  expect(await balances()).toEqual([ofHost, ofMember - 100]);
  expect(new Set((await seatsOf(id)).map(({ seat }) => seat)).size).toBe(3);
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
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, two, kept));
  expect(await eraseGuests(await testApp({ now: now() }))).toMatchObject({ freed: 1, failed: 0 });
  expect(await seatedIds(id)).toEqual(sortedIds(host, member, kept));
  expect([await balanceOf(host), (await sessionNow(id))?.participantsCount]).toEqual([paid - 100, 3]);
  expect(await seatedIds(closed.id)).toEqual(sortedIds(closed.host, closed.member, past));
  expect(await eraseGuests(await testApp({ now: now() }))).toMatchObject({ freed: 0, failed: 0 });
});

test.each(["waiting", "running"])(
  "H-24 R-69 a form from before all guests were removed does not let guests in again: %s",
  async (status) => {
    const { host, id, path } = await openHouse();
    const apart = await openHouse();
    const save = (challenge: object) => callAs(host, "PATCH", eventPath(id, "patch"), { challenge });
    const dateOf = async (session: number) => {
      const { updatedAt, sequence } = (await sessionNow(session)) ?? {};
      return { updatedAt, sequence };
    };
    await seated(path, "Ada");
    if (status === "running") await beginRun(host, id);
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
  await callAs(host, "PATCH", eventPath(id, "patch"), { challenge: { is_free: 1 } });
  const save = (challenge: object) => callAs(host, "PATCH", eventPath(id, "patch"), { challenge });
  const updated_at = (await save({ donation_link: "https://example.com/tea" })).body.challenge_event
    .updated_at;
  expect((await callAs(host, "PATCH", seatPath(id, member), { host: 1 })).status).toBe(200);
  expect((await callAs(member, "PATCH", seatPath(id, host), { host: 1 })).status).toBe(200);
  for (const change of [{ guest_limit: 5 }, { is_free: 1 }])
    expect([change, (await save({ ...change, updated_at })).status]).toEqual([change, 409]);
  expect((await sitIn(path, "Bo")).guest).toBeNull();
  expect((await save({ guest_limit: 1 })).status).toBe(200);
});

// Every way in which a session gets another host: free joining ends with the old host, and the new one hears of it.
import { expect, test } from "vitest";
import { runBatch } from "#db/connect.server";
import { handOver } from "#db/queries/sessions/hand-over";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUser, makeUsers, setUser, type TestUser, testApp } from "#tests/support/factories";
import { joinRoom, ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { sentencesOf } from "#tests/support/series";
import { balanceOf, join, makeSession, seatsOf, sessionNow } from "#tests/support/sessions";
import { instant, MINUTE } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { newEvent } from "~/use-cases/notices/events.server";

const at = useRoomClock();
const START = instant(ROOM_NOW + 10 * MINUTE);
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;

type Staged = { id: number; host: TestUser; next: TestUser };
const DOORS: Record<string, (staged: Staged) => Promise<void>> = {
  "the host hands over": async ({ id, host, next }) => {
    const { status } = await callAs(host, "PATCH", event(id, `participants/${next.username}`), { host: 1 });
    expect(status).toBe(200);
  },
  "a super admin hands over": async ({ id, next }) => {
    const admin = await makeUser({ roleId: 10 });
    const { status } = await callAs(admin, "PATCH", event(id, `participants/${next.username}`), { host: 1 });
    expect(status).toBe(200);
  },
  "an admin claims": async ({ id, next }) => {
    at(START);
    await joinRoom(next, id);
    expect((await callAs(next, "POST", event(id, "claim"), {})).status).toBe(200);
  },
  "the account of the host is deleted": async ({ host }) => {
    await setUser(host.id, { deletionDueAt: ROOM_NOW });
    await deleteDueAccounts(await testApp({ now: instant(ROOM_NOW + 1) }));
  },
};

keepBystanders();

test.each(Object.keys(DOORS))(
  "R-55 a hand-over ends free joining and tells the new host when %s",
  async (door) => {
    const [host, next, stranger] = await makeUsers(3);
    const { id } = await makeSession(host, {
      is_free: 1,
      is_manually_started: 0,
      started_at: new Date(START).toISOString(),
    });
    await join(next, id);
    await callAs(host, "PATCH", event(id, `participants/${next.username}`), { role: 1 });
    await DOORS[door]?.({ id, host, next });
    expect((await seatsOf(id)).filter(({ isHost }) => isHost).map(({ userId }) => userId)).toEqual([next.id]);
    expect((await sessionNow(id))?.isFree).toBe(false);
    expect((await join(stranger, id)).status).toBe(200);
    expect([await balanceOf(next), await balanceOf(stranger)]).toEqual([1000, 900]);
    const sentence = `You host Morning pages now. Joining is no longer free: its host would pay for everybody. You may switch it on again.`;
    expect(await sentencesOf(next, "host-given")).toEqual([sentence]);
  },
);

test("R-55 a person who got the host role switches free joining on again", async () => {
  const [host, next, stranger] = await makeUsers(3);
  const { id } = await makeSession(host, { is_free: 1 });
  await join(next, id);
  await callAs(host, "PATCH", event(id, `participants/${next.username}`), { host: 1 });
  const on = await callAs(next, "PATCH", event(id, "patch"), { challenge: { is_free: 1 } });
  expect([on.status, (await sessionNow(id))?.isFree]).toEqual([200, true]);
  expect((await join(stranger, id)).status).toBe(200);
  expect([await balanceOf(next), await balanceOf(stranger)]).toEqual([900, 1000]);
});

test("R-05 R-55 a hand-over to a person whose seat is gone changes nothing beside another person's seat", async () => {
  const [host, gone, other] = await makeUsers(3);
  const { id } = await makeSession(host, { is_free: 1 });
  await join(other, id);
  const before = [await seatsOf(id), await sessionNow(id)];
  const given = newEvent(
    { now: ROOM_NOW, user: null },
    { kind: "host-given", subject: `session:${id}`, body: { title: "", path: "", to: [gone.id] } },
  );
  await runBatch(db, handOver(db, { sessionId: id, userId: gone.id, keepsFree: false }, given));
  expect([await seatsOf(id), await sessionNow(id)]).toEqual(before);
  expect(await sentencesOf(gone, "host-given")).toEqual([]);
});

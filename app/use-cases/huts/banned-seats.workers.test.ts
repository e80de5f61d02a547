// Seats of banned people in ended sessions, when the sessions or the hut with its bans go.
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { makeUsers, type TestUser } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { join, makeHut, makeSession, sayIn, seatsOf, sessionNow } from "#tests/support/sessions";

const at = useRoomClock();

type Hut = { id: number; slug: string };
const change = (by: TestUser, hut: Hut, over: object) =>
  callAs(by, "PATCH", `/groups/${hut.slug}/patch`, { hut: over });
const ban = (by: TestUser, hut: Hut, whom: TestUser) =>
  callAs(by, "PATCH", `/groups/${hut.slug}/members/${whom.username}`, { ban: 1 });

/** A person whom the hut has banned had a seat in an ended session of the hut, beside two others. */
async function scene() {
  at(ROOM_NOW);
  const [owner, host, banned, other] = await makeUsers(4, { tokens: 9000 });
  const hut = await makeHut(owner, [owner, host, banned, other]);
  const elsewhere = await makeHut(other, [owner, host, banned, other]);
  const ended = async ({ id: hut_id }: Hut) => {
    const { id } = await makeSession(host, { hut_id, join_code: "sesame" });
    for (const user of [banned, other]) await join(user, id, "sesame");
    await callAs(host, "POST", `/challenge-events/${id}/start`, {});
    await sayIn(host, id, "Larkspur");
    await callAs(host, "POST", `/challenge-events/${id}/end`, {});
    return id;
  };
  const [here, there] = [await ended(hut), await ended(elsewhere)];
  expect((await ban(owner, hut, banned)).status).toBe(200);
  const reads = async (user: TestUser, id: number) =>
    JSON.stringify((await callAs(user, "GET", `/api/sessions/${id}/chat`)).body).includes("Larkspur");
  expect([await reads(banned, here), await reads(other, here)]).toEqual([false, true]);
  return { owner, host, banned, other, hut, here, there, reads };
}

keepBystanders();

const WAYS: Readonly<Record<string, (world: Awaited<ReturnType<typeof scene>>) => Promise<unknown>>> = {
  "the deletion of a public hut": ({ owner, hut }) =>
    callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug }),
  "the deletion of a private hut": async ({ owner, hut }) => {
    await change(owner, hut, { is_private: 1 });
    await callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug });
  },
  "the ban of its host": ({ owner, hut, host }) => ban(owner, hut, host),
  "an edit of its host that moves it out": ({ host, here }) =>
    callAs(host, "PATCH", `/challenge-events/${here}/patch`, { challenge: { hut_id: null } }),
  "a hut that closes without its host": async ({ owner, hut, host }) => {
    await callAs(host, "DELETE", `/groups/${hut.slug}/leave`);
    await change(owner, hut, { is_private: 1 });
  },
};
for (const [name, happen] of Object.entries(WAYS))
  test(`R-56 R-87 after ${name} a person banned from the hut still reads no chat of its ended session`, async () => {
    const world = await scene();
    const { host, banned, other, here, there, reads } = world;
    await happen(world);
    const row = await sessionNow(here);
    expect([row?.hutId, row?.participantsCount]).toEqual([null, 2]);
    expect((await seatsOf(here)).map(({ userId }) => userId).sort()).toEqual([host.id, other.id].sort());
    expect([await reads(banned, here), await reads(other, here)]).toEqual([false, true]);
    // The session of another hut keeps all three seats.
    expect((await sessionNow(there))?.participantsCount).toBe(3);
    expect([(await seatsOf(there)).length, await reads(banned, there)]).toEqual([3, true]);
  });

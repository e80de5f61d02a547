// Sessions whose host does not come: an admin claims them, with the room's real sockets.
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { joinRoom, ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { balanceOf, makeSession, seatsOf, sessionNow } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { MINUTE } from "~/domain/time";

const db = connect(env.DB);
const at = useRoomClock();
const START = ROOM_NOW + 60 * MINUTE;
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const join = (user: TestUser, id: number) => callAs(user, "POST", event(id, "join"), {});
const claim = (user: TestUser | null, id: number, body: object = {}) =>
  callAs(user, "POST", event(id, "claim"), body);
const hostOf = async (id: number) =>
  (await seatsOf(id)).filter(({ isHost }) => isHost).map((one) => one.userId);

/** A session in an hour, with a host, two admins and a guest. */
async function staged(over: Record<string, unknown> = {}) {
  const [host, admin, other, guest] = await Promise.all([makeUser(), makeUser(), makeUser(), makeUser()]);
  const started_at = new Date(START).toISOString();
  const { id } = await makeSession(host, { is_manually_started: 0, started_at, ...over });
  for (const user of [admin, other, guest]) await join(user, id);
  for (const { username } of [admin, other])
    await callAs(host, "PATCH", event(id, `participants/${username}`), { role: 1 });
  return { id, host, admin, other, guest };
}

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
  // Without an open page, without the role, and without a login.
  expect((await claim(other, id)).body.error_code).toBe("CONFLICT");
  expect((await claim(guest, id)).body.error_code).toBe("FORBIDDEN");
  expect((await claim(null, id)).status).toBe(401);
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

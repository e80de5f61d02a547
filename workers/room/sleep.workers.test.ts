// The room after hibernation, while its sockets are open: what it has written to D1, and what it still owes.
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs } from "#tests/support/ask";
import { appOf, makeUser, makeUsers } from "#tests/support/factories";
import {
  alarmOf,
  controlOf,
  firstPartOf,
  joinRoom,
  makeSession,
  ROOM_NOW as NOW,
  partsOf,
  recordOf,
  runningRoom,
  stubOf,
  useRoomClock,
  watchRoom,
} from "#tests/support/rooms";
import { setSession } from "#tests/support/sessions";
import { MINUTE, plusSeconds, SECOND } from "~/domain/time";

const at = useRoomClock();

/** The state of the first part, in D1. */
const recorded = async (id: number) => firstPartOf(await recordOf(id));

test("C2 L-06 a room that slept owes nothing, and does not write D1 again", async () => {
  const host = await makeUser();
  const { id, room } = await runningRoom([host], partsOf(60), 600);
  const line = await joinRoom(host, id);
  await room.change(controlOf(host, "pause"));
  const written = await recordOf(id);
  expect(await recorded(id)).toBe("paused");
  line.say({ type: "message", content: "Later", nonce: "later" });
  await line.expect("message", (op) => op.nonce === "later");
  at(NOW + SECOND);
  await evictDurableObject(stubOf(id));
  await (await appOf(host)).rooms.of(id).refresh();
  expect(await recordOf(id)).toEqual(written);
  await (await appOf(host)).rooms.of(id).change(controlOf(host, "resume"));
  expect(await recorded(id)).toBe("running");
});

test("L-05 L-06 D1 receives what it refused before the room slept", async () => {
  const host = await makeUser();
  const { id } = await runningRoom([host], partsOf(60), 600);
  await joinRoom(host, id);
  const broken = vi
    .spyOn(Object.getPrototypeOf(env.DB) as D1Database, "withSession")
    .mockImplementation(() => {
      throw new Error("D1 does not answer");
    });
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await stubOf(id).change(id, controlOf(host, "pause"))).toMatchObject({ ok: true });
  await evictDurableObject(stubOf(id));
  broken.mockRestore();
  expect(await recorded(id)).toBe("running");
  expect(await alarmOf(id)).toBe(NOW + 5 * SECOND);
  at(NOW + 5 * SECOND);
  await runDurableObjectAlarm(stubOf(id));
  expect(await recorded(id)).toBe("paused");
  // Nothing is owed any more: the room sleeps until it looks at the pings of its sockets.
  expect(await alarmOf(id)).toBe(NOW + 5 * SECOND + 2 * MINUTE);
});

test("Q-13 L-06 a mute that lowers a hand holds after the room slept, and mutes nobody else", async () => {
  const [host, muted, other] = await makeUsers(3);
  const { id } = await runningRoom([host, muted, other], partsOf(600), 600);
  const [ofMuted, ofOther] = [await joinRoom(muted, id), await joinRoom(other, id)];
  ofMuted.say({ type: "hand", is_up: true });
  await ofMuted.expect("participants", ({ participants }) =>
    participants.some(({ hand }) => hand !== undefined),
  );
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${muted.username}`, { mute: 300 });
  await evictDurableObject(stubOf(id));
  ofMuted.say({ type: "hand", is_up: true });
  expect(await ofMuted.expect("refused")).toMatchObject({ error_code: "FORBIDDEN" });
  ofOther.say({ type: "message", content: "Hello", nonce: "n" });
  await ofMuted.expect("message", ({ nonce }) => nonce === "n");
});

test("Q-45 J-02 a join code and a call that come with a new text stay after the room slept", async () => {
  const host = await makeUser();
  const { id } = await makeSession([host], { now: NOW, startedAt: plusSeconds(NOW, 3600), duration: 600 });
  await joinRoom(host, id);
  await setSession(id, { title: "Renamed", joinCode: "kettle", meetingLink: "https://meet.example/tea" });
  const { rooms } = await appOf(host);
  await rooms.of(id).refresh();
  const before = (await rooms.of(id).view()).state;
  expect(before).toMatchObject({ title: "Renamed", hasCode: true, call: expect.any(String) });
  await evictDurableObject(stubOf(id));
  expect((await rooms.of(id).view()).state).toEqual(before);
  const spectator = await watchRoom(id);
  expect((await spectator.expect("welcome")).participants).toEqual([]);
});

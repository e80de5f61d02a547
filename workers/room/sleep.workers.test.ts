// The room after hibernation, while its sockets are open: what it has written to D1, and what it still owes.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { connect, schema } from "#db/connect.server";
import { appOf, makeUser, type TestUser } from "#tests/support/factories";
import {
  actorOf,
  joinRoom,
  ROOM_NOW as NOW,
  partsOf,
  runningRoom,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import type { RoomChange } from "~/domain/room";
import { partsInOrder } from "~/domain/schedule-shape";
import { SECOND } from "~/domain/time";

const db = connect(env.DB);
const at = useRoomClock();

const recordOf = async (id: number) => {
  const [row] = await db.select().from(schema.sessions).where(eq(schema.sessions.id, id));
  if (!row) throw new Error("no such session");
  return row;
};
/** The state of the first part, in D1. */
const recorded = async (id: number) => partsInOrder((await recordOf(id)).schedule)[0]?.state;
const control = (by: TestUser, action: "pause" | "resume"): RoomChange => ({
  type: "control-part",
  by: actorOf(by),
  partId: "p1",
  action,
});

test("C2 L-06 a room that slept does not write D1 again, though its disk still names the debt", async () => {
  const host = await makeUser();
  const { id, room } = await runningRoom([host], partsOf(60), 600);
  const line = await joinRoom(host, id);
  await room.change(control(host, "pause"));
  const written = await recordOf(id);
  expect(await recorded(id)).toBe("paused");
  line.say({ type: "message", content: "Later", nonce: "later" });
  await line.expect("message", (op) => op.nonce === "later");
  at(NOW + SECOND);
  await evictDurableObject(stubOf(id));
  await (await appOf(host)).rooms.of(id).refresh();
  expect(await recordOf(id)).toEqual(written);
  await (await appOf(host)).rooms.of(id).change(control(host, "resume"));
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
  expect(await stubOf(id).change(id, control(host, "pause"))).toMatchObject({ ok: true });
  await evictDurableObject(stubOf(id));
  broken.mockRestore();
  expect(await recorded(id)).toBe("running");
  const alarm = () => runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm());
  expect(await alarm()).toBe(NOW + 5 * SECOND);
  at(NOW + 5 * SECOND);
  await runDurableObjectAlarm(stubOf(id));
  expect(await recorded(id)).toBe("paused");
  // Nothing is owed any more: the room sleeps until the session's end.
  expect(await alarm()).toBe(NOW + 600 * SECOND);
});

// The copy of a room's chat outside the room: when it is written, what it costs, and a room that lost its storage.
import { createExecutionContext, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import {
  actorOf,
  joinRoom,
  ROOM_NOW as NOW,
  partsOf,
  runningRoom,
  sayInRoom,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import { leave } from "#tests/support/sessions";
import { runCron } from "#workers/cron";
import type { RoomAnswer } from "#workers/room/answers";
import type { SessionRoom } from "#workers/room/session-room";
import { readChatCopy } from "~/domain/room/chat-copy";
import { DAY, HOUR, MINUTE } from "~/domain/time";

const at = useRoomClock();

/** A session of two days, so that a night falls into it. */
const running = (...people: TestUser[]) => runningRoom(people, partsOf((2 * DAY) / 1000), (2 * DAY) / 1000);
const copyOf = async (id: number) => {
  const stored = await env.COPIES.get(`chat/${id}`);
  return stored ? readChatCopy(await stored.text()) : null;
};
const textsOf = async (id: number) => (await copyOf(id))?.lines.map(({ content }) => content);
/** As `npm run backup` does. */
const askFor = (...ids: number[]) =>
  env.DB.batch(ids.map((id) => env.DB.prepare("INSERT INTO chats_to_copy VALUES (?, 0)").bind(id)));
const asked = async () =>
  (
    await env.DB.prepare("SELECT session_id FROM chats_to_copy ORDER BY 1").all<{ session_id: number }>()
  ).results.map(({ session_id }) => session_id);
const copyNow = async (id: number) => {
  expect(await stubOf(id).copyChat(id)).toMatchObject({ ok: true });
};
/** Somebody sends these lines at once, so that the last of them wait for their frame; the call comes before it. */
const burst = (
  id: number,
  texts: readonly string[],
  call: (room: SessionRoom) => Promise<RoomAnswer<unknown>>,
) =>
  runInDurableObject(stubOf(id), async (room: SessionRoom, ctx) => {
    const [socket] = ctx.getWebSockets();
    for (const content of texts)
      await room.webSocketMessage(
        socket as WebSocket,
        JSON.stringify({ type: "message", content, nonce: content }),
      );
    expect(await call(room)).toMatchObject({ ok: true });
  });
const alarmOf = (id: number) => runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm());
const ring = (id: number) =>
  runInDurableObject(stubOf(id), async (object, { storage }) => {
    await storage.deleteAlarm();
    await object.alarm();
  });
const cron = async (now: number) =>
  (await runCron({ cron: "*/5 * * * *", scheduledTime: now }, env, createExecutionContext())).find(
    ({ job }) => job === "copy-chats",
  )?.did;
/** The room's storage is gone, as in a new installation. */
const loseStorage = async (id: number) => {
  await runInDurableObject(stubOf(id), async (_, { storage }) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
  });
  await evictDurableObject(stubOf(id));
};
const chatAs = async (user: TestUser, id: number) =>
  (await dataOf(user, `/api/sessions/${id}/chat`)).messages;

test("Q-43 a room with new lines copies its chat at night by its own alarm, and sleeps without", async () => {
  const host = await makeUser();
  const { id } = await running(host);
  const before = await alarmOf(id);
  await sayInRoom(id, host, "The kettle is on");
  const night = (await alarmOf(id)) ?? 0;
  expect(night).toBeLessThan(before ?? 0);
  expect(night - NOW).toBeGreaterThan(2 * HOUR);
  expect(night - NOW).toBeLessThan(5 * HOUR);
  await sayInRoom(id, host, "And off");
  expect(await alarmOf(id)).toBe(night);
  // The room sleeps until then, and its constructor finds the line again.
  await evictDurableObject(stubOf(id));
  at(night - 1);
  await ring(id);
  expect(await copyOf(id)).toBeNull();
  expect(await alarmOf(id)).toBe(night);
  at(night);
  await ring(id);
  expect(await textsOf(id)).toEqual(["The kettle is on", "And off"]);
  expect(await alarmOf(id)).toBe(before);
  await sayInRoom(id, host, "Once more");
  expect(await alarmOf(id)).toBe(night + DAY);
});

test("Q-43 the job copies the chat of rooms that a backup asks, and resumes where it stopped", async () => {
  const host = await makeUser();
  const [first, second, silent] = [await running(host), await running(host), await running(host)];
  await sayInRoom(first.id, host, "The kettle is on");
  await sayInRoom(second.id, host, "Two rounds");
  await askFor(first.id, second.id, silent.id);
  const { copyChats } = await import("./chat-copies.server");
  expect(await copyChats(await appOf(host), 1)).toEqual({ copied: 1, failed: 0 });
  expect(await asked()).toEqual([second.id, silent.id]);
  expect(await cron(NOW)).toEqual({ copied: 2, failed: 0 });
  expect(await textsOf(first.id)).toEqual(["The kettle is on"]);
  expect(await textsOf(second.id)).toEqual(["Two rounds"]);
  expect(await copyOf(silent.id)).toBeNull();
  const puts = vi.spyOn(Object.getPrototypeOf(env.COPIES), "put");
  await askFor(first.id);
  expect(await cron(NOW)).toEqual({ copied: 1, failed: 0 });
  expect(puts).not.toHaveBeenCalled();
  expect(await asked()).toEqual([]);
});

test("Q-43 a closing room copies its chat once, with one row of its storage and none of D1", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  await sayInRoom(id, host, "First");
  const puts = vi.spyOn(Object.getPrototypeOf(env.COPIES), "put");
  await sayInRoom(id, guest, "Second");
  // D1 gets a pause at once, the copy waits.
  await stubOf(id).change(id, { type: "control-part", by: actorOf(host), partId: "p1", action: "pause" });
  expect(puts).not.toHaveBeenCalled();
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  expect(puts).toHaveBeenCalledOnce();
  expect(await textsOf(id)).toEqual(["First", "Second"]);
  const rows = await runInDurableObject(stubOf(id), (_, { storage }) =>
    storage.sql.exec("SELECT key FROM room WHERE key = 'copied'").toArray(),
  );
  expect(rows).toHaveLength(1);
  expect(await alarmOf(id)).toBeNull();
});

test("Q-43 edits and removals reach the copy at once, before and after the session's end", async () => {
  const host = await makeUser();
  const { id } = await running(host);
  const [edited, removed] = [await sayInRoom(id, host, "Typo"), await sayInRoom(id, host, "Take that back")];
  await copyNow(id);
  // A line that waits for the night does not keep the change waiting.
  await sayInRoom(id, host, "A newer line");
  await callAs(host, "PATCH", `/api/sessions/${id}/messages/${edited}`, { content: "No typo" });
  expect(await textsOf(id)).toEqual(["No typo", "Take that back", "A newer line"]);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  await callAs(host, "DELETE", `/api/sessions/${id}/messages/${removed}`);
  const copy = await copyOf(id);
  expect(copy?.lines.map(({ content, removed_at }) => [content, removed_at !== null])).toEqual([
    ["No typo", false],
    ["", true],
    ["A newer line", false],
  ]);
  expect(JSON.stringify(copy)).not.toMatch(/Typo|Take that back/);
});

test("Q-43 a deleted account's lines and name leave the copy", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id, room } = await running(host, guest);
  await sayInRoom(id, guest, "Quillfeather");
  await sayInRoom(id, host, "Hostwords");
  await copyNow(id);
  await sayInRoom(id, host, "A newer line");
  await room.eraseAuthor({ userId: guest.id, username: `deleted.${guest.id}` });
  const copy = JSON.stringify(await copyOf(id));
  expect(copy).toContain("Hostwords");
  expect(copy).toContain(`deleted.${guest.id}`);
  expect(copy).not.toMatch(new RegExp(`Quillfeather|${guest.username}`));
});

test("Q-41 Q-43 lines that still wait for their frame are in the copy, and leave it with their author", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  await joinRoom(guest, id);
  await sayInRoom(id, guest, "This line pays");
  const texts = Array.from({ length: 8 }, (_, n) => `Quillfeather ${n}`);
  await burst(id, texts, (room) => room.copyChat(id));
  expect(await textsOf(id)).toEqual(["This line pays", ...texts]);
  const username = `deleted.${guest.id}`;
  const more = texts.map((text) => `${text} again`);
  await burst(id, more, (room) => room.eraseAuthor(id, { userId: guest.id, username }));
  const copy = await copyOf(id);
  expect(copy?.lines.map(({ content }) => content)).toEqual(Array.from({ length: 17 }, () => ""));
  expect(new Set(copy?.lines.map((line) => line.username))).toEqual(new Set([username]));
});

test("Q-43 a copy that fails is retried by the alarm, and nothing of the room waits for it", async () => {
  const host = await makeUser();
  const { id } = await running(host);
  await sayInRoom(id, host, "Hold on");
  const silenced = vi.spyOn(console, "error").mockImplementation(() => {});
  const broken = vi
    .spyOn(Object.getPrototypeOf(env.COPIES), "put")
    .mockRejectedValue(new Error("R2 does not answer"));
  expect((await callAs(host, "POST", `/challenge-events/${id}/end`, {})).status).toBe(200);
  const closed = await env.DB.prepare("SELECT closed_at FROM sessions WHERE id = ?")
    .bind(id)
    .first("closed_at");
  expect(closed).not.toBeNull();
  expect(await copyOf(id)).toBeNull();
  expect(silenced).toHaveBeenCalled();
  broken.mockRestore();
  silenced.mockRestore();
  const alarm = await alarmOf(id);
  expect(alarm).toBeLessThanOrEqual(NOW + MINUTE);
  at(alarm ?? 0);
  await ring(id);
  expect(await textsOf(id)).toEqual(["Hold on"]);
});

test("Q-43 a failing room is retried an hour later and blocks no other", async () => {
  const host = await makeUser();
  const [broken, fine] = [await running(host), await running(host)];
  for (const { id } of [broken, fine]) await sayInRoom(id, host, "Hello");
  await askFor(broken.id, fine.id);
  const silenced = vi.spyOn(console, "error").mockImplementation(() => {});
  const app = { ...(await appOf(host)), now: NOW };
  const of = (id: number) => ({
    ...app.rooms.of(id),
    ...(id === broken.id ? { copyChat: () => Promise.reject(new Error("no room")) } : {}),
  });
  const { copyChats } = await import("./chat-copies.server");
  expect(await copyChats({ ...app, rooms: { ...app.rooms, of } })).toEqual({ copied: 1, failed: 1 });
  expect(silenced).toHaveBeenCalled();
  silenced.mockRestore();
  expect(await asked()).toEqual([broken.id]);
  expect(await cron(NOW + MINUTE)).toEqual({ copied: 0, failed: 0 });
  expect(await cron(NOW + HOUR)).toEqual({ copied: 1, failed: 0 });
});

test("Q-44 a room without storage gets its chat, its numbers and its paid blocks back, once", async () => {
  const [host, guest, leaver] = await makeUsers(3);
  const { id } = await running(host, guest, leaver);
  await callAs(guest, "PUT", `/api/blocks/${leaver.username}`);
  const edited = await sayInRoom(id, host, "First");
  await sayInRoom(id, leaver, "Goodbye");
  const removed = await sayInRoom(id, guest, "Never mind");
  await callAs(host, "PATCH", `/api/sessions/${id}/messages/${edited}`, { content: "The first" });
  await callAs(guest, "DELETE", `/api/sessions/${id}/messages/${removed}`);
  await leave(leaver, id);
  const before = { host: await chatAs(host, id), guest: await chatAs(guest, id) };
  expect(before.guest.length).toBeLessThan(before.host.length);
  await copyNow(id);
  const seq = (await copyOf(id))?.seq ?? 0;
  const paid = () =>
    env.DB.prepare("SELECT count(*) AS n FROM token_entries WHERE reference LIKE ?")
      .bind(`chat:${id}:%`)
      .first<number>("n");
  const blocks = await paid();

  const idle = await alarmOf(id);
  await loseStorage(id);
  expect({ host: await chatAs(host, id), guest: await chatAs(guest, id) }).toEqual(before);
  expect(await alarmOf(id)).toBe(idle);
  const next = await sayInRoom(id, host, "Second");
  expect(next).toBeGreaterThan(seq);
  expect(await paid()).toBe(blocks);
  // The room has storage again, so a copy from before changes nothing.
  await evictDurableObject(stubOf(id));
  expect((await chatAs(host, id)).map(({ content }: { content: string }) => content)).toEqual([
    "The first",
    "Goodbye",
    "",
    "Second",
  ]);
  const { messages } = await (await joinRoom(guest, id)).expect("history");
  const seen = (await chatAs(guest, id)).map(({ seq: line }: { seq: number }) => line);
  expect(messages.map(({ seq: line }) => line)).toEqual(seen);
});

test("Q-44 a room does not open while its copy cannot be read, so an empty chat never replaces the copy", async () => {
  const host = await makeUser();
  const { id } = await running(host);
  await sayInRoom(id, host, "Keep me");
  await copyNow(id);
  await loseStorage(id);
  const silenced = vi.spyOn(console, "error").mockImplementation(() => {});
  const broken = vi
    .spyOn(Object.getPrototypeOf(env.COPIES), "get")
    .mockRejectedValue(new Error("R2 does not answer"));
  const by = actorOf(host);
  const said = await stubOf(id).change(id, { type: "say", by, content: "Hello?", nonce: "n" });
  expect(said).toMatchObject({ ok: false, code: "SERVER_ERROR" });
  broken.mockRestore();
  silenced.mockRestore();
  await sayInRoom(id, host, "Hello again");
  expect((await chatAs(host, id)).map(({ content }: { content: string }) => content)).toEqual([
    "Keep me",
    "Hello again",
  ]);
});

test("Q-43 the copy of a deleted session is deleted", async () => {
  const host = await makeUser();
  const { id } = await running(host);
  await sayInRoom(id, host, "Forget me");
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  expect(await copyOf(id)).not.toBeNull();
  await env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(id).run();
  await stubOf(id).refresh(id);
  expect(await copyOf(id)).toBeNull();
});

test("Q-44 a deleted account leaves its id beside the copies", async () => {
  const user = await makeUser();
  await env.DB.prepare("UPDATE users SET deletion_due_at = ? WHERE id = ?").bind(NOW, user.id).run();
  await runCron({ cron: "17 3 * * *", scheduledTime: NOW + DAY }, env, createExecutionContext());
  expect(await env.COPIES.list({ prefix: `deleted/${user.id}-` })).toMatchObject({ objects: [{}] });
});

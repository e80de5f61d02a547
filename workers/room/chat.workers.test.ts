// Paid chat with parallel speakers, crashes and too few tokens (B-12, B-13). Each acknowledged line is paid once,
// unused lines are refunded, and the ledger's sums agree.
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { listOpenChatBlocks } from "#db/queries/room/chat-blocks";
import { db, makeUser, makeUsers, reload, type TestUser } from "#tests/support/factories";
import { breakD1 } from "#tests/support/failing-d1";
import {
  actorOf,
  joinRoom,
  makeSession,
  ROOM_NOW as NOW,
  partsOf,
  runningRoom,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { instant, SECOND } from "~/domain/time";
import { RoomStore } from "./store";

const at = useRoomClock();

const running = (...people: TestUser[]) => runningRoom(people, partsOf(600), 1200);
const say = (id: number, user: TestUser, nonce: string, content = nonce) =>
  stubOf(id).change(id, { type: "say", by: actorOf(user), content, nonce });
const balance = async (user: TestUser) => (await reload(user))?.tokens;

/**
 * Each token lot equals its grant minus what its entries took plus what they returned; no balance is negative
 * (B-12).
 */
async function expectLedgerToAgree() {
  const lots = await db
    .select({
      granted: schema.tokenLots.granted,
      remaining: schema.tokenLots.remaining,
      entries: sql<number>`(SELECT coalesce(sum(amount), 0) FROM token_entries WHERE lot_id = token_lots.id)`,
    })
    .from(schema.tokenLots);
  for (const lot of lots) {
    expect(lot.remaining).toBe(lot.granted + lot.entries);
    expect(lot.remaining).toBeGreaterThanOrEqual(0);
  }
}

test("B-12 B-13 L-06 with five speakers and a room that keeps crashing, each line is paid once and unused lines are refunded", async () => {
  const people = await makeUsers(5);
  const { id, host, room } = await running(...people);
  const acknowledged = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const lines = people.flatMap((user) =>
      Array.from({ length: 30 }, (_, i) => {
        const nonce = `${round}-${i}`;
        return say(id, user, nonce).then(
          (answer) => answer.ok && acknowledged.add(`${user.username} ${nonce}`),
          () => {},
        );
      }),
    );
    // Only every second round is interrupted by a crash.
    if (round % 2 === 0) {
      await Promise.race(lines);
      await abortAllDurableObjects();
    }
    await Promise.all(lines);
    // A client without an answer retries; the nonce prevents a second line.
    for (const user of people) {
      const answer = await say(id, user, `${round}-0`);
      if (answer.ok) acknowledged.add(`${user.username} ${round}-0`);
    }
  }
  const messages = await room.messages({ limit: 5000 });
  const said = messages.map((message) => `${message.username} ${message.nonce}`);
  expect(new Set(said).size).toBe(said.length);
  for (const line of acknowledged) expect(said).toContain(line);
  expect(messages.map((message) => message.seq)).toEqual(
    messages.map((message) => message.seq).sort((a, b) => a - b),
  );
  await expectLedgerToAgree();
  await room.change({ type: "end", by: actorOf(host) });
  await expectLedgerToAgree();
  for (const user of people) {
    const mine = messages.filter((message) => message.username === user.username).length;
    expect(await balance(user)).toBe(1000 - mine);
  }
  const used = new Map<string, number>();
  for (const { username } of messages) used.set(username, (used.get(username) ?? 0) + 1);
  // A block without a refund was used up.
  const open = await listOpenChatBlocks(db, id);
  expect(open.length).toBeLessThanOrEqual([...used.values()].filter((lines) => lines >= 100).length);
}, 60_000);

test("B-13 the hundred-and-first message takes the next token", async () => {
  const { id, host } = await running(await makeUser());
  for (let i = 0; i < 90; i++) await say(id, host, `a${i}`);
  expect(await balance(host)).toBe(900);
  for (let i = 90; i < 100; i++) await say(id, host, `a${i}`);
  await Promise.all([say(id, host, "b0"), say(id, host, "b1"), say(id, host, "b2")]);
  expect(await balance(host)).toBe(800);
});

test("B-13 the alarm refunds once what could not be refunded when a participant left", async () => {
  const guest = await makeUser();
  const { id, room } = await running(await makeUser(), guest);
  await say(id, guest, "one");
  await db.delete(schema.participants).where(eq(schema.participants.userId, guest.id));
  // The roster is loaded; from here on D1 does not answer.
  const broken = breakD1(1);
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  await room.refresh().catch(() => {});
  expect((await room.view()).state.participants).toHaveLength(1);
  broken.mockRestore();
  expect(JSON.parse(String(lines.mock.calls[0]?.[0]))).toMatchObject({ event: "room-error", session: id });
  expect(await balance(guest)).toBe(900);
  await abortAllDurableObjects();
  for (let times = 0; times < 2; times++) {
    await runDurableObjectAlarm(stubOf(id));
    expect(await balance(guest)).toBe(999);
  }
  await expectLedgerToAgree();
});

test("B-13 leaving refunds the unused lines, and rejoining takes a new block", async () => {
  const guest = await makeUser();
  const { id, room } = await running(await makeUser(), guest);
  await say(id, guest, "one");
  await say(id, guest, "two");
  expect(await balance(guest)).toBe(900);
  const seats = schema.participants;
  const [seat] = await db.delete(seats).where(eq(seats.userId, guest.id)).returning();
  await room.refresh();
  expect(await balance(guest)).toBe(998);
  expect(await say(id, guest, "three")).toMatchObject({ ok: false, code: "FORBIDDEN" });
  if (seat) await db.insert(seats).values({ ...seat, joinedAt: (NOW + 60_000) as typeof seat.joinedAt });
  await room.refresh();
  await say(id, guest, "three");
  expect(await balance(guest)).toBe(898);
  await expectLedgerToAgree();
});

test("B-13 R-07 after a reset, an ended session settles again, and refunded lines pay for no more messages", async () => {
  const { id, host, room } = await running(await makeUser());
  const admin = { ...actorOf(host), isSuperAdmin: true };
  await say(id, host, "one");
  await room.change({ type: "end", by: actorOf(host) });
  expect(await balance(host)).toBe(999);
  await room.change({ type: "reset", by: admin });
  await room.change({ type: "start", by: actorOf(host) });
  await say(id, host, "two");
  expect(await balance(host)).toBe(899);
  await room.change({ type: "end", by: actorOf(host) });
  expect(await balance(host)).toBe(998);
  await expectLedgerToAgree();
});

test("B-13 R-07 Q-43 the end closes all blocks, also in the copy and after a death, and later blocks are open", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id, room } = await running(host, guest);
  const stored = <T>(read: (store: RoomStore) => T) =>
    runInDurableObject(stubOf(id), (_, { storage }) => read(new RoomStore(storage)));
  const states = () => stored((store) => store.exportChat().blocks.map((block) => block.is_closed));
  await say(id, host, "one");
  await say(id, guest, "one");
  expect(await states()).toEqual([0, 0]);
  await room.change({ type: "end", by: actorOf(host) });
  expect(await states()).toEqual([1, 1]);
  await abortAllDurableObjects();
  await stubOf(id).change(id, { type: "reset", by: { ...actorOf(host), isSuperAdmin: true } });
  await stubOf(id).change(id, { type: "start", by: actorOf(host) });
  expect(
    await stored((store) => [store.blocks.openBlocks(host.id), store.blocks.blocksInUse().size]),
  ).toEqual([[], 0]);
  const line = await joinRoom(host, id);
  line.say({ type: "writing" });
  await untilBlocks(id, 1);
  await untilStored(id, 3);
  await say(id, host, "two");
  expect(await states()).toEqual([1, 0, 1]);
  expect(await balance(host)).toBe(899);
  await stubOf(id).change(id, { type: "end", by: actorOf(host) });
  expect([await balance(host), await balance(guest)]).toEqual([998, 999]);
  await expectLedgerToAgree();
});

test("B-13 a crash between paying for a block and saving it costs nothing: a retry finds the same block", async () => {
  const { id, host } = await running(await makeUser());
  // A crash at this instant: D1 has the block, the room does not know it.
  await say(id, host, "one");
  await runInDurableObject(stubOf(id), (_, state) => {
    state.storage.sql.exec("DELETE FROM blocks");
    state.storage.sql.exec("DELETE FROM lines");
  });
  await abortAllDurableObjects();
  await say(id, host, "two");
  expect(await balance(host)).toBe(900);
  expect(await listOpenChatBlocks(db, id)).toEqual([{ reference: `chat:${id}:${host.id}:0`, size: 100 }]);
});

test("B-13 B-10 the socket answers INSUFFICIENT_TOKENS with the nonce, and nobody else receives the line", async () => {
  const [host, poor] = [await makeUser(), await makeUser({ tokens: 0 })];
  const { id } = await running(host, poor);
  const [one, two] = [await joinRoom(host, id), await joinRoom(poor, id)];
  two.say({ type: "message", content: "hello", nonce: "x" });
  expect(await two.expect("refused")).toEqual({
    type: "refused",
    error_code: "INSUFFICIENT_TOKENS",
    message: "You're out of tokens",
    nonce: "x",
  });
  one.say({ type: "message", content: "still here", nonce: "y" });
  await one.expect("message", (op) => op.nonce === "y");
  expect(one.heard.filter((op) => op.type === "message")).toHaveLength(1);
});

/** The blocks in the ledger that nothing was returned for. */
const blocksOf = async (id: number) => (await listOpenChatBlocks(db, id)).map(({ reference }) => reference);
const untilBlocks = (id: number, count: number) =>
  vi.waitFor(async () => expect(await blocksOf(id)).toHaveLength(count));
const storedSizes = (id: number) =>
  runInDurableObject(stubOf(id), (_, { storage }) =>
    storage.sql
      .exec<{ size: number }>("SELECT size FROM blocks")
      .toArray()
      .map(({ size }) => size),
  );
/** The room stores a block when D1 has answered. */
const untilStored = (id: number, count: number) =>
  vi.waitFor(async () => expect(await storedSizes(id)).toEqual(Array.from({ length: count }, () => 100)));

test("B-13 R2 opening the message box reserves a block, so that the first line does not wait for D1", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  const [one, two] = [await joinRoom(host, id), await joinRoom(guest, id)];
  one.say({ type: "writing" });
  two.say({ type: "typing" });
  await untilBlocks(id, 2);
  expect([await balance(host), await balance(guest)]).toEqual([900, 900]);
  await untilStored(id, 2);
  const broken = breakD1();
  one.say({ type: "message", content: "at once", nonce: "x" });
  two.say({ type: "message", content: "at once", nonce: "y" });
  await one.expect("message", (op) => op.nonce === "y");
  broken.mockRestore();
  expect(one.heard.some(({ type }) => type === "refused")).toBe(false);
  await expectLedgerToAgree();
});

test("B-13 a block without a line returns after a minute, once, and a block with a line stays", async () => {
  const [host, guest, late] = await makeUsers(3);
  const { id } = await running(host, guest, late);
  const [one, two, three] = [await joinRoom(host, id), await joinRoom(guest, id), await joinRoom(late, id)];
  const balances = async () => [await balance(host), await balance(guest), await balance(late)];
  one.say({ type: "writing" });
  two.say({ type: "writing" });
  await untilBlocks(id, 2);
  two.say({ type: "message", content: "hello", nonce: "x" });
  await two.expect("message");
  at(NOW + 30 * SECOND);
  three.say({ type: "writing" });
  await untilBlocks(id, 3);
  at(NOW + 59 * SECOND);
  await runDurableObjectAlarm(stubOf(id));
  expect(await balances()).toEqual([900, 900, 900]);
  at(NOW + 61 * SECOND);
  for (let times = 0; times < 2; times++) {
    await runDurableObjectAlarm(stubOf(id));
    expect(await balances()).toEqual([1000, 900, 900]);
  }
  await expectLedgerToAgree();
  // Later the person does write.
  expect(await say(id, host, "y")).toMatchObject({ ok: true });
  expect(await balance(host)).toBe(900);
  await stubOf(id).change(id, { type: "end", by: actorOf(host) });
  expect(await balances()).toEqual([999, 999, 1000]);
  await expectLedgerToAgree();
});

test("B-13 L-06 a block returns after a minute when the room died before, during or after its payment", async () => {
  const host = await makeUser();
  const { id } = await running(host);
  const line = await joinRoom(host, id);
  line.say({ type: "writing" });
  await untilBlocks(id, 1);
  const asked = "UPDATE blocks SET is_closed = 3, size = 0, since = 0";
  let now = NOW;
  for (const death of [
    // D1 has the block, and the room does not know the answer.
    asked,
    // D1 and the room have it.
    "",
  ]) {
    if (death) await runInDurableObject(stubOf(id), (_, { storage }) => void storage.sql.exec(death));
    await abortAllDurableObjects();
    now = instant(now + 61 * SECOND);
    at(now);
    await runDurableObjectAlarm(stubOf(id));
    expect(await balance(host)).toBe(1000);
    const back = await joinRoom(host, id);
    back.say({ type: "writing" });
    await untilBlocks(id, 1);
    expect(await balance(host)).toBe(900);
  }
  // D1 has nothing: the room died before it asked.
  await runInDurableObject(stubOf(id), (_, { storage }) => {
    storage.sql.exec(
      "INSERT INTO blocks (user_id, n, size, since, is_closed, asked_at) VALUES (?, 9, 0, 0, 3, ?)",
      host.id,
      now,
    );
  });
  await abortAllDurableObjects();
  at(now + 61 * SECOND);
  await runDurableObjectAlarm(stubOf(id));
  expect(await balance(host)).toBe(1000);
  expect(await say(id, host, "x")).toMatchObject({ ok: true });
  expect(await balance(host)).toBe(900);
  await expectLedgerToAgree();
});

test("B-13 L-06 the next block is reserved before the last lines are written, which still come first in a room that woke", async () => {
  const { id, host } = await running(await makeUser());
  const line = await joinRoom(host, id);
  for (let i = 0; i < 94; i++) await say(id, host, `a${i}`);
  expect(await blocksOf(id)).toHaveLength(1);
  await say(id, host, "a94");
  await untilStored(id, 2);
  await evictDurableObject(stubOf(id));
  const broken = breakD1();
  for (let i = 95; i < 105; i++) line.say({ type: "message", content: "At once", nonce: `a${i}` });
  await line.expect("message", (op) => op.nonce === "a104");
  broken.mockRestore();
  const used = await runInDurableObject(stubOf(id), (_, { storage }) =>
    storage.sql.exec("SELECT block, count(*) AS lines FROM lines GROUP BY block").toArray(),
  );
  expect(used).toEqual([
    { block: 0, lines: 100 },
    { block: 1, lines: 5 },
  ]);
  await stubOf(id).change(id, { type: "end", by: actorOf(host) });
  expect(await balance(host)).toBe(1000 - 105);
});

test("B-13 a line whose author loses the seat while its block is paid is refused, and the block is refunded at once", async () => {
  const guest = await makeUser();
  const { id, room } = await running(await makeUser(), guest);
  await room.refresh();
  let paid = () => {};
  let answer = () => {};
  const isPaid = new Promise<void>((resolve) => {
    paid = resolve;
  });
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const proto = Object.getPrototypeOf(env.DB) as D1Database;
  const { withSession } = proto;
  const inner = { withSession: (mark: string) => withSession.call(env.DB, mark) } as D1Database;
  const held = wrappedD1(inner, {
    one: (_statement, _method, send) => send(),
    batch: async (_, send) => {
      const results = await send();
      paid();
      await mayAnswer;
      return results;
    },
  });
  const spy = vi.spyOn(proto, "withSession").mockImplementation((mark) => held.withSession(mark as string));
  const line = say(id, guest, "one");
  await isPaid;
  spy.mockRestore();
  expect(await balance(guest)).toBe(900);
  await db.delete(schema.participants).where(eq(schema.participants.userId, guest.id));
  await room.refresh();
  answer();
  expect(await line).toMatchObject({ ok: false, code: "FORBIDDEN" });
  await runDurableObjectAlarm(stubOf(id));
  expect(await balance(guest)).toBe(1000);
  await expectLedgerToAgree();
});

test("B-13 the alarm of a block without a line comes first, also when somebody else has asked for a second block since", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  const [one, two] = [await joinRoom(host, id), await joinRoom(guest, id)];
  one.say({ type: "writing" });
  await untilStored(id, 1);
  at(NOW + 10 * SECOND);
  two.say({ type: "writing" });
  await untilStored(id, 2);
  at(NOW + 20 * SECOND);
  for (let i = 0; i < 95; i++) await say(id, host, `a${i}`);
  await untilStored(id, 3);
  at(NOW + 60 * SECOND);
  await runDurableObjectAlarm(stubOf(id));
  const alarm = await runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm());
  expect(Math.floor(((alarm ?? 0) - NOW) / SECOND)).toBe(70);
});

test("B-13 a failed reservation shows nothing until a line is sent, and is not repeated for a minute", async () => {
  const [host, poor] = [await makeUser(), await makeUser({ tokens: 0 })];
  const { id } = await running(host, poor);
  const line = await joinRoom(poor, id);
  const reads = vi.spyOn(Object.getPrototypeOf(env.DB) as D1Database, "withSession");
  const begun = reads.mock.calls.length;
  line.say({ type: "writing" });
  await vi.waitFor(() => expect(reads.mock.calls.length).toBeGreaterThan(begun));
  const asked = reads.mock.calls.length;
  // Nothing was paid, so the room keeps no block that it would have to return.
  await vi.waitFor(async () => expect(await storedSizes(id)).toEqual([]));
  line.say({ type: "writing" });
  line.say({ type: "message", content: "hello", nonce: "x" });
  expect(await line.expect("refused")).toMatchObject({ error_code: "INSUFFICIENT_TOKENS", nonce: "x" });
  expect(line.heard.filter(({ type }) => type === "refused")).toHaveLength(1);
  expect(reads.mock.calls.length).toBe(asked + 1);
});

test("L-09 an alarm that fails is logged and throws, so that the platform rings it again", async () => {
  const { id, host } = await running(await makeUser());
  const line = await joinRoom(host, id);
  line.say({ type: "writing" });
  await untilStored(id, 1);
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  at(NOW + 61 * SECOND);
  await runInDurableObject(stubOf(id), async (room, { storage }) => {
    storage.sql.exec("DROP TABLE blocks");
    await expect(room.alarm()).rejects.toThrow("no such table: blocks");
  });
  expect(lines.mock.calls.map(([words]) => JSON.parse(String(words)))).toMatchObject([
    { event: "room-alarm-failed", session: id },
  ]);
});

test("B-13 nobody without the right to chat reserves a block", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession([host, guest], { now: NOW, schedule: partsOf(600), duration: 600 });
  const line = await joinRoom(guest, id);
  line.say({ type: "writing" });
  line.say({ type: "ready", is_ready: true });
  await line.expect("participants", (op) => op.participants.some(({ is_ready }) => is_ready === 1));
  expect(await balance(guest)).toBe(1000);
});

test("R-16 A-01 chat is for participants of a running session, a line has at most 2,000 characters, and a nonce adds it once", async () => {
  const [host, stranger] = [await makeUser(), await makeUser()];
  const { id } = await makeSession([host], { now: NOW, schedule: partsOf(600), duration: 600 });
  const closed = { ok: false, code: "CONFLICT", message: "Chat is active when the session is in progress." };
  expect(await say(id, host, "a")).toMatchObject(closed);
  await stubOf(id).change(id, { type: "start", by: actorOf(host) });
  expect(await say(id, stranger, "a")).toMatchObject({ ok: false, code: "FORBIDDEN" });
  expect(await say(id, host, "a", "  ")).toMatchObject({
    ok: false,
    code: "INVALID",
    fields: { content: [/./] },
  });
  expect(await say(id, host, "a", "x".repeat(2001))).toMatchObject({ ok: false, code: "INVALID" });
  expect(await balance(host)).toBe(1000);
  expect(await say(id, host, "a", "x".repeat(2000))).toMatchObject({ ok: true });
  const again = await say(id, host, "a", "other words");
  expect(again.ok && again.value.messages.map((message) => message.content.length)).toEqual([2000]);
  at(NOW + 601 * SECOND);
  expect(await say(id, host, "b")).toMatchObject(closed);
  expect(await stubOf(id).messages(id, { limit: 10 })).toMatchObject({ ok: true, value: [{ nonce: "a" }] });
});

test("R-16 L-06 a room that woke adds the newest line only once, however many lines it has", async () => {
  const { id, host } = await running(await makeUser());
  await say(id, host, "newest");
  await runInDurableObject(stubOf(id), (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE older(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM older WHERE n < 2000)
       INSERT INTO lines (seq, kind, user_id, username, content, nonce, block, created_at)
       SELECT -n, kind, user_id, username, content, 'older ' || n, block, created_at FROM older, lines`,
    );
  });
  await evictDurableObject(stubOf(id));
  await say(id, host, "newest");
  expect(await stubOf(id).messages(id, { limit: 10 })).toMatchObject({ value: [{ nonce: "newest" }] });
});

test("C2 a message writes one row in the room and none in D1, and so does a ready mark", async () => {
  const { id, host } = await running(await makeUser());
  await say(id, host, "first");
  const written = await runInDurableObject(stubOf(id), async (room, state) => {
    const { sql: storage } = state.storage;
    const exec = storage.exec.bind(storage);
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    const spy = vi.spyOn(storage, "exec").mockImplementation((query: string, ...bound: unknown[]) => {
      const cursor = exec(query, ...bound);
      cursors.push(cursor);
      return cursor as never;
    });
    const alarms = vi.spyOn(state.storage, "setAlarm");
    const rows = () => cursors.splice(0).reduce((sum, cursor) => sum + cursor.rowsWritten, 0);
    await room.change(id, { type: "say", by: actorOf(host), content: "second", nonce: "second" });
    const said = rows();
    await room.change(id, { type: "set-ready", by: actorOf(host), isReady: true });
    const marked = rows();
    spy.mockRestore();
    return { said, marked, alarms: alarms.mock.calls.length };
  });
  expect(written).toEqual({ said: 1, marked: 1, alarms: 0 });
});

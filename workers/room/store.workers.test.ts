// The lines of a room in its storage: each is a row, which is read, changed and counted by itself.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeUser } from "#tests/support/factories";
import { runsOf } from "#tests/support/property-seed";
import { joinRoom, partsOf, runningRoom, stubOf, useRoomClock } from "#tests/support/rooms";
import { blockKey } from "~/domain/room/chat";
import { hiddenOf } from "~/domain/safety/blocks";
import type { AuthoredMessage } from "~/domain/sessions/chat";
import { instant } from "~/domain/time";
import type { LineChange } from "./line-store";
import { RoomStore } from "./store";

useRoomClock();

type Said = AuthoredMessage & { block: number };
const NAMES = ["", "ada", "ben", "cy"];
const AT = Date.UTC(2026, 0, 1);

/** Ticks of lines, then edits and removals of some of them, then the author whose account is deleted. */
const story = fc.record({
  ticks: fc.array(
    fc.array(fc.record({ userId: fc.integer({ min: 1, max: 3 }), block: fc.integer({ min: 0, max: 1 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
    { minLength: 1, maxLength: 8 },
  ),
  changes: fc.array(fc.record({ line: fc.nat({ max: 60 }), isEdit: fc.boolean() }), { maxLength: 6 }),
  erased: fc.option(fc.integer({ min: 1, max: 3 })),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** Stores the story, compares every reader with a plain list, and leaves nothing behind. */
function live(store: RoomStore, storage: DurableObjectStorage, { ticks, changes, erased }: Story): void {
  storage.sql.exec("DELETE FROM lines");
  let seq = 0;
  let said: Said[] = [];
  for (const [n, tick] of ticks.entries()) {
    const lines = tick.map(({ userId, block }): Said => {
      seq++;
      const username = NAMES[userId] ?? "";
      const createdAt = instant(AT + n);
      return {
        seq,
        userId,
        username,
        content: `Line ${seq}`,
        nonce: `n${seq}`,
        createdAt,
        editedAt: null,
        isRemoved: false,
        block,
      };
    });
    said.push(...lines);
    for (const { block, ...message } of lines) store.lines.addLine({ kind: "message", message, block });
  }
  const rows = storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM lines").one().n;
  expect(rows).toBe(said.length);
  expectAll(store, said, []);
  const made: LineChange[] = [];
  for (const { line, isEdit } of changes) {
    const found = said.find((one) => one.seq === line);
    if (!found || found.isRemoved) continue;
    seq++;
    const at = instant(AT + seq);
    const change: LineChange = isEdit
      ? { type: "edited", seq, line, content: `Edited ${seq}`, at }
      : { type: "removed", seq, line, at };
    store.lines.changeLine(change);
    const content = change.type === "edited" ? change.content : "";
    said = said.map((one) =>
      one.seq !== line ? one : { ...one, content, ...(isEdit ? { editedAt: at } : { isRemoved: true }) },
    );
    made.splice(0, made.length, ...made.filter((one) => one.line !== line), change);
  }
  expectAll(store, said, made);
  if (erased === null) return;
  store.lines.renameAuthor({ userId: erased, username: "gone" });
  said = said.map((one) => (one.userId === erased ? { ...one, username: "gone" } : one));
  expectAll(store, said, made);
}

const plain = ({ block: _, ...message }: Said): AuthoredMessage => message;

function expectAll(store: RoomStore, said: readonly Said[], made: readonly LineChange[]): void {
  const last = said.length + 1;
  const hidden = hiddenOf([{ userId: 2, username: "ben" }]);
  for (let since = -1; since <= last; since += 3)
    for (const limit of [1, 4, 100])
      for (const before of [undefined, Math.ceil(last / 2)])
        for (const from of [undefined, hidden]) {
          const fits = said.filter(
            (one) =>
              one.seq > since && one.seq < (before ?? last) && (from === undefined || one.userId !== 2),
          );
          expect(store.lines.listMessages({ since, before, limit, hidden: from })).toEqual(
            fits.slice(-limit).map(plain),
          );
        }
  for (let n = 0; n <= last; n++)
    expect(store.lines.findMessage(n)).toEqual(said.filter(({ seq }) => seq === n).map(plain)[0] ?? null);
  expect(store.lines.countMessages()).toBe(said.length);
  expect(store.lines.recentNonces(3)).toEqual(said.slice(-3).map(({ userId, nonce }) => ({ userId, nonce })));
  const theirs = said.filter(({ userId, isRemoved, seq }) => userId === 1 && !isRemoved && seq > 2);
  expect(store.lines.listMessagesOf({ userId: 1, after: 2, limit: 2 })).toEqual(
    theirs.slice(0, 2).map(plain),
  );
  const latest = new Map<number, number>();
  for (const { userId, createdAt, editedAt } of said)
    latest.set(userId, Math.max(createdAt, editedAt ?? 0, latest.get(userId) ?? 0));
  expect(store.lines.lastSentByUser(instant(AT), 0)).toEqual(latest);
  const used = new Map<string, number>();
  for (const { userId, block } of said) {
    const key = blockKey({ userId, n: block });
    used.set(key, (used.get(key) ?? 0) + 1);
  }
  expect(store.blocks.usedByBlock()).toEqual(used);
  const copied = store.exportChat().lines;
  expect(copied.map(({ seq, content, block }) => ({ seq, content, block }))).toEqual(
    said.map(({ seq, content, block }) => ({ seq, content, block })),
  );
  expect(store.lines.listChanges({ since: said.length, limit: 100 })).toEqual(made);
}

test("R-16 Q-21 Q-41 each message is a row, and is read, changed, counted and renamed by itself", async () => {
  const host = await makeUser();
  const { id } = await runningRoom([host], partsOf(600), 600);
  await joinRoom(host, id);
  await runInDurableObject(stubOf(id), (_, { storage }) => {
    const store = new RoomStore(storage);
    fc.assert(
      fc.property(story, (one) => live(store, storage, one)),
      { numRuns: runsOf(300, 40) },
    );
  });
});

test("Q-23 the last line of a person is found behind a thousand lines of others", async () => {
  const host = await makeUser();
  const { id } = await runningRoom([host], partsOf(600), 600);
  await joinRoom(host, id);
  await runInDurableObject(stubOf(id), (_, { storage }) => {
    storage.sql.exec("DELETE FROM lines");
    const store = new RoomStore(storage);
    for (let seq = 1; seq <= 1100; seq++) {
      const userId = seq <= 2 ? seq : 3;
      const username = NAMES[userId] ?? "";
      const createdAt = instant(AT + seq);
      const line = { seq, userId, username, content: "Line", nonce: `n${seq}`, createdAt };
      const message = { ...line, editedAt: null, isRemoved: false };
      store.lines.addLine({ kind: "message", message, block: 0 });
    }
    const since = instant(AT + 2);
    expect(store.lines.lastSentByUser(since, 0)).toEqual(
      new Map([
        [3, AT + 1100],
        [2, AT + 2],
      ]),
    );
  });
});

test("R-16 L-06 lines that come together are a row each, and all remain after a restart", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await runningRoom([host, guest], partsOf(600), 600);
  const lines = [await joinRoom(host, id), await joinRoom(guest, id)];
  const [first] = lines;
  for (const line of lines)
    for (let n = 0; n < 30; n++) line.say({ type: "message", content: `Line ${n}`, nonce: `n${n}` });
  for (const { username } of [host, guest])
    await first?.expect("message", (op) => op.nonce === "n29" && op.message.username === username);
  const rows = await runInDurableObject(
    stubOf(id),
    (_, { storage }) => storage.sql.exec("SELECT seq FROM lines").toArray().length,
  );
  expect(rows).toBe(60);
  await abortAllDurableObjects();
  const again = await joinRoom(guest, id);
  const { messages } = await again.expect("history");
  expect(messages).toHaveLength(60);
});

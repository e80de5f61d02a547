// The leaves of a large room (decision 66), with small thresholds: the room carries a single socket of a participant, a
// leaf two.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { runsOf } from "#tests/support/property-seed";
import {
  joinRoom,
  type Line,
  openLine,
  partsOf,
  runningRoom,
  stubOf,
  useRoomClock,
  watchRoom,
} from "#tests/support/rooms";
import { CLOSE, PING, PONG } from "~/wire/room";
import { leafName, openLeaf } from "./leaf-wire";
import { SessionLeaf } from "./session-leaf";
import { SessionRoom } from "./session-room";

useRoomClock();
const usual = { ROOM_SOCKETS: env.ROOM_SOCKETS, LEAF_SOCKETS: env.LEAF_SOCKETS };
beforeAll(() => void Object.assign(env, { ROOM_SOCKETS: "1", LEAF_SOCKETS: "2" }));
afterAll(() => void Object.assign(env, usual));

const people = (count: number) => Promise.all(Array.from({ length: count }, () => makeUser()));
const running = (crowd: TestUser[]) => runningRoom(crowd, partsOf(7200), 7200);
const leafOf = (id: number, n: number) => openLeaf(env, leafName(id, "any", n));
const carriedBy = async (id: number, n: number): Promise<string[]> =>
  (await leafOf(id, n).hello()).listeners.map(({ listener }) => listener.username);
const leavesOf = (id: number) =>
  runInDurableObject(stubOf(id), (_, state) => state.storage.kv.get<string[]>("leaves"));
const kill = (stub: DurableObjectStub<SessionLeaf | SessionRoom>) =>
  runInDurableObject(stub as never, (_, state) => state.abort("killed by the test")).catch(() => {});
const lineOf = (user: TestUser, id: number) => openLine(user, id);
const say = (line: Line, nonce: string) => line.say({ type: "message", content: `Line ${nonce}`, nonce });
const noncesOf = (line: Line): string[] =>
  line.heard.flatMap((op) =>
    op.type === "message"
      ? op.nonce
      : op.type === "history"
        ? op.messages.map(({ nonce }) => nonce).filter(Boolean)
        : [],
  );
/** The last durable change that a client has received. */
const seqOf = (line: Line): number =>
  Math.max(0, ...line.heard.flatMap((op) => ("seq" in op && op.type !== "welcome" ? op.seq : [])));
const hears = (lines: readonly Line[], nonce: string) =>
  Promise.all(lines.map((line) => line.expect("message", (op) => op.nonce === nonce)));

/** One after the other, so that it is known where each socket is. */
async function crowdOf(count: number) {
  const crowd = await people(count);
  const { id, room } = await running(crowd);
  const lines: Line[] = [];
  for (const user of crowd) lines.push(await joinRoom(user, id));
  return { crowd, id, room, lines };
}
const at = <T>(list: readonly T[], n: number): T => {
  const found = list[n];
  if (found === undefined) throw new Error(`no number ${n}`);
  return found;
};

test("R-26 L-03 the sockets of a room and of its leaves hear one order, echoes, presence and typing", async () => {
  const { crowd, id, lines } = await crowdOf(5);
  const names = crowd.map(({ username }) => username);
  expect((await at(lines, 4).expect("welcome")).ticket).toBeDefined();
  expect(await carriedBy(id, 1)).toEqual(names.slice(1, 3));
  expect(await carriedBy(id, 2)).toEqual(names.slice(3));
  const later = await lineOf(at(crowd, 0), id);
  later.say({ type: "join", room: id, client_uuid: "c", username: at(names, 0) });
  await later.expect("welcome");
  later.socket.close(1000);
  for (const line of lines.slice(0, 4)) await line.expect("online", (op) => op.online.includes(at(names, 4)));
  for (const [n, line] of lines.entries()) for (let i = 0; i < 3; i++) say(line, `${n}-${i}`);
  for (const n of crowd.keys()) await hears(lines, `${n}-2`);
  for (const line of lines) expect(noncesOf(line)).toEqual(noncesOf(at(lines, 0)));
  expect(noncesOf(at(lines, 0))).toHaveLength(15);
  const relay = vi.spyOn(SessionRoom.prototype, "relay");
  for (let n = 0; n < 10; n++) at(lines, 4).say({ type: "typing" });
  for (const line of lines) await line.expect("typing", (op) => op.usernames.includes(at(names, 4)));
  const typed = relay.mock.calls.flatMap(([, , , items]) => items.filter(({ type }) => type === "message"));
  expect(typed.length).toBeLessThanOrEqual(3);
  at(lines, 3).say({ type: "message", content: " ", nonce: "empty" });
  await at(lines, 3).expect("refused", (op) => op.nonce === "empty");
  at(lines, 4).socket.close(1000);
  for (const line of lines.slice(0, 4))
    await line.expect("online", (op) => op.offline.includes(at(names, 4)));
  // A leaf without sockets is forgotten.
  expect(await leavesOf(id)).toHaveLength(2);
  at(lines, 3).socket.close(1000);
  await vi.waitFor(async () => expect(await leavesOf(id)).toEqual([leafName(id, "any", 1)]));
});

test("R-16 A-03 spectators and people without a seat stay at the room, and no leaf carries them", async () => {
  const [host, stranger] = [await makeUser(), await makeUser()];
  const { id } = await running([host]);
  await joinRoom(host, id);
  const leaf = vi.spyOn(SessionLeaf.prototype, "fetch");
  const watching = await watchRoom(id);
  await watching.expect("welcome");
  expect(await (await lineOf(stranger, id)).closed).toEqual({ code: CLOSE.notAllowed });
  expect(leaf).not.toHaveBeenCalled();
  expect(await leavesOf(id)).toBeUndefined();
});

test("A-01 Q-15 Q-18 a removal, a sign-out and a deleted session close the sockets of a leaf", async () => {
  const { crowd, id, lines } = await crowdOf(4);
  const [host, removed, leaver] = [at(crowd, 0), at(crowd, 1), at(crowd, 2)];
  await callAs(host, "DELETE", `/challenge-events/${id}/participants/${removed.username}`);
  expect(await at(lines, 1).closed).toEqual({ code: CLOSE.notAllowed });
  expect(await (await lineOf(removed, id)).closed).toEqual({ code: CLOSE.notAllowed });
  await callAs(leaver, "POST", "/logout");
  expect(await at(lines, 2).closed).toEqual({ code: CLOSE.signedOut });
  // The seat of the removed person is free, and so is the place at the leaf.
  expect(await carriedBy(id, 1)).toEqual([]);
  await env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(id).run();
  await stubOf(id).refresh(id);
  expect(await at(lines, 3).closed).toEqual({ code: CLOSE.unknown });
});

test("R-26 a leaf opens in the region of its people, or where the platform likes", () => {
  const get = vi.fn();
  const leaves = { LEAVES: { idFromName: String, get } } as unknown as typeof env;
  for (const region of ["weur", "any"] as const) openLeaf(leaves, leafName(7, region, 1));
  expect(get.mock.calls).toEqual([
    ["7:weur:1", { locationHint: "weur" }],
    ["7:any:1", {}],
  ]);
});

test("L-06 a room tells a leaf that it does not know to close its sockets, and a leaf ignores a socket that it has closed", async () => {
  const { id } = await running([await makeUser()]);
  expect(await stubOf(id).relay(id, leafName(id, "any", 1), "an epoch", [])).toBe("reset");
  const { 1: closed } = new WebSocketPair();
  await runInDurableObject(leafOf(id, 1), (leaf) => leaf.webSocketMessage(closed, "late"));
});

test("R-25 R-26 a leaf answers pings, closes the socket of a bad message or a flood, and reports the close", async () => {
  const { crowd, lines } = await crowdOf(3);
  await at(lines, 0).expect("online", (op) => op.online.includes(at(crowd, 2).username));
  const pong = new Promise((resolve) =>
    at(lines, 1).socket.addEventListener("message", ({ data }) => resolve(data)),
  );
  at(lines, 1).socket.send(PING);
  expect(await pong).toBe(PONG);
  at(lines, 1).socket.send("{}");
  expect(await at(lines, 1).closed).toEqual({ code: CLOSE.badMessage });
  await at(lines, 0).expect("online", (op) => op.offline.includes(at(crowd, 1).username));
  Object.assign(env, { RATE_LIMITS: "on" });
  for (let n = 0; n <= 40; n++) at(lines, 2).say({ type: "typing" });
  expect(await at(lines, 2).closed).toEqual({ code: CLOSE.tooMuch });
  Object.assign(env, { RATE_LIMITS: "off" });
});

test("Q-11 people of a block hear nothing of each other at a leaf", async () => {
  const { crowd, id, lines } = await crowdOf(4);
  expect((await callAs(at(crowd, 1), "PUT", `/api/blocks/${at(crowd, 2).username}`)).status).toBe(204);
  for (const line of lines) line.heard.length = 0;
  say(at(lines, 1), "of-1");
  say(at(lines, 2), "of-2");
  await hears([at(lines, 0), at(lines, 3)], "of-1");
  await hears([at(lines, 0), at(lines, 3)], "of-2");
  say(at(lines, 0), "end");
  await hears(lines, "end");
  expect(noncesOf(at(lines, 1))).toEqual(["of-1", "end"]);
  expect(noncesOf(at(lines, 2))).toEqual(["of-2", "end"]);
  expect(await carriedBy(id, 1)).toHaveLength(2);
});

test("L-06 T1 a room and a leaf that sleep wake with all their sockets, and a quiet room makes no call", async () => {
  const { crowd, id, lines } = await crowdOf(4);
  await at(lines, 0).expect("online", (op) => op.online.includes(at(crowd, 3).username));
  say(at(lines, 1), "before");
  await hears(lines, "before");
  const wakes = [() => evictDurableObject(stubOf(id)), () => evictDurableObject(leafOf(id, 1))];
  for (const [n, sleep] of wakes.entries()) {
    await sleep();
    say(at(lines, 1), `after-${n}`);
    await hears(lines, `after-${n}`);
    say(at(lines, 0), `again-${n}`);
    await hears(lines, `again-${n}`);
  }
  for (const line of lines) expect(noncesOf(line)).toEqual(noncesOf(at(lines, 0)));
  // Nobody has come or gone.
  const view = await stubOf(id).view(id);
  expect(view.ok && [...view.value.online].sort()).toEqual(crowd.map(({ username }) => username).sort());
  const calls = [vi.spyOn(SessionRoom.prototype, "relay"), vi.spyOn(SessionLeaf.prototype, "deliver")];
  const frames = lines.map((line) => line.frames);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(lines.map((line) => line.frames)).toEqual(frames);
  for (const call of calls) expect(call).not.toHaveBeenCalled();
});

test("L-06 after a failed call between room and leaf the leaf's clients come back, and nothing is lost or doubled", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { crowd, id, lines } = await crowdOf(3);
  const back = async (n: number) => {
    expect(await at(lines, n).closed).toEqual({ code: CLOSE.changed });
    const line = await joinRoom(at(crowd, n), id, seqOf(at(lines, n)));
    line.heard.unshift(...at(lines, n).heard);
    lines[n] = line;
  };
  say(at(lines, 0), "one");
  await hears(lines, "one");
  vi.spyOn(SessionRoom.prototype, "relay").mockRejectedValueOnce(new Error("cut"));
  say(at(lines, 1), "two");
  // Nobody speaks, but the room learns that the sockets are gone.
  for (const n of [1, 2])
    await at(lines, 0).expect("online", (op) => op.offline.includes(at(crowd, n).username));
  await Promise.all([back(1), back(2)]);
  say(at(lines, 1), "two");
  await hears(lines, "two");
  vi.spyOn(SessionLeaf.prototype, "deliver").mockImplementationOnce(() => {
    throw new Error("cut");
  });
  say(at(lines, 0), "three");
  await Promise.all([back(1), back(2)]);
  say(at(lines, 2), "four");
  await hears(lines, "four");
  for (const line of lines) expect(noncesOf(line)).toEqual(["one", "two", "three", "four"]);
});

test("L-06 G-25 a room learns from a leaf's answer that it has died, and a leaf sends no frame of another epoch", async () => {
  const { crowd, id, lines } = await crowdOf(3);
  await at(lines, 0).expect("online", (op) => op.online.includes(at(crowd, 2).username));
  await kill(leafOf(id, 1));
  await Promise.all([at(lines, 1).closed, at(lines, 2).closed]);
  say(at(lines, 0), "anybody");
  for (const n of [1, 2])
    await at(lines, 0).expect("online", (op) => op.offline.includes(at(crowd, n).username));
  const again = await joinRoom(at(crowd, 1), id);
  const frame = JSON.stringify([{ type: "typing", usernames: ["ghost"] }]);
  const { epoch } = await leafOf(id, 1).hello();
  expect(await leafOf(id, 1).deliver("another", [{ type: "frame", frame, except: [] }])).toBe(epoch);
  say(again, "last");
  await hears([again], "last");
  expect(JSON.stringify(again.heard)).not.toContain("ghost");
});

test("L-06 a room that died with an undelivered frame resets its leaves, though they had nothing to say", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { crowd, id, lines } = await crowdOf(3);
  await at(lines, 0).expect("online", (op) => op.online.includes(at(crowd, 2).username));
  const deliver = vi
    .spyOn(SessionLeaf.prototype, "deliver")
    .mockImplementation(() => new Promise(() => {}) as never);
  say(at(lines, 0), "undelivered");
  await hears([at(lines, 0)], "undelivered");
  await kill(stubOf(id));
  deliver.mockRestore();
  await at(lines, 0).closed;
  lines[0] = await joinRoom(at(crowd, 0), id, seqOf(at(lines, 0)));
  for (const n of [1, 2]) {
    expect(await at(lines, n).closed).toEqual({ code: CLOSE.changed });
    const again = await joinRoom(at(crowd, n), id, seqOf(at(lines, n)));
    expect(noncesOf(again)).toEqual(["undelivered"]);
  }
});

test.each(["when it speaks", "once it is reached again"])(
  "L-06 a leaf that the room could not reach closes its sockets %s",
  async (name) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { crowd, id, lines } = await crowdOf(3);
    const failing = (method: "deliver" | "reset") =>
      vi.spyOn(SessionLeaf.prototype, method).mockImplementationOnce(() => {
        throw new Error("cut");
      });
    failing("deliver");
    const reset = failing("reset");
    say(at(lines, 0), "missed");
    await vi.waitFor(() => expect(reset).toHaveBeenCalled());
    if (name === "when it speaks") say(at(lines, 1), "unheard");
    for (const n of [1, 2]) {
      expect(await at(lines, n).closed).toEqual({ code: CLOSE.changed });
      const again = await joinRoom(at(crowd, n), id, 0);
      expect(noncesOf(again)).toEqual(["missed"]);
    }
    expect(reset).toHaveBeenCalledTimes(name === "when it speaks" ? 1 : 2);
  },
);

test("L-06 L-02 when a leaf or the room dies again and again, no line is lost, doubled or out of order", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { crowd, id, lines } = await crowdOf(9);
  const everybody = [...crowd.keys()];
  const clients = lines.map((line) => ({ line, before: [] as Line[], pending: [] as string[] }));
  const allOf = (n: number): Line[] => [...at(clients, n).before, at(clients, n).line];
  const heardBy = (n: number): string[] => allOf(n).flatMap(noncesOf);
  let count = 0;
  const sayOn = (n: number) => {
    const nonce = `n${count++}`;
    at(clients, n).pending.push(nonce);
    say(at(clients, n).line, nonce);
  };
  /** As the page does: it comes back with the last number that it has, and sends again what it has not heard. */
  const back = async (n: number) => {
    const client = at(clients, n);
    await client.line.closed;
    const since = Math.max(...allOf(n).map(seqOf));
    client.before.push(client.line);
    client.line = await joinRoom(at(crowd, n), id, since);
    const heard = new Set(heardBy(n));
    for (const nonce of client.pending) if (!heard.has(nonce)) say(client.line, nonce);
  };
  const settled = () =>
    vi.waitFor(() => {
      for (const n of everybody) expect(heardBy(n)).toHaveLength(count);
    });
  for (let run = 0; run < 2 * runsOf(20, 2); run++) {
    const leaf = run % 2 === 0 ? 1 + ((run / 2) % 4) : null;
    const carried = leaf === null ? crowd.map(({ username }) => username) : await carriedBy(id, leaf);
    const lost = everybody.filter((n) => carried.includes(at(crowd, n).username));
    expect(lost.length).toBeGreaterThan(0);
    // Nobody waits for these lines before the death.
    for (const n of everybody) sayOn(n);
    await kill(leaf === null ? stubOf(id) : leafOf(id, leaf));
    for (const n of everybody) if (!lost.includes(n)) sayOn(n);
    await Promise.all(lost.map(back));
    await settled();
  }
  const [first = []] = everybody.map(heardBy);
  expect(new Set(first).size).toBe(count);
  for (const n of everybody) expect(heardBy(n)).toEqual(first);
  const view = await stubOf(id).view(id);
  expect(view.ok && [...view.value.online].sort()).toEqual(crowd.map(({ username }) => username).sort());
}, 240_000);

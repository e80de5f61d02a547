// The sockets of a large room without the platform: how a frame reaches them in parts.
import { beforeEach, expect, test } from "vitest";
import { QUIET_ROOM } from "#tests/support/rooms";
import { CLOSE, type Operation } from "~/wire/room";
import { type Listener, Sockets } from "./sockets";

const PEOPLE = 300;
const FIRST_PART = 128;

class FakeSocket {
  heard: string[] = [];
  send(frame: string): void {
    this.heard.push(frame);
  }
  close(): void {
    this.heard.push("closed");
  }
  serializeAttachment(): void {}
}

/** Resolves the room's wait after a part. */
let endWait: () => void;
let sockets: Sockets;
let people: { socket: FakeSocket; listener: Listener }[];

const asSocket = (socket: FakeSocket) => socket as unknown as WebSocket;
const operation = (n: number): Operation => ({ type: "typing", usernames: [`user-${n}`] });
const frame = (n: number): string => JSON.stringify([operation(n)]);
const heardBy = () => people.map(({ socket }) => socket.heard);

function enter(n: number) {
  const socket = new FakeSocket();
  const identity = {
    userId: n,
    username: `user-${n}`,
    isSuperAdmin: false,
    timeZone: "UTC",
    loginHash: "",
    network: "",
  };
  sockets.accept(asSocket(socket), identity);
  const listener = sockets.of(asSocket(socket));
  if (!listener) throw new Error("not accepted");
  sockets.join(asSocket(socket), listener, listener.username);
  return { socket, listener };
}

beforeEach(() => {
  const ctx = {
    getWebSockets: () => [],
    setWebSocketAutoResponse: () => {},
    acceptWebSocket: () => {},
    storage: { sync: () => new Promise<void>((resolve) => (endWait = resolve)) },
  };
  sockets = new Sockets(ctx as unknown as DurableObjectState, QUIET_ROOM, false);
  people = Array.from({ length: PEOPLE }, (_, n) => enter(n + 1));
  sockets.flush();
  for (const { socket } of people) socket.heard = [];
});

const say = (n: number): void => {
  sockets.broadcast([operation(n)]);
  sockets.flush();
};
async function nextPart(end = endWait): Promise<void> {
  end();
  await new Promise((resolve) => setTimeout(resolve));
}

test("a frame reaches a large room in parts, each after the wait that follows the last", async () => {
  say(1);
  expect(heardBy().filter(({ length }) => length === 1)).toHaveLength(FIRST_PART);
  await nextPart();
  expect(heardBy().filter(({ length }) => length === 1)).toHaveLength(2 * FIRST_PART);
  await nextPart();
  expect(heardBy()).toEqual(people.map(() => [frame(1)]));
});

test("the next frame follows the whole of the last, and an overdue part sends nothing again", async () => {
  say(1);
  const late = endWait;
  say(2);
  await nextPart(late);
  say(3);
  expect(heardBy()).toEqual(
    people.map((_, n) => [frame(1), frame(2), ...(n < FIRST_PART ? [frame(3)] : [])]),
  );
});

test("a socket that still lacks the frame receives it before anything of its own and before it closes", () => {
  const [last, other] = [people.at(-1), people.at(-2)];
  if (!last || !other) throw new Error("nobody");
  say(1);
  sockets.send(asSocket(last.socket), operation(9));
  expect(last.socket.heard).toEqual([frame(1), frame(9)]);
  say(2);
  sockets.close(asSocket(other.socket), CLOSE.notAllowed, "");
  expect(other.socket.heard).toEqual([frame(1), frame(2), "closed"]);
});

test("a socket that leaves or joins between two parts hears nothing of the frame", async () => {
  say(1);
  const gone = people.at(-1);
  if (!gone) throw new Error("nobody");
  sockets.drop(asSocket(gone.socket));
  const { socket } = enter(PEOPLE + 1);
  const before = socket.heard.length;
  await nextPart();
  await nextPart();
  expect(gone.socket.heard).toEqual([]);
  expect(socket.heard.slice(before)).toEqual([]);
  expect(people.slice(0, -1).every((one) => one.socket.heard[0] === frame(1))).toBe(true);
});

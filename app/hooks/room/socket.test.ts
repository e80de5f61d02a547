// The reconnecting socket: its delay before each attempt, and the events that cut the delay short.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RoomOpening } from "./client";
import { connectRoom } from "./socket";

/** A server that is down: every socket closes at once. */
let tries: { at: number; url: string; protocols: unknown }[] = [];
class DeadSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = 0;
  binaryType = "blob";
  constructor(url: string, protocols: unknown) {
    super();
    tries.push({ at: Date.now(), url, protocols });
    queueMicrotask(() => this.close());
  }
  close() {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code: 1006, reason: "", wasClean: false }));
  }
  send() {}
}

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
beforeEach(() => {
  tries = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", DeadSocket);
  vi.stubGlobal("location", { protocol: "https:", host: "bothy.example" });
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const opening: RoomOpening = { ticket: null, join: { username: "ada", since: null } };
const watching: RoomOpening = { ticket: null, join: null };
const nothing = { onMessage: () => {}, onClose: () => {}, onWake: () => {} };

/** Milliseconds between attempts, over ten minutes. */
async function waits(random: number): Promise<number[]> {
  vi.spyOn(Math, "random").mockReturnValue(random);
  const line = connectRoom(7, nothing, () => opening);
  await vi.advanceTimersByTimeAsync(600_000);
  line.close();
  return tries.slice(1).map(({ at }, index) => at - (tries[index]?.at ?? 0));
}

test("L-04 the longest delay doubles with each attempt, from four to 30 seconds", async () => {
  expect((await waits(0.9999)).slice(0, 6).map(Math.round)).toEqual([
    3999, 7999, 15_998, 29_997, 29_997, 29_997,
  ]);
});

test("L-04 each delay is random below its bound, so that browsers come back spread", async () => {
  expect((await waits(0.5)).slice(0, 5)).toEqual([2000, 4000, 8000, 15_000, 15_000]);
  tries = [];
  expect((await waits(0.01)).slice(0, 2)).toEqual([40, 80]);
});

test("R-26 each attempt offers our subprotocol and the newest ticket, and nothing without a ticket", async () => {
  let ticket: string | null = null;
  const line = connectRoom(7, nothing, () => ({ ...opening, ticket }));
  await vi.advanceTimersByTimeAsync(10);
  expect(tries.at(-1)?.protocols).toEqual([]);
  ticket = "a.b.c";
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries.at(-1)?.protocols).toEqual(["bothy", "a.b.c"]);
  line.close();
});

test("L-02 the address of each attempt joins, with the newest number that the page has", async () => {
  let since: number | null = null;
  const line = connectRoom(7, nothing, () => ({ ticket: null, join: { username: "ada b", since } }));
  await vi.advanceTimersByTimeAsync(10);
  expect(tries.at(-1)?.url).toBe("wss://bothy.example/sessions/7/socket?username=ada+b");
  since = 12;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries.at(-1)?.url).toBe("wss://bothy.example/sessions/7/socket?username=ada+b&since=12");
  line.close();
});

test("L-04 the socket reconnects at once when the network is back or the page is visible again", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.9);
  const heard: number[] = [];
  const line = connectRoom(7, { ...nothing, onClose: (code) => heard.push(code) }, () => watching);
  await vi.advanceTimersByTimeAsync(60_000);
  for (const [target, name] of [
    [window, "online"],
    [document, "visibilitychange"],
  ] as const) {
    const [before, closes] = [tries.length, heard.length];
    target.dispatchEvent(new Event(name));
    await vi.advanceTimersByTimeAsync(50);
    expect(tries.length).toBe(before + 1);
    // A replaced socket sends no more events.
    expect(heard.length).toBe(closes + 1);
  }
  page.visibilityState = "hidden";
  const before = tries.length;
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(50);
  expect(tries.length).toBe(before);
  page.visibilityState = "visible";
  line.close();
});

test("L-04 an open socket is kept and checked when the network is back or the page is visible again", async () => {
  vi.stubGlobal(
    "WebSocket",
    class extends DeadSocket {
      override close() {
        if (this.readyState !== 0) return;
        this.readyState = 1;
        this.dispatchEvent(new Event("open"));
      }
    },
  );
  let wakes = 0;
  const line = connectRoom(7, { ...nothing, onWake: () => wakes++ }, () => watching);
  await vi.advanceTimersByTimeAsync(1000);
  expect([line.isOpen(), wakes]).toEqual([true, 0]);
  page.visibilityState = "hidden";
  document.dispatchEvent(new Event("visibilitychange"));
  expect(wakes).toBe(0);
  page.visibilityState = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  window.dispatchEvent(new Event("online"));
  expect([wakes, tries.length]).toEqual([2, 1]);
  line.close();
  document.dispatchEvent(new Event("visibilitychange"));
  expect(wakes).toBe(2);
});

test("L-04 a socket that the page closed does not reconnect", async () => {
  const line = connectRoom(7, nothing, () => watching);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries[0]?.url).toBe("wss://bothy.example/sessions/7/socket?watch=1");
  line.close();
  const after = tries.length;
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(tries.length).toBe(after);
});

// The reconnecting socket: its delay before each attempt, and the events that cut the delay short.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectRoom } from "./room-socket";

/** A server that is down: every socket closes at once. */
let tries: { at: number; url: string }[] = [];
class DeadSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = 0;
  binaryType = "blob";
  constructor(url: string) {
    super();
    tries.push({ at: Date.now(), url });
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

const nothing = { onOpen: () => {}, onMessage: () => {}, onClose: () => {} };

/** Milliseconds between attempts, over ten minutes. */
async function waits(random: number): Promise<number[]> {
  vi.spyOn(Math, "random").mockReturnValue(random);
  const line = connectRoom(7, false, nothing);
  await vi.advanceTimersByTimeAsync(600_000);
  line.close();
  return tries.slice(1).map(({ at }, index) => at - (tries[index]?.at ?? 0));
}

test("L-04 the delay doubles with each attempt, up to 30 seconds", async () => {
  const first = await waits(0);
  expect(first.slice(0, 9)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(Math.max(...first)).toBe(30_000);
});

test("L-04 after a server restart, browsers reconnect spread over four seconds", async () => {
  expect((await waits(0.5)).slice(0, 5)).toEqual([2250, 4500, 9000, 18_000, 30_000]);
  tries = [];
  expect((await waits(0.999)).slice(0, 4)).toEqual([3996, 7993, 15_986, 30_000]);
});

test("L-04 the socket reconnects at once when the network is back or the page is visible again", async () => {
  const heard: number[] = [];
  const line = connectRoom(7, true, { ...nothing, onClose: (code) => heard.push(code) });
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

test("L-04 a socket that the page closed does not reconnect", async () => {
  const line = connectRoom(7, true, nothing);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries[0]?.url).toBe("wss://bothy.example/sessions/7/socket?watch=1");
  line.close();
  const after = tries.length;
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(tries.length).toBe(after);
});

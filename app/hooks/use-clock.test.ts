// The measured clock: when it sends probes, and which of them it believes.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MINUTE, SECOND } from "~/domain/time";

const START = Date.UTC(2026, 10, 21, 9, 30);
/** The machine's clock is two hours behind the server's. */
const BEHIND = 120 * MINUTE;

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
let isOnline = true;
/** How long an answer takes, there and back; the server reads its clock in the middle. */
let trip = 10;
let probes = 0;
let unmounting: AbortController;
let serverNow: () => number;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
async function answerTime(_: string, { signal }: RequestInit): Promise<Response> {
  probes++;
  if (!isOnline) throw new TypeError("Failed to fetch");
  const half = trip / 2;
  await wait(half);
  signal?.throwIfAborted();
  const now = serverNow();
  await wait(half);
  return Response.json({ now });
}
/** A dead connection: the fetch ends only when it is aborted. */
function answerNothing(_: string, { signal }: RequestInit): Promise<Response> {
  probes++;
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}
/** The machine sleeps: its clock goes on, the monotonic one stops. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** A page that has just mounted its clock. */
async function open() {
  vi.resetModules();
  const { measure, now } = await import("./use-clock");
  void measure(unmounting.signal);
  return Object.assign(now, { measure });
}

beforeEach(() => {
  [isOnline, trip, probes] = [true, 10, 0];
  page.visibilityState = "visible";
  unmounting = new AbortController();
  vi.useFakeTimers({ now: START });
  serverNow = () => Date.now() + BEHIND;
  vi.stubGlobal("fetch", answerTime);
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
});
afterEach(() => {
  unmounting.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("L-10 the clock takes five probes at first, one every five minutes, and none after it is unmounted", async () => {
  const now = await open();
  expect(now()).toBe(Date.now());
  await vi.advanceTimersByTimeAsync(SECOND);
  expect([probes, now() - serverNow()]).toEqual([5, 0]);
  await vi.advanceTimersByTimeAsync(4 * MINUTE);
  expect(probes).toBe(5);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(probes).toBe(6);
  unmounting.abort();
  await vi.advanceTimersByTimeAsync(120 * MINUTE);
  expect(probes).toBe(6);
});

test("L-10 a clock that is mounted again takes five new probes, and drops those from before", async () => {
  const now = await open();
  await vi.advanceTimersByTimeAsync(SECOND);
  unmounting.abort();
  await vi.advanceTimersByTimeAsync(120 * MINUTE);
  // The machine's clock has run fast by a fifth of a second.
  const serverBefore = serverNow;
  serverNow = () => serverBefore() - 200;
  trip = 40;
  unmounting = new AbortController();
  void now.measure(unmounting.signal);
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect([probes, now() - serverNow()]).toEqual([10, 0]);
});

test("L-10 J-09 after a sleep the clock measures again without any event, and drops the faster probes from before", async () => {
  const now = await open();
  await vi.advanceTimersByTimeAsync(SECOND);
  sleep(20 * MINUTE);
  expect(now()).toBe(serverNow() - 20 * MINUTE);
  trip = 300;
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(now()).toBe(serverNow());
});

test("L-10 a page that wakes before its network tries until an answer comes, ever more rarely, and at once when it is back", async () => {
  const now = await open();
  await vi.advanceTimersByTimeAsync(SECOND);
  isOnline = false;
  sleep(20 * MINUTE);
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(7 * SECOND);
  expect(probes).toBe(5 + 3);
  expect(now()).not.toBe(serverNow());
  isOnline = true;
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(now()).toBe(serverNow());
  isOnline = false;
  sleep(20 * MINUTE);
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  const before = probes;
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(probes - before).toBe(10);
  isOnline = true;
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(SECOND + 100);
  expect(now()).toBe(serverNow());
});

test("L-10 a probe goes out each half minute while the browser says that it has no network", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  await open();
  isOnline = false;
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(probes).toBeLessThanOrEqual(11);
  expect(probes).toBeGreaterThanOrEqual(9);
});

test("L-10 an answer from before a sleep is not believed by the second clock of a page either", async () => {
  const now = await open();
  void now.measure(unmounting.signal);
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  trip = 800;
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(SECOND + 500);
  sleep(20 * MINUTE);
  trip = 1500;
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect(now()).toBe(serverNow());
});

test("L-10 an answer that the server gave before a sleep is not believed", async () => {
  const now = await open();
  await vi.advanceTimersByTimeAsync(SECOND);
  trip = 800;
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(probes).toBe(6);
  // The server has read its clock; the answer is still on its way.
  await vi.advanceTimersByTimeAsync(200);
  sleep(20 * MINUTE);
  trip = 1500;
  await vi.advanceTimersByTimeAsync(4 * SECOND);
  expect(now()).toBe(serverNow());
});

test("L-10 a probe without an answer is given up after ten seconds, and another one goes out", async () => {
  const now = await open();
  await vi.advanceTimersByTimeAsync(SECOND);
  vi.stubGlobal("fetch", answerNothing);
  sleep(20 * MINUTE);
  await vi.advanceTimersByTimeAsync(9 * SECOND);
  expect(probes).toBe(6);
  vi.stubGlobal("fetch", answerTime);
  await vi.advanceTimersByTimeAsync(4 * SECOND);
  expect(now()).toBe(serverNow());
});

test("L-10 five new probes come when the network is back or the page is visible again, not when it is hidden", async () => {
  await open();
  await vi.advanceTimersByTimeAsync(SECOND);
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(probes).toBe(10);
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(probes).toBe(10);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(probes).toBe(15);
});

// The code of a part is asked for again until the network has it.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadLate } from "./load-late";

const browser = { onLine: true };
let page = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  vi.stubGlobal("navigator", browser);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A module whose first loads fail. */
function failing(failures: number) {
  let asked = 0;
  const load = async () => {
    if (asked++ < failures) throw new TypeError("Failed to fetch dynamically imported module");
    return "the part";
  };
  return { load, asked: () => asked };
}

test("W-05 a late part waits without a network and comes with it", async () => {
  browser.onLine = false;
  const part = failing(1);
  const loading = loadLate(part.load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(part.asked()).toBe(1);
  browser.onLine = true;
  page.dispatchEvent(new Event("online"));
  expect(await loading).toBe("the part");
});

test("W-05 a late part that fails before the browser notices the lost network waits as well", async () => {
  browser.onLine = true;
  const part = failing(2);
  const loading = loadLate(part.load);
  await vi.advanceTimersByTimeAsync(0);
  browser.onLine = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(part.asked()).toBe(2);
  browser.onLine = true;
  page.dispatchEvent(new Event("online"));
  expect(await loading).toBe("the part");
});

test("W-05 a late part that the network does not have fails after its second attempt", async () => {
  browser.onLine = true;
  const part = failing(9);
  const loading = expect(loadLate(part.load)).rejects.toThrow("dynamically imported");
  await vi.advanceTimersByTimeAsync(1000);
  await loading;
  expect(part.asked()).toBe(2);
});

// Tests of the locks that keep a screen awake.
import { afterEach, expect, test, vi } from "vitest";
import { keepAwake } from "./use-wake-lock";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A browser that grants each request when the test says so. */
function browser() {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const grants: (() => void)[] = [];
  const locks: { released: boolean; release(): Promise<void> }[] = [];
  const request = () =>
    new Promise((resolve) => {
      const lock = {
        released: false,
        release: async () => {
          lock.released = true;
        },
      };
      grants.push(() => {
        locks.push(lock);
        resolve(lock);
      });
    });
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", { wakeLock: { request } });
  const grantAll = async () => {
    for (const grant of grants.splice(0)) grant();
    await settled();
  };
  const openLocks = () => locks.filter(({ released }) => !released).length;
  return {
    show: () => page.dispatchEvent(new Event("visibilitychange")),
    grants,
    locks,
    grantAll,
    openLocks,
  };
}

afterEach(() => vi.unstubAllGlobals());

test("of two locks that were asked for before the first grant, one stays until the page needs none", async () => {
  const { show, grants, grantAll, openLocks } = browser();
  const release = keepAwake();
  show();
  expect(grants).toHaveLength(2);
  await grantAll();
  expect(openLocks()).toBe(1);
  release();
  expect(openLocks()).toBe(0);
});

test("a lock that is granted after the page needs none is released, and its failure goes unheard", async () => {
  const { grantAll, locks, openLocks } = browser();
  keepAwake()();
  await grantAll();
  expect(locks).toHaveLength(1);
  expect(openLocks()).toBe(0);

  let releases = 0;
  // A mock of vitest would handle the rejection itself.
  const release = () => {
    releases++;
    return Promise.reject(new Error("gone"));
  };
  vi.stubGlobal("navigator", { wakeLock: { request: async () => ({ released: false, release }) } });
  const unheard = vi.fn();
  process.on("unhandledRejection", unheard);
  keepAwake()();
  await vi.waitFor(() => expect(releases).toBe(1));
  await settled();
  expect(unheard).not.toHaveBeenCalled();
  process.off("unhandledRejection", unheard);
});

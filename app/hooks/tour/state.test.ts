// A tour and its tab.
import { beforeEach, expect, test, vi } from "vitest";

/** Its entries are its own keys, like a Storage's. */
class Shelf {
  [key: string]: unknown;
  getItem(key: string): string | null {
    return (this[key] as string | undefined) ?? null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    delete this[key];
  }
}

/** Another tab of the browser: a shelf of its own, beside the shared one. */
async function openTab() {
  vi.resetModules();
  vi.stubGlobal("sessionStorage", new Shelf());
  return import("./state");
}
beforeEach(() => vi.stubGlobal("localStorage", new Shelf()));

test("R-70 a tour belongs to the tab in which it was begun, and goes on there", async () => {
  const first = await openTab();
  first.openTour("welcome");
  first.saveTour({ name: "welcome", step: 4, isOpen: false, isDone: false });
  expect(first.readTour()).toMatchObject({ step: 4, isDone: false });
  const second = await openTab();
  expect(second.readTour()).toBe(null);
  second.openTour("welcome");
  expect(second.readTour()).toMatchObject({ step: 0, isOpen: true });
});

test("R-70 a finished tour is known to other tabs, until the account's login ends", async () => {
  const first = await openTab();
  first.saveTour({ name: "welcome", step: 0, isOpen: false, isDone: true });
  const second = await openTab();
  expect(second.readTour()).toMatchObject({ isDone: true });
  second.openTour("goal");
  (await import("~/hooks/accounts/forget-drafts")).forgetDrafts();
  expect(second.readTour()).toBe(null);
});

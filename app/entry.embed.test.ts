// The script of the embedded card, in a document with one countdown.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MINUTE, SECOND } from "~/domain/time";

const NOW = Date.UTC(2026, 10, 21, 9, 30);
let reloads = 0;
const connection = { onLine: true };

/** Runs the script in a card that the server sent at `NOW`, with the machine's clock off by `offBy`. */
async function load(offBy: number) {
  vi.useFakeTimers({ now: NOW + offBy });
  const numeral = {
    dataset: { until: String(NOW + 5 * MINUTE), now: String(NOW) },
    textContent: "05:00",
  };
  vi.stubGlobal("document", { querySelectorAll: () => [numeral] });
  vi.resetModules();
  await import("./entry.embed");
  return numeral;
}

beforeEach(() => {
  reloads = 0;
  connection.onLine = true;
  vi.stubGlobal("location", { reload: () => reloads++ });
  vi.stubGlobal("navigator", connection);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([0, 3 * MINUTE, -3 * MINUTE])(
  "J-11 L-10 a card counts by the server's clock when the machine's is off by %i ms",
  async (offBy) => {
    const numeral = await load(offBy);
    vi.advanceTimersByTime(SECOND);
    expect(numeral.textContent).toBe("04:59");
    vi.advanceTimersByTime(29 * SECOND);
    expect(numeral.textContent).toBe("04:30");
    // A sleep stops the timers, but not the machine's clock.
    vi.setSystemTime(Date.now() + 4 * MINUTE);
    vi.advanceTimersByTime(SECOND);
    expect(numeral.textContent).toBe("00:29");
    vi.setSystemTime(Date.now() + MINUTE);
    vi.advanceTimersByTime(SECOND);
    expect(numeral.textContent).toBe("00:00");
  },
);

test("J-11 a card reloads each minute, but not without a network", async () => {
  await load(0);
  vi.advanceTimersByTime(MINUTE);
  expect(reloads).toBe(1);
  connection.onLine = false;
  vi.advanceTimersByTime(MINUTE);
  expect(reloads).toBe(1);
});

// The clocks of tests inside workerd: stopped, so that no run passes midnight or depends on its day.
import { afterEach, beforeEach, vi } from "vitest";
import { HOUR, type Instant, instant } from "~/domain/time";

/** A midnight ahead of the machine's clock, so that no alarm rings by itself. */
export const MIDNIGHT: Instant = instant(Date.UTC(2030, 0, 2));
export const NOON: Instant = instant(MIDNIGHT + 12 * HOUR);

/** Starts every test of the file at `now`, also what the file reads while it loads; `vi.setSystemTime` moves the clock. */
export function stopClock(now: Instant = NOON): void {
  const stop = () => void vi.useFakeTimers({ toFake: ["Date"], now });
  stop();
  beforeEach(stop);
  afterEach(() => void vi.useRealTimers());
}

/** The machine's clock, by which a trigger of SQLite goes. */
export const machineNow = (): number => Math.floor(performance.timeOrigin + performance.now());

// The clock of tests inside workerd, which a setup file stops: no run passes midnight or depends on its day.
import { beforeEach, inject, vi } from "vitest";
import { DAY, type Instant, instant } from "~/domain/time";

declare module "vitest" {
  interface ProvidedContext {
    testNow: number;
  }
}

/** Every test begins at this instant, 12:00 UTC unless `TEST_NOW` says otherwise. */
export const NOON: Instant = instant(inject("testNow"));
/** The day of NOON. */
export const MIDNIGHT: Instant = instant(Math.floor(NOON / DAY) * DAY);

/** The machine's clock, by which a trigger of SQLite goes. */
export const machineNow = (): number => Math.floor(performance.timeOrigin + performance.now());

const stop = () => void vi.useFakeTimers({ toFake: ["Date"], now: NOON });
// A file may read the clock while it loads.
stop();
beforeEach(stop);

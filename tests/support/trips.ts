// How often the answer of a request waits for D1 (D2, D3).
import { vi } from "vitest";
import * as createApp from "#workers/create-app";
import { wrappedD1 } from "./wrapped-d1";

/** Milliseconds in which an answer may follow its last round trip, in the first request and in further ones. */
const AFTER_LAST = [15, 30, 60];

/**
 * Runs `request`, which ends with its whole answer, and counts the round trips before that. Statements that wait at the
 * same time share a trip: their results are held until all have come. Results that come after the answer, such as those
 * of deferred work, count as no trip.
 */
async function tripsOf(request: () => Promise<unknown>, afterLast: number): Promise<number> {
  let trips = 0;
  let waiting = 0;
  let held: (() => void)[] = [];
  let isAnswered = false;
  let whenAnswered = () => {};
  const answered = new Promise<void>((resolve) => {
    whenAnswered = resolve;
  });
  const release = async () => {
    const round = held;
    held = [];
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, afterLast))]);
    if (!isAnswered) trips++;
    for (const go of round) go();
  };
  const count = async <R>(run: () => Promise<R>): Promise<R> => {
    if (isAnswered) return run();
    waiting++;
    try {
      return await run();
    } finally {
      waiting--;
      await new Promise<void>((go) => {
        held.push(go);
        if (waiting === 0) void release();
      });
    }
  };
  const { createApp: real } = createApp;
  const spy = vi.spyOn(createApp, "createApp").mockImplementation((env, asking) => {
    // Work of the queue, which says nowhere where it reads from, is no request.
    if (asking.readsFrom === undefined) return real(env, asking);
    const DB = wrappedD1(env.DB, { one: (_, __, run) => count(run), batch: (_, run) => count(run) });
    return real({ ...env, DB }, asking);
  });
  try {
    await request();
    return trips;
  } finally {
    isAnswered = true;
    whenAnswered();
    spy.mockRestore();
  }
}

/**
 * The round trips of the request that `stage` returns. Beyond `most`, the fewest of a few requests, because the answer on a
 * busy machine may be late.
 */
export async function fewestTrips(
  most: number,
  stage: () => Promise<() => Promise<unknown>>,
): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (const afterLast of AFTER_LAST) {
    fewest = Math.min(fewest, await tripsOf(await stage(), afterLast));
    if (fewest <= most) break;
  }
  return fewest;
}

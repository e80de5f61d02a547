// How often the answer of a request waits for D1 (D2, D3).
import { vi } from "vitest";
import * as createApp from "#workers/create-app";
import { wrappedD1 } from "./wrapped-d1";

/** Milliseconds in which an answer may follow its last round trip, in the first request and in further ones. */
const AFTER_LAST = [15, 30, 60] as const;
/** For requests that change nothing: first without delay, which counts deferred work too and so never too few trips. */
export const AT_ONCE_FIRST = [0, ...AFTER_LAST] as const;

/**
 * Runs `request`, which ends with its whole answer, and counts the round trips before that. Statements that wait at the
 * same time share a trip: their results are held until all have come. Results that come after the answer, such as those
 * of deferred work, count as no trip.
 */
export async function countTrips<A>(
  request: () => Promise<A>,
  afterLast: number = AFTER_LAST[0],
): Promise<{ trips: number; answer: A }> {
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
    const answer = await request();
    return { trips, answer };
  } finally {
    isAnswered = true;
    whenAnswered();
    spy.mockRestore();
  }
}

/**
 * The round trips of the request that `stage` returns, and its answer. Beyond `most`, the fewest of a few requests, because
 * the answer on a busy machine may be late, and the answer of the last.
 */
export async function fewestTrips<A>(
  most: number,
  stage: () => Promise<() => Promise<A>>,
  patience: readonly [number, ...number[]] = AFTER_LAST,
): Promise<{ trips: number; answer: A }> {
  const [first, ...more] = patience;
  let counted = await countTrips(await stage(), first);
  for (const afterLast of more) {
    if (counted.trips <= most) break;
    const { trips, answer } = await countTrips(await stage(), afterLast);
    counted = { trips: Math.min(trips, counted.trips), answer };
  }
  return counted;
}

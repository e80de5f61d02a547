// How far the browser's clock is off the server's, measured by probes: the one with the shortest round trip of the last
// eight tells. Corrections under 100 ms are slewed, never stepped (L-10). Pure.

/** One probe: local monotonic instants of sending and receiving, and what the server said in between (ms). */
export type Probe = { sentAt: number; receivedAt: number; serverAt: number };

export const PROBES_KEPT = 8;
const STEP_MS = 100;
/** Milliseconds of correction per millisecond that passes, while slewing. */
const SLEW_RATE = 0.05;

/** Server time minus local time at the middle of the round trip, and how sure that is (half the trip). */
export const offsetOf = (probe: Probe): { offset: number; error: number } => {
  const trip = probe.receivedAt - probe.sentAt;
  return { offset: probe.serverAt + trip / 2 - probe.receivedAt, error: trip / 2 };
};

export const keepProbe = (probes: readonly Probe[], probe: Probe): Probe[] =>
  [...probes, probe].slice(-PROBES_KEPT);

/** The offset of the quickest probe; null while there is none. */
export function bestOffset(probes: readonly Probe[]): number | null {
  let best: { offset: number; error: number } | null = null;
  for (const probe of probes) {
    const one = offsetOf(probe);
    if (best === null || one.error < best.error) best = one;
  }
  return best?.offset ?? null;
}

/** The correction in use: on its way from `from` to `to` since the local instant `since`. */
export type Correction = { from: number; to: number; since: number };

export const correctionAt = (correction: Correction, local: number): number => {
  const { from, to, since } = correction;
  const moved = Math.max(0, local - since) * SLEW_RATE;
  return Math.abs(to - from) <= moved ? to : from + Math.sign(to - from) * moved;
};

/** A new target: near ones are approached, far ones taken at once. */
export function retarget(correction: Correction | null, target: number, local: number): Correction {
  if (correction === null) return { from: target, to: target, since: local };
  const current = correctionAt(correction, local);
  return Math.abs(target - current) >= STEP_MS
    ? { from: target, to: target, since: local }
    : { from: current, to: target, since: local };
}

// The offset between the browser's clock and the server's, from the fastest of the last eight probes. Corrections under
// 100 ms are slewed, never stepped (L-10). Pure.

/** A probe: local monotonic times of sending and receiving, and the server's time in between (ms). */
export type Probe = { sentAt: number; receivedAt: number; serverAt: number };

export const MAX_PROBES = 8;
/** A larger correction is stepped. */
const MAX_SLEWED_MS = 100;
/** Milliseconds of correction per elapsed millisecond while slewing. */
const SLEW_RATE = 0.05;

/** Server time minus local time at the middle of the round trip. The error is half the round trip. */
export const offsetOf = (probe: Probe): { offset: number; error: number } => {
  const trip = probe.receivedAt - probe.sentAt;
  return { offset: probe.serverAt + trip / 2 - probe.receivedAt, error: trip / 2 };
};

export const addProbe = (probes: readonly Probe[], probe: Probe): Probe[] =>
  [...probes, probe].slice(-MAX_PROBES);

/** The offset of the fastest probe; null without probes. */
export function bestOffset(probes: readonly Probe[]): number | null {
  let best: { offset: number; error: number } | null = null;
  for (const probe of probes) {
    const candidate = offsetOf(probe);
    if (best === null || candidate.error < best.error) best = candidate;
  }
  return best?.offset ?? null;
}

/** The correction in use: it moves from `from` to `to`, beginning at the local time `since`. */
export type Correction = { from: number; to: number; since: number };

export const correctionAt = (correction: Correction, local: number): number => {
  const { from, to, since } = correction;
  const slewed = Math.max(0, local - since) * SLEW_RATE;
  return Math.abs(to - from) <= slewed ? to : from + Math.sign(to - from) * slewed;
};

/** A new target: a near one is slewed, a far one stepped. */
export function retarget(correction: Correction | null, target: number, local: number): Correction {
  if (correction === null) return { from: target, to: target, since: local };
  const current = correctionAt(correction, local);
  return Math.abs(target - current) >= MAX_SLEWED_MS
    ? { from: target, to: target, since: local }
    : { from: current, to: target, since: local };
}

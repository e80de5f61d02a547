// The sound and vibration of each cue, and the tones to schedule ahead on the audio clock. Pure.

import { type Instant, SECOND } from "~/domain/time";
import type { Cue, CueKind } from "./cues";

/** One tone: seconds after the cue, hertz, seconds, loudness 0–1. */
type Tone = { after: number; hertz: number; length: number; gain: number };

const SIGNALS: Record<CueKind, { tones: Tone[]; vibration: number[] }> = {
  // Rising: a start.
  start: {
    tones: [
      { after: 0, hertz: 523, length: 0.16, gain: 0.5 },
      { after: 0.18, hertz: 784, length: 0.34, gain: 0.6 },
    ],
    vibration: [200, 80, 200],
  },
  half: { tones: [], vibration: [] },
  warning: { tones: [{ after: 0, hertz: 659, length: 0.18, gain: 0.35 }], vibration: [120] },
  // Ten seconds to go, then three short ticks just before the end.
  "last-seconds": {
    tones: [
      { after: 0, hertz: 659, length: 0.12, gain: 0.35 },
      { after: 7, hertz: 659, length: 0.09, gain: 0.4 },
      { after: 8, hertz: 659, length: 0.09, gain: 0.4 },
      { after: 9, hertz: 659, length: 0.09, gain: 0.4 },
    ],
    vibration: [80],
  },
  // Falling: an end.
  end: {
    tones: [
      { after: 0, hertz: 784, length: 0.2, gain: 0.6 },
      { after: 0.22, hertz: 587, length: 0.2, gain: 0.6 },
      { after: 0.44, hertz: 392, length: 0.6, gain: 0.6 },
    ],
    vibration: [400, 120, 400],
  },
  interval: { tones: [{ after: 0, hertz: 880, length: 0.22, gain: 0.5 }], vibration: [150] },
  turn: { tones: [{ after: 0, hertz: 587, length: 0.18, gain: 0.35 }], vibration: [100] },
  "my-turn": {
    tones: [
      { after: 0, hertz: 659, length: 0.14, gain: 0.6 },
      { after: 0.16, hertz: 880, length: 0.14, gain: 0.6 },
      { after: 0.32, hertz: 1047, length: 0.4, gain: 0.6 },
    ],
    vibration: [200, 80, 200, 80, 400],
  },
};

export const vibrationOf = (kind: CueKind): number[] => SIGNALS[kind].vibration;

export type ScheduledTone = {
  /** Seconds on the audio clock. */
  at: number;
  hertz: number;
  length: number;
  gain: number;
  /** The start of its cue: a cue that has begun plays to its end. */
  cueAt: number;
};

/**
 * The tones of all cues, on the audio clock, which reads `audioNow` seconds at the instant `now`. At each instant only
 * the most important cue sounds. Past cues are left out.
 */
export function scheduledTones(cues: readonly Cue[], now: Instant, audioNow: number): ScheduledTone[] {
  const ends = new Set(cues.filter((cue) => cue.kind === "end").map((cue) => cue.at));
  const loudest = new Map<Instant, Cue>();
  for (const cue of cues) {
    if (SIGNALS[cue.kind].tones.length === 0) continue;
    const loudestSoFar = loudest.get(cue.at);
    if (!loudestSoFar || RANK[cue.kind] > RANK[loudestSoFar.kind]) loudest.set(cue.at, cue);
  }
  return [...loudest.values()]
    .flatMap((cue) =>
      SIGNALS[cue.kind].tones
        // The ticks only sound before an end.
        .filter(({ after }) => after < 1 || ends.has((cue.at + 10 * SECOND) as Instant) || cue.endsTurn)
        .map(({ after, ...tone }) => ({
          ...tone,
          cueAt: audioNow + (cue.at - now) / SECOND,
          at: audioNow + (cue.at - now) / SECOND + after,
        })),
    )
    .filter((tone) => tone.at >= audioNow)
    .sort((a, b) => a.at - b.at);
}

const RANK: Record<CueKind, number> = {
  half: 0,
  warning: 1,
  "last-seconds": 1,
  turn: 2,
  interval: 3,
  start: 4,
  end: 5,
  "my-turn": 6,
};

/** The most important of the due cues, for notification and vibration. */
export function foremost(cues: readonly Cue[]): Cue | null {
  return cues.reduce<Cue | null>(
    (best, cue) => (best === null || RANK[cue.kind] > RANK[best.kind] ? cue : best),
    null,
  );
}

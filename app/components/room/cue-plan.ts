// What each moment sounds and feels like, and which tones to lay ahead on the sound card's own clock. Pure.
import { type Instant, SECOND } from "~/domain/time";
import type { Moment, MomentKind } from "./moments";

/** One tone: seconds from the moment, hertz, seconds, loudness 0–1. */
type Tone = { after: number; hertz: number; length: number; gain: number };

const CUES: Record<MomentKind, { tones: Tone[]; vibration: number[] }> = {
  // Rising: something begins.
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
  // Falling: it is over.
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

export const vibrationOf = (kind: MomentKind): number[] => CUES[kind].vibration;

export type LaidTone = {
  /** Seconds on the sound card's clock. */ at: number;
  hertz: number;
  length: number;
  gain: number;
  /** When the cue it belongs to begins: a cue that has begun is played to its end. */
  cueAt: number;
};

/**
 * The tones of all moments, on the sound card's clock, which reads `cardNow` seconds at the instant `now`. At one
 * instant only the most important moment sounds; what has passed is left out.
 */
export function layTones(moments: readonly Moment[], now: Instant, cardNow: number): LaidTone[] {
  const ends = new Set(moments.filter((moment) => moment.kind === "end").map((moment) => moment.at));
  const loudest = new Map<Instant, Moment>();
  for (const moment of moments) {
    if (CUES[moment.kind].tones.length === 0) continue;
    const before = loudest.get(moment.at);
    if (!before || RANK[moment.kind] > RANK[before.kind]) loudest.set(moment.at, moment);
  }
  return [...loudest.values()]
    .flatMap((moment) =>
      CUES[moment.kind].tones
        // The ticks before the end stand only where there is an end to count down to.
        .filter(
          ({ after }) => after < 1 || ends.has((moment.at + 10 * SECOND) as Instant) || isTurnEnd(moment),
        )
        .map(({ after, ...tone }) => ({
          ...tone,
          cueAt: cardNow + (moment.at - now) / SECOND,
          at: cardNow + (moment.at - now) / SECOND + after,
        })),
    )
    .filter((tone) => tone.at >= cardNow)
    .sort((a, b) => a.at - b.at);
}

const isTurnEnd = (moment: Moment): boolean =>
  moment.kind === "last-seconds" && moment.sentence.includes("your turn");

const RANK: Record<MomentKind, number> = {
  half: 0,
  warning: 1,
  "last-seconds": 1,
  turn: 2,
  interval: 3,
  start: 4,
  end: 5,
  "my-turn": 6,
};

/** Of what has just come due: the one thing to show as a notification, and what to feel. */
export function foremost(moments: readonly Moment[]): Moment | null {
  return moments.reduce<Moment | null>(
    (best, moment) => (best === null || RANK[moment.kind] > RANK[best.kind] ? moment : best),
    null,
  );
}

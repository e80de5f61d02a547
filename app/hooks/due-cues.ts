// The cues of a session whose instants have passed and that have not been announced yet.
import type { Cue } from "~/domain/schedule/cues";
import { type Instant, SECOND } from "~/domain/time";

/** The cues of a plan after an instant, in order. */
export type CuesFrom = (from: Instant) => readonly Cue[];

/** A cue that is later than this is dropped. */
const MAX_LATENESS = 5 * SECOND;

export class DueCues {
  #cuesFrom: CuesFrom = () => [];
  #takenUntil: Instant;

  constructor(now: Instant) {
    this.#takenUntil = now;
  }

  take(now: Instant): readonly Cue[] {
    const dueCues = this.#cuesFrom(this.#takenUntil).filter((cue) => cue.at <= now);
    this.#takenUntil = now;
    return dueCues.filter((cue) => now - cue.at <= MAX_LATENESS);
  }

  /**
   * Replaces the plan and takes the due cues of the old one. The new plan has no cue for a change that it contains
   * already, so a plan that arrives at a cue's instant would otherwise lose the cue.
   */
  replacePlan(cuesFrom: CuesFrom, now: Instant): readonly Cue[] {
    const dueCues = this.take(now);
    this.#cuesFrom = cuesFrom;
    return dueCues;
  }
}

// Computes when a drawn frame is seen, from the starts of the frames before it. Pure.
import type { Instant } from "./time";

export const MAX_FRAME_STARTS = 8;
/** Milliseconds. Frames that are further apart come from a busy page, not from a slow screen. */
const LONGEST_FRAME = 34;

/**
 * The local time (ms) of the screen's next frame after `now`. `starts` are those of the latest frames, the present one
 * last; the shortest distance between two is the screen's own. Answers `now` while that is unknown.
 */
export function nextFrameAt(starts: readonly number[], now: number): number {
  const frameMs = Math.min(...starts.slice(1).map((start, index) => start - (starts[index] ?? start)));
  const since = now - (starts.at(-1) ?? now);
  if (!(frameMs > 0 && frameMs <= LONGEST_FRAME) || since < 0) return now;
  return now + frameMs - (since % frameMs);
}

/** A smaller step back does not show. Milliseconds. */
const MAX_HELD_BACK = 2000;

/** The instant to draw after `drawnAt`. A correction of the clock by less than two seconds takes nothing back (L-10). */
export const notBefore = (drawnAt: Instant, next: Instant): Instant =>
  drawnAt > next && drawnAt - next < MAX_HELD_BACK ? drawnAt : next;

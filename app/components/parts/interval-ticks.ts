// The changes of interval in an interval timer, for the ribbons of plans and sessions. Pure.
import { kindOf } from "~/domain/part-kinds";
import type { Part } from "~/domain/schedule-shape";

/** More ticks would be a grey bar. */
const MOST_TICKS = 60;

/** As shares of the part (0–1). */
export function intervalTicks(part: Part): number[] {
  const { intervals, sets, duration } = part;
  if (kindOf(part) !== "intervals" || duration <= 0) return [];
  if (intervals.length * sets > MOST_TICKS) return [];
  const ticks: number[] = [];
  let at = 0;
  for (let set = 0; set < sets; set += 1)
    for (const interval of intervals) {
      at += interval.duration;
      if (at < duration) ticks.push(at / duration);
    }
  return [...new Set(ticks)];
}

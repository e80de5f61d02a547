// The changes of interval in an interval timer, for the ribbons of plans and sessions. Pure.
import { kindOf } from "~/domain/schedule/part-kinds";
import type { Part } from "~/domain/schedule/shape";
import { pieceCount, pieceStart } from "~/domain/schedule/timer-pieces";

/** More ticks would be a grey bar. */
const MOST_TICKS = 60;

/** As shares of the part (0–1). */
export function intervalTicks(part: Part): number[] {
  const count = pieceCount(part);
  const whole = pieceStart(part, count);
  if (kindOf(part) !== "intervals" || whole <= 0 || count > MOST_TICKS) return [];
  const starts = Array.from({ length: count }, (_, index) => pieceStart(part, index));
  return [...new Set(starts.filter((at) => at > 0 && at < whole).map((at) => at / whole))];
}

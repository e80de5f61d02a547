// The changes of interval in an interval timer, for the ribbons of plans and sessions. Pure.
import { kindOf } from "~/domain/schedule/part-kinds";
import type { Part } from "~/domain/schedule/shape";
import { pieceCount, pieceStart } from "~/domain/schedule/timer-pieces";

/** More ticks would look like a grey bar. */
const MAX_TICKS = 60;

/** The points at which the interval changes, as shares of the part (0–1). */
export function intervalTicks(part: Part): number[] {
  const count = pieceCount(part);
  const totalLength = pieceStart(part, count);
  if (kindOf(part) !== "intervals" || totalLength <= 0 || count > MAX_TICKS) return [];
  const starts = Array.from({ length: count }, (_, index) => pieceStart(part, index));
  return [
    ...new Set(
      starts.filter((start) => start > 0 && start < totalLength).map((start) => start / totalLength),
    ),
  ];
}

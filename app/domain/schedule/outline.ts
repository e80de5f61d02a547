// The outline of a schedule without dates: its parts in order, repeats included, for the page of an activity. Pure.
import { partSpan } from "./part-kinds";
import type { Schedule } from "./shape";

export type OutlinePart = { id: string; title: string; seconds: number };

/** More segments would be too thin to see. */
const MAX_SEGMENTS = 60;

/** The parts with their repeats; titles of hidden groups only for those who may see them. */
export function outlineOf(schedule: Schedule, maySeeHidden: boolean): OutlinePart[] {
  const segments: OutlinePart[] = [];
  for (const { type, parts, sets, isHidden, isUnrolled } of schedule.groups) {
    if (type !== "event") continue;
    for (let set = 1; set <= (isUnrolled ? 1 : sets) && segments.length < MAX_SEGMENTS; set++)
      for (const part of parts)
        if (part.duration > 0)
          segments.push({
            id: `${part.id} ${set}`,
            title: isHidden && !maySeeHidden ? "Not revealed yet" : part.title || "Timer",
            seconds: partSpan(part, 1),
          });
  }
  return segments.slice(0, MAX_SEGMENTS);
}

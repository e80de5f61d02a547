// What a schedule will be like, before it has any dates: its parts in a row as often as they run, for who looks at an
// activity. Pure.
import { partSpan, type Schedule } from "./schedule-shape";

export type OutlinePart = { id: string; title: string; seconds: number };

/** More than this would be a row of needles. */
const MOST = 60;

/** Its parts with their repeats; names of hidden groups only for who may see them. */
export function outlineOf(schedule: Schedule, maySeeHidden: boolean): OutlinePart[] {
  const row: OutlinePart[] = [];
  for (const { type, parts, sets, isHidden, isUnrolled } of schedule.groups) {
    if (type !== "event") continue;
    for (let set = 1; set <= (isUnrolled ? 1 : sets) && row.length < MOST; set++)
      for (const part of parts)
        if (part.duration > 0)
          row.push({
            id: `${part.id} ${set}`,
            title: isHidden && !maySeeHidden ? "Not told yet" : part.title || "Timer",
            seconds: partSpan(part, 1),
          });
  }
  return row.slice(0, MOST);
}

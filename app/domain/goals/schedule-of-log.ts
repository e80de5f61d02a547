// The running interval timer of a log as a schedule of one part, so that a goal's timer has the cues of a session's. Pure.

import { newPart, newPartGroup, type Schedule } from "~/domain/schedule/shape";
import { instant, SECOND } from "~/domain/time";
import type { GoalTimer } from "./goals";
import { endOf } from "./log-state";
import type { LogShown } from "./logs";

/** Empty for a log that does not end by itself. An earlier pause counts as if the timer had begun later. */
export function scheduleOfLog(log: LogShown, timer: GoalTimer | null): Schedule {
  const endedAt = endOf(log);
  if (endedAt === null || log.duration === null) return { groups: [] };
  const part = newPart(log.uuid, {
    title: log.title || log.goal?.title || "",
    duration: log.duration,
    intervals: (timer?.timers ?? []).map((interval, index) => ({ ...interval, id: String(index) })),
    sets: timer?.sets ?? 1,
    startedAt: instant(endedAt - log.duration * SECOND),
    endedAt,
    state: "running",
  });
  return { groups: [newPartGroup(log.uuid, { parts: [part] })] };
}

// The preview of a plan: the position of each part, with gaps and repeats, from the session's start or from zero. Pure;
// the domain computes the dates.

import { lineUp, linkAllGroups, type Plan, placeDates, scheduleLength } from "~/domain/schedule/plan";
import { unrollSets } from "~/domain/schedule/sets";
import { partsInOrder, type Schedule } from "~/domain/schedule/shape";
import { type Instant, instant, SECOND, type Seconds } from "~/domain/time";
import { intervalTicks } from "./interval-ticks";

type TimelinePiece = {
  id: string;
  title: string;
  /** Milliseconds. */
  span: number;
  isGap: boolean;
  /** The changes of interval, as shares of the piece. */
  ticks: number[];
};

export type Timeline = {
  pieces: TimelinePiece[];
  /** From the first start to the last end. */
  length: Seconds;
  /** Milliseconds from the session's start to each part; without undated parts. */
  offsets: Map<string, number>;
  /** False: the times count from the unknown start of the session. */
  isDated: boolean;
};

export function timelineOf(schedule: Schedule, plan: Plan & { isManuallyStarted: boolean }): Timeline {
  const { rosterSize } = plan;
  const isDated = !plan.isManuallyStarted && plan.sessionStart !== null;
  const sessionStart = isDated && plan.sessionStart !== null ? plan.sessionStart : instant(0);
  const linedUpSchedule = isDated
    ? schedule
    : lineUp(plan.isManuallyStarted ? linkAllGroups(schedule) : schedule);
  const datedSchedule = placeDates(linedUpSchedule, { sessionStart, rosterSize });
  const parts = partsInOrder(unrollSets(datedSchedule));
  const pieces: TimelinePiece[] = [];
  let lastEnd: Instant | null = sessionStart;
  for (const part of parts) {
    if (part.startedAt === null || part.endedAt === null || part.endedAt <= part.startedAt) continue;
    const gap: number = lastEnd === null ? 0 : part.startedAt - lastEnd;
    if (gap > 0)
      pieces.push({ id: `gap-${part.id}`, title: "No timer running", span: gap, isGap: true, ticks: [] });
    pieces.push({
      id: part.id,
      title: part.title || "Timer",
      span: part.endedAt - part.startedAt,
      isGap: false,
      ticks: intervalTicks(part),
    });
    lastEnd = lastEnd === null || part.endedAt > lastEnd ? part.endedAt : lastEnd;
  }
  return {
    pieces,
    length: scheduleLength(datedSchedule, rosterSize),
    offsets: new Map(
      partsInOrder(datedSchedule).flatMap((part) =>
        part.startedAt === null ? [] : [[part.id, part.startedAt - sessionStart] as const],
      ),
    ),
    isDated,
  };
}

/** The offset of a part in whole seconds, from milliseconds. */
export const offsetSeconds = (offset: number): number => Math.round(offset / SECOND);

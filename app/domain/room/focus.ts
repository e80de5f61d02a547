// The focus part of a running session: chat rests while it runs. Pure; room and pages ask the same function.

import { advanceSchedule } from "~/domain/schedule/advance";
import { partPlaces, type Schedule } from "~/domain/schedule/shape";
import type { Instant } from "~/domain/time";
import { rosterOf } from "./room";

export type Focus = { title: string; endsAt: Instant };

type RunningRoom = { schedule: Schedule; participants: Parameters<typeof rosterOf>[0]["participants"] };

/**
 * The focus part that runs at `now`, or null; of several, the one that ends last. A paused part does not run. The
 * caller has checked that the session is in progress.
 */
export function focusAt({ schedule, participants }: RunningRoom, now: Instant): Focus | null {
  if (!partPlaces(schedule).some(({ part }) => part.isFocus)) return null;
  const { schedule: current } = advanceSchedule(schedule, { now, roster: rosterOf({ participants }) });
  const runningParts = partPlaces(current).flatMap(({ part, number }) =>
    part.isFocus && part.state === "running" && part.endedAt !== null
      ? { title: part.title || `Timer ${number}`, endsAt: part.endedAt }
      : [],
  );
  return runningParts.reduce<Focus | null>(
    (last, focus) => (last && last.endsAt >= focus.endsAt ? last : focus),
    null,
  );
}

export const restsSentence = ({ title }: Focus): string => `Chat rests while ${title} runs.`;

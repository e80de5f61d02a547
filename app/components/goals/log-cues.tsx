// Plays the cues of a goal's interval timer while its page is open. Loaded with the first such timer.
import { useLocation } from "@remix-run/react";
import { useMemo } from "react";
import type { GoalTimer } from "~/domain/goals/goals";
import type { LogShown } from "~/domain/goals/logs";
import { scheduleOfLog } from "~/domain/goals/schedule-of-log";
import { useCues } from "~/hooks/room/use-cues";

const EMPTY_ROSTER: readonly string[] = [];

/** It announces nothing to screen readers, because the timer's face does. */
export function LogCues({ log, timer }: { log: LogShown; timer: GoalTimer | null }) {
  const { pathname } = useLocation();
  const schedule = useMemo(() => scheduleOfLog(log, timer), [log, timer]);
  const title = log.goal?.title ?? log.title;
  const session = { roster: EMPTY_ROSTER, me: null, startsAt: null, endsAt: null };
  useCues({ ...session, title, schedule, isRunning: true, path: pathname });
  return null;
}

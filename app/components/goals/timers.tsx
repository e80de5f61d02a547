// The timers of a goal: each starts a log that runs for its duration, interval by interval (T-14).
import { PlainForm } from "~/components/form/plain-form";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { formatDuration } from "~/domain/duration-text";
import type { GoalTimer } from "~/domain/goals/goals";
import type { LogShown } from "~/domain/goals/logs";
import { RunningClock } from "./running-line";

type Props = {
  timers: readonly GoalTimer[];
  goalId: number;
  onStart: (timer: GoalTimer) => void;
  /** The goal's open timed log, which is shown at the timer that started it. */
  openLog: LogShown | undefined;
  /** True while a log of the goal runs, because it may have only one (S-13), and while a press is under way. */
  isDisabled: boolean;
};

export function GoalTimers({ timers, goalId, onStart, openLog, isDisabled }: Props) {
  return (
    <ul aria-label="Timers" className="flex flex-col gap-2">
      {timers.map((timer) => (
        <li
          key={timer.uuid}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2"
        >
          <div className="min-w-0 flex-1">
            <p className="font-semibold">
              {timer.title || "Timer"}{" "}
              <span className="tabular text-soft">{formatDuration(timer.duration)}</span>
            </p>
            {timer.isInterval && (
              <p className="text-sm text-soft">
                {timer.timers
                  .map(({ title, duration }) => `${title || "Interval"} ${formatDuration(duration)}`)
                  .join(", ")}
                {timer.sets > 1 ? ` × ${timer.sets}` : ""}
              </p>
            )}
          </div>
          {openLog?.timerUuid === timer.uuid ? (
            <RunningClock log={openLog} />
          ) : (
            <PlainForm
              fields={{ intent: "log.begin", goal: goalId, timer: timer.uuid }}
              onPress={() => onStart(timer)}
            >
              <Button type="submit" aria-disabled={isDisabled || undefined}>
                <Icon name="timer" />
                Start
              </Button>
            </PlainForm>
          )}
        </li>
      ))}
    </ul>
  );
}

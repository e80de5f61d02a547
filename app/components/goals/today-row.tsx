// A row of Today: a goal with its buttons, or a running or paused log with its clock.
import { Link } from "@remix-run/react";
import { useMemo } from "react";
import { PlainForm } from "~/components/form/plain-form";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { formatClock } from "~/domain/duration-text";
import type { QuickLogButton } from "~/domain/goals/goals";
import { elapsedAt, isRunning } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { buttonLabel } from "~/domain/goals/measure-text";
import type { TodayGoal } from "~/domain/goals/today";
import { buttonsOfDay, progressText } from "~/domain/goals/today-row";
import type { Reader } from "~/domain/numbers";
import { useFlips } from "~/hooks/use-now";
import { useReader, useShell } from "~/hooks/use-shell";
import { EndCues } from "./end-cues";
import { buttonFields } from "./quick-log-buttons";
import { useLogMoves } from "./use-log-moves";
import { ownTarget, useLogging } from "./use-logging";

/** The path to which the forms post, from Home too. */
export const GOALS_PATH = "/my/goals";

const ROW = "flex min-h-14 flex-wrap items-center gap-2 border-b border-line py-1";

const TitleLink = ({ to, title, facts }: { to: string; title: string; facts: string }) => (
  <div className="min-w-0 flex-1 basis-20">
    <Link to={to} prefetch="intent" className="block truncate font-semibold text-ink hover:underline">
      {title}
    </Link>
    {facts && <p className="tabular truncate text-sm text-soft">{facts}</p>}
  </div>
);

type RowProps = {
  goal: TodayGoal;
  /** The open logs of all goals. */
  openLogs: readonly LogShown[];
  isGlowing: boolean;
  soundsCues: boolean;
};

export function TodayRow({ goal, openLogs, isGlowing, soundsCues }: RowProps) {
  const reader = useReader();
  const { viewer } = useShell();
  const serverState = useMemo(
    () => ({ totals: goal.totals, openLogs: openLogs.filter(({ goalId }) => goalId === goal.id) }),
    [goal, openLogs],
  );
  const logging = useLogging(goal, serverState, ownTarget(goal.id), viewer?.username ?? "");
  const { progress, isBusy } = logging;
  const [log] = progress.openLogs;
  const isReached = goal.place === "reached";
  const buttons = isReached ? [] : buttonsOfDay(goal, progress.totals);
  return (
    <li className={ROW}>
      <TitleLink
        to={`${GOALS_PATH}/${goal.id}`}
        title={goal.title}
        facts={factsOf(goal, progress.totals, reader).join(" · ")}
      />
      {log ? (
        <LogClock log={log} soundsCues={soundsCues} />
      ) : buttons.length === 0 ? (
        <span className="text-pine">
          <Icon name="check" />
          <span className="sr-only">Done</span>
        </span>
      ) : (
        <>
          {buttons.map((button, index) => (
            <PlainForm
              key={buttonLabel(button, goal.unit, reader)}
              action={GOALS_PATH}
              fields={buttonFields(goal.id, button, reader)}
              onPress={() => logging.press(button)}
            >
              <Button
                type="submit"
                variant={isGlowing && index === buttons.length - 1 ? "primary" : "quiet"}
                className="px-3"
                aria-label={`${labelOf(button, goal, reader)}, ${goal.title}`}
                aria-disabled={isBusy || undefined}
              >
                {isSingleCount(button, goal) && <Icon name="check" />}
                <span className="line-clamp-2 max-w-36 wrap-anywhere">{labelOf(button, goal, reader)}</span>
              </Button>
            </PlainForm>
          ))}
          <PlainForm
            action={GOALS_PATH}
            fields={{ intent: "log.begin", goal: goal.id }}
            onPress={() => logging.begin()}
          >
            <Button
              type="submit"
              variant="ghost"
              size="icon"
              aria-label={`Start ${goal.title}`}
              aria-disabled={isBusy || undefined}
            >
              <Icon name="play" />
            </Button>
          </PlainForm>
        </>
      )}
    </li>
  );
}

const isSingleCount = (button: QuickLogButton, { unit }: TodayGoal): boolean =>
  !button.uuid && button.amount === 1000 && unit === "";

function labelOf(button: QuickLogButton, goal: TodayGoal, reader: Reader): string {
  if (isSingleCount(button, goal)) return "Done";
  const label = buttonLabel(button, goal.unit, reader);
  return button.uuid ? label : `+${label}`;
}

function factsOf(goal: TodayGoal, totals: TodayGoal["totals"], reader: Reader): string[] {
  const { week, streak, daysLeft } = goal;
  return [
    progressText(goal, totals, reader),
    week ? `${week.done} of ${week.asked} this week` : "",
    streak
      ? `${streak.current}${streak.isLowerBound ? "+" : ""} ${streak.unit}${streak.current === 1 ? "" : "s"} in a row`
      : "",
    daysLeft === null ? "" : `${daysLeft} ${daysLeft === 1 ? "day" : "days"} at this pace`,
  ].filter(Boolean);
}

/** The clock of a log, Pause or Resume, and Done. */
function LogClock({ log: serverLog, soundsCues }: { log: LogShown; soundsCues: boolean }) {
  const { log, move, isBusy } = useLogMoves(serverLog);
  const isMoving = isRunning(log);
  const clock = useFlips((now) => formatClock(elapsedAt(log, now)), { isMoving }).value;
  const title = log.title || log.goal?.title || "Progress";
  const nextMove = isMoving ? "pause" : "start";
  return (
    <>
      {soundsCues && <EndCues log={log} timer={null} />}
      {/* This part hydrates a moment after the page, when the clock already shows another time. */}
      <span className="tabular text-lg" role="timer" aria-live="off" suppressHydrationWarning>
        {clock}
        {!isMoving && <span className="block text-sm leading-none text-soft">Paused</span>}
      </span>
      {log.goalId !== null && (
        <PlainForm
          action={GOALS_PATH}
          fields={{ intent: `log.${nextMove}`, log: log.id }}
          onPress={() => move(nextMove)}
        >
          <Button
            type="submit"
            size="icon"
            variant="ghost"
            aria-label={`${isMoving ? "Pause" : "Resume"} ${title}`}
            aria-disabled={isBusy || undefined}
          >
            <Icon name={isMoving ? "pause" : "play"} />
          </Button>
        </PlainForm>
      )}
      <PlainForm
        action={GOALS_PATH}
        fields={{ intent: "log.done", log: log.id }}
        onPress={() => move("complete")}
      >
        <Button
          type="submit"
          variant={isMoving ? "primary" : "quiet"}
          className="px-3"
          aria-label={`Done, ${title}`}
          aria-disabled={isBusy || undefined}
        >
          Done
        </Button>
      </PlainForm>
    </>
  );
}

/** A log whose goal is not among those of today. */
export const TodayLogRow = ({ log, soundsCues }: { log: LogShown; soundsCues: boolean }) => (
  <li className={ROW}>
    <TitleLink to="/my/logs" title={log.title || "Progress"} facts="" />
    <LogClock log={log} soundsCues={soundsCues} />
  </li>
);

// A log in a list: measures, state, time, and its owner's controls. It is edited in place.
import { Link } from "@remix-run/react";
import clsx from "clsx";
import { type Ref, startTransition } from "react";
import { PlainForm } from "~/components/form/plain-form";
import { Icon } from "~/components/pictures/icon";
import { Avatar } from "~/components/ui/avatar";
import { Badge, type Tone } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { FoldedProse } from "~/components/ui/prose";
import { DayName, Time } from "~/components/ui/time";
import { type Day, dayAt } from "~/domain/days";
import { measuresOf } from "~/domain/goals/listed-log";
import { elapsedAt, isRunning, LOG_STATUS } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { deedText, statusText } from "~/domain/goals/measure-text";
import { nameOfSeat } from "~/domain/room/guest-names";
import { useInlineEdit } from "~/hooks/form/use-inline-edit";
import { useFlips } from "~/hooks/use-now";
import { useReader, useShell } from "~/hooks/use-shell";
import { LogControls } from "./log-controls";
import { LogEditForm } from "./log-forms";
import { RowTools } from "./row-tools";
import { useLogMoves } from "./use-log-moves";

export type LogRowProps = {
  log: LogShown;
  day: Day;
  /** The first log of a day shows the day's name. */
  isFirstOfDay: boolean;
  /** The owner's controls: Start/Pause/Done, edit, delete. */
  canControl: boolean;
  /** Shows the participant's name, in a session. */
  showsAuthor?: boolean;
  /** The link of the goal's title. */
  goalPath?: string | null;
  /** The page shows the goal's title already, so the log's own title comes first. */
  isOnGoalPage?: boolean;
  /** Opened by the URL, `?edit={id}`, without JavaScript. */
  startsEditing?: boolean;
};

const TONES: Record<LogShown["status"], Tone> = {
  [LOG_STATUS.active]: "ember",
  [LOG_STATUS.done]: "pine",
  [LOG_STATUS.paused]: "dusk",
  [LOG_STATUS.stopped]: "neutral",
};

export function LogRow(props: LogRowProps) {
  const { log: serverLog, day, isFirstOfDay, canControl, startsEditing = false } = props;
  const { log, move, isBusy } = useLogMoves(serverLog);
  const { isEditing, setEditing, pencil, isOpenedByPress } = useInlineEdit(startsEditing);
  return (
    <li
      className={clsx(
        "log-row",
        isRunning(log) ? "z-1 rounded-lg border-b border-ember ring-1 ring-ember" : "border-line",
      )}
    >
      <div className="flex flex-col sm:flex-row sm:gap-4">
        <p className="shrink-0 pt-2 text-sm text-soft empty:pt-0 sm:w-26 sm:leading-6">
          {isFirstOfDay && <DayName day={day} />}
        </p>
        <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3">
          <LogText {...props} log={log} />
          {canControl && !isEditing && (
            <LogTools
              log={log}
              onEdit={() => startTransition(() => setEditing(true))}
              onReset={() => move("reset")}
              pencil={pencil}
            />
          )}
        </div>
      </div>
      {log.contentHtml && !isEditing && (
        <div className="relative z-1 pb-2 sm:ms-30">
          <FoldedProse html={log.contentHtml} />
        </div>
      )}
      {isEditing ? (
        <LogEditForm
          log={log}
          takesFocus={isOpenedByPress}
          onDone={() => setEditing(false)}
          onCancel={() => setEditing(false)}
        />
      ) : (
        canControl &&
        log.status !== LOG_STATUS.done && (
          <div className="relative z-1 pb-2 sm:ms-30">
            <LogControls log={log} onMove={move} isBusy={isBusy} isQuiet={!isRunning(log)} />
          </div>
        )
      )}
    </li>
  );
}

/** Measures, state and time. Done is the normal state, so only other states are shown. */
function LogText({ log, day, showsAuthor = false, goalPath = null, isOnGoalPage = false }: LogRowProps) {
  const { timeZone } = useShell();
  const reader = useReader();
  const measures = useFlips((now) => measuresOf(log, elapsedAt(log, now), reader), {
    isMoving: isRunning(log),
  }).value;
  const deed = deedText(log.action, measures);
  const goalTitle = isOnGoalPage ? "" : (log.goal?.title ?? "");
  const title = log.title || goalTitle || deed || "Progress";
  // A backdated log has a day, but no time.
  const isBackdated = dayAt(log.createdAt, timeZone) !== day;
  return (
    <>
      {showsAuthor && <Avatar name={log.username} size={32} className="my-2" />}
      <div className="flex min-w-0 flex-1 basis-36 flex-col py-1.5">
        {showsAuthor && <p className="text-sm text-soft">{nameOfSeat(log)}</p>}
        <p className="tabular font-semibold">
          {goalPath && log.goal ? (
            <Link to={goalPath} prefetch="intent" className="card-link rounded-md">
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        <p className="tabular flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          {deed && title !== deed && <span>{deed}</span>}
          {goalTitle && goalTitle !== title && <span>{goalTitle}</span>}
          {!isBackdated && <Time at={log.createdAt} look="time" />}
          {log.status === LOG_STATUS.done ? (
            <span className="sr-only">{statusText(log)}</span>
          ) : (
            <Badge tone={TONES[log.status]}>{statusText(log)}</Badge>
          )}
        </p>
      </div>
    </>
  );
}

type ToolsProps = { log: LogShown; onEdit: () => void; onReset: () => void; pencil: Ref<HTMLAnchorElement> };

function LogTools({ log, onEdit, onReset, pencil }: ToolsProps) {
  const canReset = log.isTimed && log.goalId !== null && log.status !== LOG_STATUS.active;
  return (
    <RowTools
      noun="log"
      id={log.id}
      onEdit={onEdit}
      pencil={pencil}
      warning="It no longer counts for the goal. This cannot be undone."
      className="card-action -me-2 flex sm:-me-3"
    >
      {canReset && (
        <PlainForm fields={{ intent: "log.reset", log: log.id }} onPress={onReset}>
          <Button type="submit" variant="ghost" size="icon" aria-label="Reset the timer to zero">
            <Icon name="reset" />
          </Button>
        </PlainForm>
      )}
    </RowTools>
  );
}

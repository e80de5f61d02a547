// A log in a list: what it was, how it stands, when; its owner's controls. Editing happens in place.
import { Link } from "@remix-run/react";
import { useState } from "react";
import { RowTools } from "~/components/my/row-tools";
import { Icon } from "~/components/pictures/icon";
import { Badge, type Tone } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { useHeading } from "~/components/ui/heading-level";
import { ReadMore } from "~/components/ui/read-more";
import { DayText, Time } from "~/components/ui/time";
import { dayAt } from "~/domain/days";
import { elapsedAt, isRunning, LOG_STATUS, type LogShown } from "~/domain/logs";
import { logMeasures, statusText } from "~/domain/measure-text";
import { useFlips } from "~/hooks/use-now";
import { useShell } from "~/hooks/use-shell";
import { LogControls } from "./log-controls";
import { LogEditForm } from "./log-form";
import { PlainForm } from "./plain-form";
import { useLogMoves } from "./use-log-moves";

export type LogRowProps = {
  log: LogShown;
  /** The owner's controls: Start/Pause/Done, edit, delete. */
  canControl: boolean;
  /** Names who logged, in a session. */
  showsWho?: boolean;
  /** Where the goal's title leads; null: it is not shown (on the goal's own page). */
  goalPath?: string | null;
  /** Opened by the address, `?edit={id}`, without JavaScript. */
  startsEditing?: boolean;
};

const TONES: Record<number, Tone> = { 1: "ember", 2: "pine", 3: "dusk", 4: "neutral" };

export function LogRow({
  log: server,
  canControl,
  showsWho = false,
  goalPath = null,
  startsEditing = false,
}: LogRowProps) {
  const { log, move, isBusy } = useLogMoves(server);
  const [isEditing, setEditing] = useState(startsEditing);
  const Heading = useHeading();
  const title = log.title || log.goal?.title || log.action || "Progress";
  return (
    <Card as="li" isGlowing={isRunning(log)} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-col gap-0.5">
          {showsWho && <p className="text-sm font-semibold">{log.username}</p>}
          <Heading className="text-lg">
            {goalPath && log.goal ? (
              <Link to={goalPath} prefetch="intent" className="rounded-sm hover:underline">
                {title}
              </Link>
            ) : (
              title
            )}
          </Heading>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
            <span>
              {log.action} <Measures log={log} />
            </span>
          </p>
          {log.title && log.goal && log.goal.title !== log.title && (
            <p className="text-sm text-soft">{log.goal.title}</p>
          )}
        </div>
        <div className="flex items-center gap-3 text-sm text-soft">
          <Badge tone={TONES[log.status] ?? "neutral"}>{statusText(log)}</Badge>
          <LogTime log={log} />
          {canControl && !isEditing && (
            <LogTools log={log} onEdit={() => setEditing(true)} onReset={() => move("reset")} />
          )}
        </div>
      </div>
      {log.contentHtml && !isEditing && (
        <ReadMore>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised on write (D-01). */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: log.contentHtml }} />
        </ReadMore>
      )}
      {isEditing ? (
        <LogEditForm log={log} onDone={() => setEditing(false)} onCancel={() => setEditing(false)} />
      ) : (
        canControl && <LogControls log={log} onMove={move} isBusy={isBusy} isQuiet={!isRunning(log)} />
      )}
    </Card>
  );
}

function Measures({ log }: { log: LogShown }) {
  const text = useFlips((now) => logMeasures(log, log.goal?.unit ?? "", elapsedAt(log, now))).value;
  return <span className="tabular">{text}</span>;
}

function LogTools({ log, onEdit, onReset }: { log: LogShown; onEdit: () => void; onReset: () => void }) {
  const canReset = log.isTimed && log.status !== LOG_STATUS.active;
  return (
    <RowTools
      what="log"
      id={log.id}
      onEdit={onEdit}
      warning="What it counted is taken back from the goal. This cannot be undone."
      className="-my-2 flex text-ink"
    >
      {canReset && (
        <PlainForm fields={{ intent: "log.reset", log: log.id }} onPress={onReset}>
          <Button type="submit" variant="ghost" size="icon" aria-label="Reset to nothing elapsed">
            <Icon name="reset" />
          </Button>
        </PlainForm>
      )}
    </RowTools>
  );
}

/** When it was; of what was written down later only the day is known. */
function LogTime({ log }: { log: LogShown }) {
  const { timeZone } = useShell();
  // An example, and a log that is only shown in advance, have no day yet.
  const isOfThatDay = log.day === "" || dayAt(log.createdAt, timeZone) === log.day;
  return isOfThatDay ? <Time at={log.createdAt} /> : <DayText day={log.day} />;
}

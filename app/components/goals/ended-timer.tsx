// The line about an interval timer that ended by itself, with Undo and a button that logs the time until now.
import { ButtonForm } from "~/components/form/button-form";
import { Button } from "~/components/ui/button";
import { formatDuration } from "~/domain/duration-text";
import { type LogShown, spanUntil } from "~/domain/goals/logs";
import { useFlips } from "~/hooks/use-now";

export function EndedTimer({ log }: { log: LogShown }) {
  const span = useFlips((now) => spanUntil(log, now)).value;
  if (span === null) return null;
  const title = log.title || "The timer";
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
      <p>
        {title} is over. <strong>{`Logged ${formatDuration(log.duration ?? 0)}`}</strong>
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonForm fields={{ intent: "log.delete", log: log.id }}>
          {(isBusy) => (
            <Button type="submit" isLoading={isBusy}>
              Undo
            </Button>
          )}
        </ButtonForm>
        {span > (log.duration ?? 0) && (
          <ButtonForm fields={{ intent: "log.span", log: log.id, duration: formatDuration(span) }}>
            {(isBusy) => <Button type="submit" isLoading={isBusy}>{`It was ${formatDuration(span)}`}</Button>}
          </ButtonForm>
        )}
      </div>
    </div>
  );
}

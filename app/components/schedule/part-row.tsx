// A part in the editor's list: a summary line, its buttons, and its fields while it is open (U-16).

import clsx from "clsx";
import type { ReactNode } from "react";
import { Icon } from "~/components/pictures/icon";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { FieldErrors } from "~/components/ui/field";
import { Time } from "~/components/ui/time";
import { formatFormDate } from "~/domain/date-text";
import { formatDuration } from "~/domain/duration-text";
import { kindOf, PART_KINDS, partSpan } from "~/domain/schedule/part-kinds";
import type { PartPlace } from "~/domain/schedule/shape";
import { instant } from "~/domain/time";
import { newId, problemsAt, usePartEditor } from "./editor-context";
import { PartFields } from "./part-fields";
import { offsetSeconds } from "./timeline";

export function PartRow({
  place,
  handle,
  isLifted,
}: {
  place: PartPlace;
  handle: ReactNode;
  isLifted?: boolean;
}) {
  const editing = usePartEditor();
  const { state, dispatch, timeline, openParts, toggle, timeZone } = editing;
  const { part, number } = place;
  const partId = part.id;
  const name = part.title || `Timer ${number}`;
  const isOpen = openParts.has(partId);
  const problems = problemsAt(editing, partId);
  const offset = timeline.offsets.get(partId);
  const { sessionStart } = state.plan;
  const dayOf = (at: number) => formatFormDate(instant(at), timeZone).slice(0, 10);
  const isSameDay =
    sessionStart !== null && part.startedAt !== null && dayOf(part.startedAt) === dayOf(sessionStart);
  const isFirst = number === 1;
  const isLast = number === countParts(state.schedule.groups);
  return (
    <div
      className={clsx(
        "flex flex-col gap-3 rounded-md border bg-surface p-2 sm:p-3",
        problems.length > 0 ? "border-red" : "border-line",
        isLifted && "shadow-float",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {handle}
        <div className="min-w-0 flex-1 basis-40">
          <p className="flex items-baseline gap-2">
            <span className="tabular text-sm text-faint">{number}</span>
            <span className="truncate font-semibold">{name}</span>
          </p>
          <p className="tabular flex flex-wrap items-center gap-x-2 text-sm text-soft">
            <span>{formatDuration(partSpan(part, state.plan.rosterSize))}</span>
            {part.startedAt !== null ? (
              <span>
                {"· "}
                <Time at={part.startedAt} look={isSameDay ? "time" : "short"} />
              </span>
            ) : offset !== undefined && !timeline.isDated ? (
              <span>· {offset === 0 ? "at the start" : `+${formatDuration(offsetSeconds(offset))}`}</span>
            ) : (
              <span>· no date yet</span>
            )}
            {PART_KINDS[kindOf(part)].badges(part).map((badge) => (
              <Badge key={badge}>{badge}</Badge>
            ))}
            {part.isFocus && <Badge>Quiet</Badge>}
          </p>
        </div>
        <div className="flex flex-wrap">
          <Button
            size="icon"
            variant="ghost"
            data-focus={`${partId}:up`}
            aria-label={`Move ${name} up`}
            aria-disabled={isFirst || undefined}
            className={clsx(isFirst && "opacity-45")}
            onClick={() => dispatch({ type: "step-part", partId, by: -1 })}
          >
            <Icon name="arrow-up" />
          </Button>
          <Button
            size="icon"
            variant="ghost"
            data-focus={`${partId}:down`}
            aria-label={`Move ${name} down`}
            aria-disabled={isLast || undefined}
            className={clsx(isLast && "opacity-45")}
            onClick={() => dispatch({ type: "step-part", partId, by: 1 })}
          >
            <Icon name="arrow-down" />
          </Button>
          <Button
            size="icon"
            variant="ghost"
            aria-label={`Duplicate ${name}`}
            onClick={() => dispatch({ type: "duplicate-part", partId, newId: newId() })}
          >
            <Icon name="copy" />
          </Button>
          <Button
            size="icon"
            variant="ghost"
            aria-label={`Remove ${name}`}
            onClick={() => dispatch({ type: "remove-part", partId })}
          >
            <Icon name="delete" />
          </Button>
          <Button
            size="icon"
            variant="ghost"
            data-focus={isOpen ? undefined : partId}
            aria-label={`Edit ${name}`}
            aria-expanded={isOpen}
            onClick={() => toggle(partId, !isOpen)}
          >
            <Icon name={isOpen ? "up" : "edit"} />
          </Button>
        </div>
      </div>
      {isOpen ? <PartFields place={place} /> : <FieldErrors error={problems} />}
    </div>
  );
}

const countParts = (groups: readonly { type: string; parts: readonly unknown[] }[]): number =>
  groups.reduce((sum, group) => sum + (group.type === "event" ? group.parts.length : 0), 0);

// The list of a session's parts with their states; people who run the session can start each part.

import clsx from "clsx";
import { useMemo } from "react";
import { Icon } from "~/components/pictures/icon";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Time } from "~/components/ui/time";
import { formatDuration } from "~/domain/duration-text";
import { kindOf, PART_KINDS, partSpan } from "~/domain/schedule/part-kinds";
import { layParts } from "~/domain/schedule/plan";
import { hasBegun, type Part, partPlaces } from "~/domain/schedule/shape";
import type { PartOrder } from "~/domain/schedule/skip-and-back";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import { instant, MINUTE } from "~/domain/time";
import { useNow } from "~/hooks/use-now";
import { useLive } from "../room/live-context";
import { useLiveSchedule } from "../room/use-live-schedule";

const STATE_WORDS: Record<Part["state"], string> = {
  waiting: "",
  running: "running",
  paused: "paused",
  finished: "done",
};

/** The order that people who run the session may give to a part in this state. */
const ORDERS = {
  waiting: { type: "start", verb: "Start", suffix: " now", icon: "play" },
  running: undefined,
  paused: undefined,
  finished: { type: "reset", verb: "Reset", suffix: "", icon: "reset" },
} as const;

export type PartsListProps = {
  status: SessionStatus;
  mayRun: boolean;
  onOrders?: ((orders: PartOrder[]) => void) | undefined;
};

export function PartsList({ status, mayRun, onOrders }: PartsListProps) {
  const room = useLive("room");
  const { schedule, roster, at } = useLiveSchedule(room, status === SESSION_STATUS.running);
  const coarseNow = useNow(MINUTE / 4);
  const now = instant(Math.max(at, coarseNow));
  const rosterSize = Math.max(1, roster.length);
  const layoutById = useMemo(
    () =>
      new Map(
        (status === SESSION_STATUS.running ? layParts(schedule, { rosterSize, now }) : []).map(
          ({ part, isHeldUp }) => [part.id, { part, isHeldUp }],
        ),
      ),
    [schedule, rosterSize, now, status],
  );
  const maySend = mayRun && onOrders !== undefined && status === SESSION_STATUS.running;
  const places = partPlaces(schedule).filter(
    ({ group, part }) => mayRun || !group.isHidden || hasBegun(part),
  );
  if (places.length === 0) return <p className="text-soft">This session has no timers of its own.</p>;
  return (
    <ol className="flex flex-col">
      {places.map(({ part, group, number }) => {
        const laidOutPart = layoutById.get(part.id)?.part ?? part;
        const isHeldUp = layoutById.get(part.id)?.isHeldUp ?? false;
        const order = maySend ? ORDERS[part.state] : undefined;
        const isNow = part.state === "running" || part.state === "paused";
        return (
          <li
            key={part.id}
            aria-current={isNow ? "step" : undefined}
            className={clsx("part-line", part.state === "finished" && "text-soft")}
          >
            <span
              className={clsx(
                "tabular part-number",
                isNow
                  ? "bg-glow text-on-ember"
                  : part.state === "finished"
                    ? "bg-pine-wash text-pine"
                    : "bg-sunken text-soft",
              )}
            >
              {part.state === "finished" ? <Icon name="check" className="size-4" /> : number}
            </span>
            <span className="part-name">
              <span className={clsx("truncate", isNow && "font-semibold")}>
                {part.title || `Timer ${number}`}
              </span>
              <span className="tabular part-times">
                <span>{formatDuration(Math.round(partSpan(part, rosterSize)))}</span>
                {PART_KINDS[kindOf(part)].summary(part).map((text) => (
                  <span key={text}>{text}</span>
                ))}
                {part.isFocus && <span>quiet, chat rests</span>}
                {group.sets > 1 && !group.isUnrolled && <span>{group.sets} times</span>}
              </span>
            </span>
            <span className="tabular text-sm text-soft">
              {STATE_WORDS[part.state] ? (
                <Badge
                  tone={part.state === "running" ? "ember" : part.state === "finished" ? "pine" : "neutral"}
                >
                  {STATE_WORDS[part.state]}
                </Badge>
              ) : status === SESSION_STATUS.ended ? (
                "not run"
              ) : isHeldUp && !group.isAutoStart ? (
                "when the host starts it"
              ) : laidOutPart.startedAt !== null ? (
                <Time at={laidOutPart.startedAt} look="auto" />
              ) : null}
            </span>
            {order && (
              <Button
                size="icon"
                variant="ghost"
                className="needs-script"
                aria-label={`${order.verb} ${part.title || `timer ${number}`}${order.suffix}`}
                onClick={() => onOrders?.([{ type: order.type, partId: part.id }])}
              >
                <Icon name={order.icon} />
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

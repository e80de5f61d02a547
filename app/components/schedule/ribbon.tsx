// A session as one proportional ribbon: parts in sequence, the current one glowing, intervals as ticks, pauses and
// waits hatched, and the next part with its time.
import clsx from "clsx";
import { useRef } from "react";
import { Time } from "~/components/ui/time";
import { spokenSpan } from "~/domain/spoken-span";
import type { Instant } from "~/domain/time";
import { useFlips, useFrame } from "~/hooks/use-now";
import { useReducedMotion } from "~/hooks/use-reduced-motion";
import type { FaceState } from "./timer-face";

export type RibbonPart = {
  id: string;
  title: string;
  /** Milliseconds; determines its share of the ribbon. */
  span: number;
  state: FaceState;
  /** A period without a part. */
  isGap?: boolean;
  /** The changes of interval, as shares of the part (0–1). */
  ticks?: readonly number[];
  /** The completed share of a running or paused part (0–1). Pure. */
  doneAt?: (now: Instant) => number;
};

export type ScheduleRibbonProps = {
  parts: readonly RibbonPart[];
  /** The next part, and its time (null if unknown). */
  next?: { title: string; at: Instant | null } | null;
  label?: string;
  /** On a phone the parts of a long ribbon are listed below it by their numbers. */
  isListed?: boolean;
  className?: string;
};

const STATE_TEXTS: Record<FaceState, string> = {
  waiting: "to come",
  running: "running now",
  paused: "paused",
  finished: "done",
};
/** Keeps a short part visible beside a long one. */
const MIN_SHARE = 0.012;
/** More parts are too short for their titles, so a phone lists them by their numbers. */
const MAX_NAMED_PARTS = 5;

export function ScheduleRibbon({
  parts,
  next,
  label = "Schedule",
  isListed,
  className,
}: ScheduleRibbonProps) {
  const totalSpan = parts.reduce((sum, part) => sum + part.span, 0);
  const partsWithoutGaps = parts.filter(({ isGap }) => !isGap);
  const isLong = partsWithoutGaps.length > MAX_NAMED_PARTS;
  return (
    <div className={clsx("flex w-full flex-col gap-2", className)}>
      <ol aria-label={label} className="ribbon">
        {parts.map((part) => (
          <li
            key={part.id}
            className={clsx("ribbon-part", `is-${part.state}`, part.isGap && "is-gap")}
            style={{ flexGrow: Math.max(part.span, totalSpan * MIN_SHARE) }}
            aria-current={part.state === "running" || part.state === "paused" ? "step" : undefined}
            title={part.isGap ? undefined : part.title}
          >
            {(part.state === "running" || part.state === "paused") && <RibbonFill part={part} />}
            {part.ticks?.map((tick) => (
              <span
                key={tick}
                aria-hidden="true"
                className="ribbon-tick"
                style={{ left: `${tick * 100}%` }}
              />
            ))}
            <span aria-hidden="true" className="ribbon-title">
              {part.title}
            </span>
            {!part.isGap && (
              <span aria-hidden="true" className="ribbon-number tabular">
                {partsWithoutGaps.indexOf(part) + 1}
              </span>
            )}
            <span className="sr-only">
              {part.title}, {spokenSpan(part.span)}, {STATE_TEXTS[part.state]}
            </span>
          </li>
        ))}
      </ol>
      {next && (
        <p className="flex justify-between gap-4 text-sm text-soft">
          <span className="min-w-0 truncate">
            Next: <span className="font-semibold text-ink">{next.title}</span>
            {next.at !== null && (
              <>
                {" at "}
                <Time at={next.at} look="time" />
              </>
            )}
          </span>
        </p>
      )}
      {isListed && isLong && (
        <ol aria-hidden="true" className="columns-2 gap-4 text-sm text-soft sm:hidden">
          {partsWithoutGaps.map((part, index) => (
            <li
              key={part.id}
              className={clsx("flex gap-2", part.state === "running" && "font-semibold text-ink")}
            >
              <span className="tabular w-5 shrink-0 text-end">{index + 1}</span>
              <span className="truncate">{part.title}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function RibbonFill({ part }: { part: RibbonPart }) {
  const fill = useRef<HTMLSpanElement>(null);
  const isStill = useReducedMotion();
  const doneAt = part.doneAt ?? (() => 0);
  const { value: percent } = useFlips((now) => Math.round(doneAt(now) * 100));
  useFrame(
    (now) => {
      if (fill.current) fill.current.style.width = `${(doneAt(now) * 100).toFixed(3)}%`;
    },
    !isStill && part.state === "running",
  );
  return <span ref={fill} aria-hidden="true" className="ribbon-fill" style={{ width: `${percent}%` }} />;
}

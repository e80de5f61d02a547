// The time of a session at the start of its card, for scanning the list: day and time of its start, or during the run
// the remaining time under a small arc of the timer face.
import type { ReactNode } from "react";
import { Icon } from "~/components/pictures/icon";
import { Countdown } from "~/components/schedule/countdown";
import { ARC_PATH, FACE } from "~/components/schedule/face-geometry";
import { Time } from "~/components/ui/time";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import { instant } from "~/domain/time";

export type SessionPlateProps = {
  session: { startedAt: number | null; endedAt: number | null };
  status: SessionStatus;
  now: number;
  /** By default day and time of the start. */
  timeLabel?: ReactNode;
};

export function SessionPlate({ session, status, now, timeLabel }: SessionPlateProps) {
  const { startedAt, endedAt } = session;
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 sm:w-36 sm:flex-col sm:items-center sm:gap-0.5 sm:text-center">
      {startedAt === null ? (
        <span className="hidden size-12 place-content-center rounded-full bg-dusk-wash text-dusk sm:grid">
          <Icon name="timer" className="is-large" />
        </span>
      ) : status === SESSION_STATUS.running && endedAt !== null ? (
        <>
          <Arc ratio={(endedAt - now) / Math.max(1, endedAt - startedAt)} />
          <Countdown to={instant(endedAt)} endText="00:00" />
          <span className="text-sm text-soft">left</span>
        </>
      ) : (
        (timeLabel ?? (
          <>
            <Time at={startedAt} look="day" className="text-sm font-semibold text-soft" />
            <Time
              at={startedAt}
              look="time"
              className="font-title text-lg font-bold whitespace-nowrap max-sm:order-first"
            />
          </>
        ))
      )}
    </div>
  );
}

/** The remaining share of the run as an arc, as on the timer face. */
function Arc({ ratio }: { ratio: number }) {
  const share = Math.min(1, Math.max(0.02, ratio));
  const arcProps = { d: ARC_PATH, fill: "none", strokeWidth: 20, strokeLinecap: "round" } as const;
  return (
    <svg
      viewBox={`-10 -6 ${FACE.width + 20} ${FACE.height + 10}`}
      className="w-8 overflow-visible sm:w-13"
      aria-hidden="true"
    >
      <path {...arcProps} stroke="var(--line)" />
      <path
        {...arcProps}
        stroke="var(--glow)"
        pathLength={1}
        strokeDasharray={`${share} 2`}
        className="lit"
      />
    </svg>
  );
}

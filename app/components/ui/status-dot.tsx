// The status of a session (U-40): colour, shape and word, never only colour.
import clsx from "clsx";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";

const states: Record<SessionStatus, { word: string; colour: string }> = {
  0: { word: "(Awaiting Participants)", colour: "text-dusk" },
  1: { word: "(In Progress)", colour: "text-pine" },
  2: { word: "(Ended)", colour: "text-red" },
};

export function StatusDot({
  status,
  isWordHidden,
  className,
}: {
  status: SessionStatus;
  isWordHidden?: boolean;
  className?: string;
}) {
  const { word, colour } = states[status];
  return (
    <span
      className={clsx("status-dot inline-flex items-center gap-1.5 text-sm font-semibold", colour, className)}
    >
      <svg viewBox="0 0 12 12" className="size-3 shrink-0" aria-hidden="true">
        {status === SESSION_STATUS.waiting && (
          <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="2.4" />
        )}
        {status === SESSION_STATUS.running && <circle cx="6" cy="6" r="5.7" fill="currentColor" />}
        {status === SESSION_STATUS.ended && <circle cx="6" cy="6" r="3" fill="currentColor" />}
      </svg>
      <span className={clsx(isWordHidden && "sr-only")}>{word}</span>
    </span>
  );
}

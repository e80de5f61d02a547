// The clock of the header: the newest log that runs, on every page; its code loads with the first one.
import { Link } from "@remix-run/react";
import { formatClock } from "~/domain/duration-text";
import type { RunningLog } from "~/domain/goals/log-state";
import { useClock } from "~/hooks/use-clock";
import { ClockContext, useFlips } from "~/hooks/use-now";

export default function ClockPill({ runningLog }: { runningLog: RunningLog }) {
  return (
    <ClockContext.Provider value={useClock()}>
      <Pill runningLog={runningLog} />
    </ClockContext.Provider>
  );
}

function Pill({ runningLog }: { runningLog: RunningLog }) {
  const { goalId, title, startedAt, elapsed, endsAt, count } = runningLog;
  const clock = useFlips((now) =>
    formatClock(elapsed + Math.max(0, Math.min(now, endsAt ?? now) - startedAt)),
  ).value;
  const othersText = count > 1 ? ` and ${count - 1} more` : "";
  return (
    <Link
      to={count > 1 ? "/my/goals" : goalId === null ? "/my/logs" : `/my/goals/${goalId}`}
      title={`${title || "Progress"}${othersText}`}
      className="tabular flex min-h-11 items-center gap-1.5 rounded-full border border-ember px-2.5 text-sm font-semibold whitespace-nowrap hover:bg-sunken"
    >
      <span className="sr-only">
        Running: {title || "progress"}
        {othersText},{" "}
      </span>
      {/* The pill hydrates a moment after the page, when the clock already shows another time. */}
      <span suppressHydrationWarning>{clock}</span>
      {count > 1 && <span aria-hidden="true">+{count - 1}</span>}
    </Link>
  );
}

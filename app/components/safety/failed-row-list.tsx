// Rows of jobs that failed: the job, the row, the number of tries and the last error (N-06).
import { Card } from "~/components/ui/card";
import { Time } from "~/components/ui/time";
import type { FailedRow } from "~/domain/notices/deliveries";

export function FailedRowList({ rows }: { rows: readonly FailedRow[] }) {
  return (
    <ul aria-label="Failed rows of jobs" className="flex max-w-3xl flex-col gap-3">
      {rows.map(({ job, row, tries, reason, at }) => (
        <Card as="li" key={`${job}:${row}`} className="flex flex-col gap-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <strong>{job}</strong> {row}
          </p>
          <p className="facts text-sm text-soft">
            <span>{tries === 1 ? "Failed once" : `Failed ${tries} times`}</span>
            <Time at={at} show="both" />
          </p>
          <p className="text-sm wrap-anywhere">{reason}</p>
        </Card>
      ))}
    </ul>
  );
}

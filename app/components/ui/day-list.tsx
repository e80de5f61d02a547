// Rows under the day on which each happens: every day is named once.
import { type ReactNode, useId } from "react";
import { type Day, dayAt } from "~/domain/days";
import { instant } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
import { useHeading } from "./heading-level";
import { DayName } from "./time";

type DayListProps<Row> = {
  rows: readonly Row[];
  /** Milliseconds; null for a row without a day. */
  at: (row: Row) => number | null;
  /** The heading of the rows without a day. */
  undated?: string;
  children: (row: Row) => ReactNode;
};

/** The days follow the order of the rows. */
export function DayList<Row>({ rows, at, undated, children }: DayListProps<Row>) {
  const { timeZone } = useShell();
  const days = new Map<Day | null, Row[]>();
  for (const row of rows) {
    const ms = at(row);
    const day = ms === null ? null : dayAt(instant(ms), timeZone);
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days].map(([day, dayRows]) => (
    <DaySection key={day ?? "none"} heading={day === null ? undated : <DayName day={day} />}>
      {dayRows.map(children)}
    </DaySection>
  ));
}

function DaySection({ heading, children }: { heading: ReactNode; children: ReactNode }) {
  const Heading = useHeading();
  const id = useId();
  return (
    <div>
      <Heading id={id} className="border-b border-line pb-1 text-sm font-semibold text-soft">
        {heading}
      </Heading>
      <ul aria-labelledby={id}>{children}</ul>
    </div>
  );
}

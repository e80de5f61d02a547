// The figures of the site for super admins: people, sessions, deliveries and open work of the last days. Each is a
// statement that reads a bounded number of rows, for the batch of the page.
import type { Database } from "#db/connect.server";
import * as queries from "#db/queries/safety/figures";
import { type Day, dayAt } from "~/domain/days";
import { type Figure, figureOf, firstDaysOf, spansBefore } from "~/domain/safety/figures";
import type { Instant } from "~/domain/time";

const { MAX_ROWS_READ, MAX_SEATS_READ } = queries;

export const figureQueries = (db: Database, now: Instant) =>
  [
    queries.countCreated(db, spansBefore(now)),
    queries.listSeatsTaken(db),
    queries.listDeliveriesIn(db, "waiting"),
    queries.listDeliveriesIn(db, "failed"),
    queries.listDecided(db, firstDaysOf(now).at(-1) ?? ""),
    queries.listFailureTimes(db),
    queries.listOpenReportTimes(db),
  ] as const;

type Created = Record<`${"users" | "sessions"}${"Day" | "Week" | "Month"}`, number>;
type Times = { at: Instant }[];
type Decided = { day: Day; state: "sent" | "dropped"; deliveries: number };
type Rows = [Created[], Times, Times, Times, Decided[], Times, Times];

/** The figures of the page, from the results of `figureQueries`. */
export function figuresFrom(
  [[created], seats, waiting, failed, decided, failedRows, reports]: Rows,
  now: Instant,
): Figure[] {
  const since = spansBefore(now);
  const exactFigure = (label: string, ...counts: (number | undefined)[]): Figure => ({
    label,
    counts: counts.map((count = 0) => ({ count, isLowerBound: false })),
  });
  const countDecided = (decidedState: Decided["state"]) =>
    firstDaysOf(now).map((first) =>
      decided
        .filter(({ day, state }) => state === decidedState && day >= first && day < dayAt(now, "UTC"))
        .reduce((sum, { deliveries }) => sum + deliveries, 0),
    );
  return [
    exactFigure("New users", created?.usersDay, created?.usersWeek, created?.usersMonth),
    exactFigure("New sessions", created?.sessionsDay, created?.sessionsWeek, created?.sessionsMonth),
    figureOf("Seats taken", seats, since, MAX_SEATS_READ),
    figureOf("Deliveries waiting", waiting, since, MAX_ROWS_READ),
    figureOf("Deliveries failed", failed, since, MAX_ROWS_READ),
    exactFigure("Deliveries sent, until last night", ...countDecided("sent")),
    exactFigure("Deliveries dropped, until last night", ...countDecided("dropped")),
    figureOf("Rows of jobs that failed", failedRows, since, MAX_ROWS_READ),
    figureOf("Open reports", reports, since, MAX_ROWS_READ),
  ];
}

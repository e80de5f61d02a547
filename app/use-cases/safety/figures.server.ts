// The figures of the site for super admins: people, sessions, deliveries and open work of the last days. Each is a
// statement that reads a bounded number of rows, for the batch of the page.
import type { Database } from "#db/connect.server";
import * as queries from "#db/queries/safety/figures";
import { type Day, dayAt } from "~/domain/days";
import { type Figure, figureOf, firstDaysOf, spansBefore } from "~/domain/safety/figures";
import type { Instant } from "~/domain/time";

const { MOST_ROWS, MOST_SEATS } = queries;

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

/** From the answers to `figureQueries`. */
export function figuresFrom(
  [[created], seats, waiting, failed, decided, jobs, reports]: Rows,
  now: Instant,
): Figure[] {
  const since = spansBefore(now);
  const exact = (label: string, ...counts: (number | undefined)[]): Figure => ({
    label,
    counts: counts.map((count = 0) => ({ count, isLeast: false })),
  });
  const decidedAs = (decidedState: Decided["state"]) =>
    firstDaysOf(now).map((first) =>
      decided
        .filter(({ day, state }) => state === decidedState && day >= first && day < dayAt(now, "UTC"))
        .reduce((sum, { deliveries }) => sum + deliveries, 0),
    );
  return [
    exact("New users", created?.usersDay, created?.usersWeek, created?.usersMonth),
    exact("New sessions", created?.sessionsDay, created?.sessionsWeek, created?.sessionsMonth),
    figureOf("Seats taken", seats, since, MOST_SEATS),
    figureOf("Deliveries waiting", waiting, since, MOST_ROWS),
    figureOf("Deliveries failed", failed, since, MOST_ROWS),
    exact("Deliveries sent, until last night", ...decidedAs("sent")),
    exact("Deliveries dropped, until last night", ...decidedAs("dropped")),
    figureOf("Rows of jobs that failed", jobs, since, MOST_ROWS),
    figureOf("Open reports", reports, since, MOST_ROWS),
  ];
}

// Runs a job row by row: a row that fails stops no other, is counted, and enters the failed list (N-06).
import { recordFailedRow } from "#db/queries/failed-rows";
import { logLine } from "~/domain/log-line";
import type { App } from "./app.server";

type Outcome<Row, Result> = { row: Row; result: Result } | { row: Row; error: unknown };

/** Works on every row, `atOnce` at a time, and returns the outcomes in the order of the rows. It never throws. */
export async function settleEachRow<Row, Result>(
  rows: readonly Row[],
  work: (row: Row) => Result | Promise<Result>,
  atOnce = 1,
): Promise<Outcome<Row, Result>[]> {
  const outcomes: Outcome<Row, Result>[] = [];
  for (let first = 0; first < rows.length; first += atOnce)
    outcomes.push(
      ...(await Promise.all(
        rows.slice(first, first + atOnce).map(async (row): Promise<Outcome<Row, Result>> => {
          try {
            return { row, result: await work(row) };
          } catch (error) {
            return { row, error };
          }
        }),
      )),
    );
  return outcomes;
}

type Work<Row, Result> = {
  /** The job's name in the failed list. */
  job: string;
  /** The row's name in that list. */
  nameOf(row: Row): string | number;
  atOnce?: number;
  runRow(row: Row): Result | Promise<Result>;
  /** Runs after a failure, for example to set the time of a later try. */
  whenFailed?(row: Row, error: unknown): unknown;
};

/** Works on every row of a job of cron or the queue; failed rows are logged and listed for super admins. */
export async function runEachRow<Row, Result>(
  app: Pick<App, "db" | "now">,
  rows: readonly Row[],
  { job, nameOf, atOnce, runRow, whenFailed }: Work<Row, Result>,
): Promise<{ done: { row: Row; result: Result }[]; failed: { row: Row; error: unknown }[] }> {
  const outcomes = await settleEachRow(rows, runRow, atOnce);
  const succeeded = outcomes.flatMap((outcome) => ("error" in outcome ? [] : [outcome]));
  const failed = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome] : []));
  for (const { row, error } of failed) {
    const name = String(nameOf(row));
    const reason = String(error).slice(0, 200);
    console.error(logLine({ event: "row-failed", job, row: name, error: reason }));
    const followUps = await settleEachRow<() => unknown, unknown>(
      [
        () => recordFailedRow(app.db, { job, row: name, reason, at: app.now }),
        () => whenFailed?.(row, error),
      ],
      (writeLog) => writeLog(),
    );
    // The next run reads the row again, whether or not these follow-ups were written.
    for (const outcome of followUps)
      if ("error" in outcome)
        console.error(
          logLine({ event: "row-failure-not-kept", job, error: String(outcome.error).slice(0, 200) }),
        );
  }
  return { done: succeeded, failed };
}

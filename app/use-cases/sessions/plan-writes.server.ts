// Writes the start, end, title and plan of a session that has not begun, which people and calendars know. Every change
// records the causes of its notices, whoever makes it (F-21, R-64, R-65).
import { runBatch, type Statement } from "#db/connect.server";
import { recordSessionChange } from "#db/queries/sessions/calendar-invites";
import type { SessionRow } from "#db/queries/sessions/sessions";
import type { SessionChanges } from "#db/queries/sessions/writes";
import * as sessionWrites from "#db/queries/sessions/writes";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { calendarCause } from "~/use-cases/sessions/calendar-invites.server";
import { planStartChange } from "./start-changes.server";

type OtherStatements = {
  /** Statements before the change, each under a condition of its own; `causes` are to wake after the batch. */
  before?: readonly Statement[];
  causes?: readonly { id: string }[];
  /** Statements after the change. In the first one, `changes()` tells whether the change was made. */
  after?: readonly Statement[];
};

/** Writes the change and returns the row after it; null when the record has changed since it was read. */
export async function writePlan(
  app: App,
  row: SessionRow,
  change: SessionChanges,
  { before = [], causes = [], after = [] }: OtherStatements = {},
): Promise<SessionRow | null> {
  const isUnchanged = sessionWrites.isSessionVersion(row);
  const title = change.title ?? row.title;
  const startedAt = change.startedAt === undefined ? row.startedAt : change.startedAt;
  const endedAt = change.endedAt === undefined ? row.endedAt : change.endedAt;
  const startChange = planStartChange(app, { ...row, title }, startedAt, isUnchanged);
  const isShown = startedAt !== row.startedAt || endedAt !== row.endedAt || title !== row.title;
  const calendarUpdate = calendarCause(app, row.id, { starts: [row.startedAt, startedAt] });
  const isFirstDate = row.startedAt === null && startedAt !== null;
  const precedingStatements = [
    ...before,
    ...(isShown
      ? [
          recordSessionChange(app.db, calendarUpdate, {
            sessionId: row.id,
            condition: isUnchanged,
            isFirstDate,
          }),
        ]
      : []),
    ...startChange.statements,
  ];
  const changeStatement = sessionWrites.changeVersion(
    app.db,
    row,
    { ...change, toldStart: startChange.toldStart },
    app.now,
  );
  const results = await runBatch(app.db, [...precedingStatements, changeStatement, ...after]);
  const [changedSession] = results[precedingStatements.length] as (typeof row)[];
  if (!changedSession) return null;
  wakeEvents(app, [
    ...causes,
    ...(startChange.causes.length > 0 ? [calendarUpdate, ...startChange.causes] : []),
  ]);
  return { ...row, ...changedSession };
}

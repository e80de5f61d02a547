// The one writer of what calendars and people know of a session that has not begun: its start, end, title and plan. Each change
// brings its causes along, whoever makes it (F-21, R-64, R-65).
import { runBatch, type Statement } from "#db/connect.server";
import { recordSessionChange } from "#db/queries/sessions/calendar-invites";
import type { SessionRow } from "#db/queries/sessions/sessions";
import type { SessionChanges } from "#db/queries/sessions/writes";
import * as sessionWrites from "#db/queries/sessions/writes";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { calendarCause } from "~/use-cases/sessions/calendar-invites.server";
import { planStartChange } from "./start-changes.server";

type Around = {
  /** Statements that hold only where `condition` holds, before the change; `causes` are to wake after the batch. */
  before?: readonly Statement[];
  causes?: readonly { id: string }[];
  /** After the change; the first one sees by `changes()` whether it was made. */
  after?: readonly Statement[];
};

/** Null when the record has changed since it was read. */
export async function writePlan(
  app: App,
  row: SessionRow,
  change: SessionChanges,
  { before = [], causes = [], after = [] }: Around = {},
): Promise<SessionRow | null> {
  const isUnchanged = sessionWrites.isSessionVersion(row);
  const title = change.title ?? row.title;
  const startedAt = change.startedAt === undefined ? row.startedAt : change.startedAt;
  const endedAt = change.endedAt === undefined ? row.endedAt : change.endedAt;
  const startChange = planStartChange(app, { ...row, title }, startedAt, isUnchanged);
  const isShown = startedAt !== row.startedAt || endedAt !== row.endedAt || title !== row.title;
  const update = calendarCause(app, row.id, { starts: [row.startedAt, startedAt] });
  const isFirstDate = row.startedAt === null && startedAt !== null;
  const recorded = [
    ...before,
    ...(isShown
      ? [recordSessionChange(app.db, update, { sessionId: row.id, condition: isUnchanged, isFirstDate })]
      : []),
    ...startChange.statements,
  ];
  const changed = sessionWrites.changeVersion(
    app.db,
    row,
    { ...change, toldStart: startChange.toldStart },
    app.now,
  );
  const results = await runBatch(app.db, [...recorded, changed, ...after]);
  const [changedSession] = results[recorded.length] as (typeof row)[];
  if (!changedSession) return null;
  wakeEvents(app, [...causes, ...(startChange.causes.length > 0 ? [update, ...startChange.causes] : [])]);
  return { ...row, ...changedSession };
}

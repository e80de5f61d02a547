// The plan of a session that has not begun, computed for its present participants (T-08, T-15).
import { runBatch, type Statement } from "#db/connect.server";
import { recordSessionChange } from "#db/queries/sessions/calendar-invites";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessionWrites from "#db/queries/sessions/writes";
import { planForRoster } from "~/domain/sessions/planning";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { App } from "~/use-cases/app.server";
import { calendarCause } from "~/use-cases/sessions/calendar-invites.server";
import { readSessionForEnding } from "./read.server";

const MAX_ATTEMPTS = 4;

const isAwaiting = (app: App, row: SessionRow): boolean =>
  row.closedAt === null && statusAt(row, app.now) === SESSION_STATUS.waiting;

/** The statements that store the plan for a new number of participants, for the batch that changes the number. */
export function layPlanStatements(app: App, row: SessionRow, participantsCount: number): Statement[] {
  const plan = isAwaiting(app, row) ? planForRoster(row, participantsCount) : null;
  if (!plan) return [];
  const movesEnd = sessionWrites.willMoveEnd(row, participantsCount, plan.endedAt);
  return [
    recordSessionChange(app.db, calendarCause(app, row.id), { sessionId: row.id, condition: movesEnd }),
    sessionWrites.storePlan(app.db, row, participantsCount, plan, app.now),
  ];
}

/**
 * Recomputes the plan after that batch, because others may have joined or left meanwhile. Returns the session after it.
 */
export async function updatePlan(app: App, row: SessionRow): Promise<SessionRow> {
  let current = row;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const statements = layPlanStatements(app, current, current.participantsCount);
    if (statements.length === 0) break;
    await runBatch(app.db, statements);
    current = await readSessionForEnding(app, row.id);
  }
  return current;
}

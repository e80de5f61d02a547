// The announcement of a session's start that moves, is given or is taken away, and its marks at the seats (R-64, R-65,
// G-16).
import type { SQL } from "drizzle-orm";
import type { Statement } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { askHoldersToConfirm, selectHoldersIn } from "#db/queries/series/standing";
import { forgetStart } from "#db/queries/sessions/participants";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { knownByOf } from "~/domain/notices/calendar-invites";
import { subjectOf } from "~/domain/notices/events";
import { MOVED_FAR } from "~/domain/sessions/leaving";
import { type Instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { newEvent } from "~/use-cases/notices/events.server";

/** A start that moves by this much from the one that people know is announced (N-21); smaller moves add up. */
const MIN_ANNOUNCED_MOVE = 5 * MINUTE;

/** The statements for the batch of the change, under its `condition`, and the causes of the notices to wake after it. */
export function planStartChange(app: App, row: SessionRow, startedAt: Instant | null, condition: SQL) {
  const { causes, toldStart } = announcementOf(app, row, startedAt);
  const announcedStart = row.toldStart ?? row.startedAt;
  const isFar =
    announcedStart === null || startedAt === null || Math.abs(startedAt - announcedStart) > MOVED_FAR;
  const isAsking = row.seriesId !== null && startedAt !== row.startedAt && isFar;
  const recipients = isAsking ? { holders: selectHoldersIn(row.id) } : {};
  const statements: Statement[] = [
    ...causes.map((cause) => recordEvent(app.db, cause, { condition, idLists: recipients })),
    ...(isAsking ? [askHoldersToConfirm(app.db, row.id, app.now, condition)] : []),
    ...(startedAt === null && row.startedAt !== null ? [forgetStart(app.db, row.id, condition)] : []),
  ];
  return { causes, toldStart, statements };
}

function announcementOf(app: App, row: SessionRow, startedAt: Instant | null) {
  const announcedStart = row.toldStart ?? row.startedAt;
  if (row.isTemplate || startedAt === row.startedAt) return { causes: [], toldStart: row.toldStart };
  if (
    announcedStart !== null &&
    startedAt !== null &&
    Math.abs(startedAt - announcedStart) < MIN_ANNOUNCED_MOVE
  )
    return { causes: [], toldStart: announcedStart };
  const subject = subjectOf("session", row.id);
  const knownBy = knownByOf([row.startedAt, startedAt], app.now);
  const body = { title: row.title, path: `/sessions/${row.id}`, knownBy };
  const cause =
    startedAt === null
      ? newEvent(app, { kind: "session-undated", subject, body })
      : newEvent(app, { kind: "session-moved", subject, body: { ...body, startedAt } });
  return { causes: [cause], toldStart: null };
}

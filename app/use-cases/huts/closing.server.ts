// A public hut that becomes private: what it takes from people outside, and what its owner takes over from them.
import type { HutRow } from "#db/queries/huts/huts";
import * as outsiders from "#db/queries/huts/outsiders";
import { AppError } from "~/domain/errors";
import type { HutChange } from "~/domain/huts/huts";
import * as hutRefusals from "~/domain/huts/refusals";
import { subjectOf } from "~/domain/notices/events";
import { allow, requireUser } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { calendarCause } from "~/use-cases/sessions/calendar-invites.server";
import { newHandOver } from "~/use-cases/sessions/hand-over.server";
import { readSessionForEnding } from "~/use-cases/sessions/read.server";
import { updatePlan } from "~/use-cases/sessions/roster-plan.server";
import { passRest } from "~/use-cases/sessions/waiting.server";

/** Sessions ahead whose people one change of a hut reaches in their calendars. */
const MAX_SESSIONS_FREED = 300;
/** Sessions that the owner takes over at most, because each takes a dozen statements of one batch. */
const MAX_SESSIONS_TAKEN = 50;
const TOO_MANY = hutRefusals.tooManySessions(MAX_SESSIONS_TAKEN);

/**
 * The causes of what a hut's privacy takes from people outside. FORBIDDEN for a take-over by anybody but the owner, who
 * pays for it; CONFLICT for too many sessions.
 */
export async function readClosing(
  app: App,
  row: HutRow,
  change: Pick<HutChange, "admitsOutsiders" | "takesOver">,
): Promise<outsiders.Closing> {
  const upcoming = await outsiders.listSessionsAhead(app.db, row.id, app.now, MAX_SESSIONS_FREED);
  const lostSeatEvent = newEvent(app, {
    kind: "hut-private",
    subject: subjectOf("hut", row.id),
    body: { title: row.title },
  });
  return {
    hutId: row.id,
    now: app.now,
    lostSeatEvent,
    departures: upcoming.map(({ id, startedAt }) => ({
      sessionId: id,
      cause: calendarCause(app, id, { starts: [startedAt] }),
    })),
    ownerId: row.ownerId,
    takenOver: change.takesOver
      ? await readTakeOver(app, row, change.admitsOutsiders ?? false)
      : { sessions: [], series: [] },
  };
}

async function readTakeOver(app: App, row: HutRow, admits: boolean): Promise<outsiders.Closing["takenOver"]> {
  allow(requireUser(app.user).id === row.ownerId, hutRefusals.ownerTakesSessions);
  const hut = { hutId: row.id, ownerId: row.ownerId, admits, now: app.now };
  const [sessions, series] = await app.db.batch([
    outsiders.listSessionsToTakeOver(app.db, hut, MAX_SESSIONS_TAKEN + 1),
    outsiders.listSeriesToTakeOver(app.db, hut),
  ]);
  if (sessions.length > MAX_SESSIONS_TAKEN) throw new AppError("CONFLICT", TOO_MANY);
  return {
    series,
    sessions: sessions.map(({ sessionId, title, startedAt, hostId, hostName }) => ({
      sessionId,
      hostId,
      seat: `host:${app.newId()}`,
      isAhead: startedAt === null || startedAt > app.now,
      invitation: calendarCause(app, sessionId, { isNew: true }),
      // The owner makes this change, so they get no notice of it.
      ...newHandOver(app, { id: sessionId, title, hostName }, { userId: row.ownerId, isNotified: false }),
    })),
  };
}

/** Wakes the notices, and gives the freed seats to people on the waiting lists. */
export async function afterClosing(
  app: App,
  { departures, lostSeatEvent, takenOver }: outsiders.Closing,
): Promise<void> {
  const invitations = takenOver.sessions.map(({ invitation }) => invitation);
  wakeEvents(app, [...departures.map(({ cause }) => cause), ...invitations, lostSeatEvent]);
  for (const { sessionId } of departures) {
    const row = await readSessionForEnding(app, sessionId);
    if (row.waiting.length > 0) await passRest(app, row);
    await updatePlan(app, await readSessionForEnding(app, sessionId));
  }
}

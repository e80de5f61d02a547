// The effects in the table of endings that move money or wake rooms: each takes a batch for each session, series or
// subscription, and is idempotent.
import { runBatch } from "#db/connect.server";
import * as accountDeletion from "#db/queries/accounts/deletion";
import { handOverSeries } from "#db/queries/endings";
import { listOpenSessionsOfPerson } from "#db/queries/huts/exits";
import { listSessionsAheadIn } from "#db/queries/huts/huts";
import { listHostedOpen } from "#db/queries/safety/sanctions";
import * as seriesQueries from "#db/queries/series/series";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { deletedName } from "~/domain/accounts/deleted";
import { effectsOf, type Happening, type Parent, type SteppedKey } from "~/domain/endings";
import { isCallAt } from "~/domain/sessions/call";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { App } from "~/use-cases/app.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { endSubscriptionsOf, stopRenewalOf } from "~/use-cases/payments/subscriptions.server";
import { freePlaces } from "./sessions/freed-seats.server";
import { passHosting } from "./sessions/heirs.server";
import { liveRow, readSessionForEnding, viewRoom } from "./sessions/read.server";
import { cancelUpcoming } from "./sessions/run.server";
import { leaveWaitingListStatements } from "./sessions/waiting.server";

/** At most this many sessions are reached by one run of an effect. */
const SESSIONS_A_RUN = 300;

type Stay = { hutId: number; isPrivate: boolean; userId: number; keepsRunning: boolean };
/** The input of the steps of each column, by parent and happening. */
type StepInputs = {
  huts: { deleted: { hutId: number } };
  sessions: Record<never, never>;
  series: { ended: { seriesId: number } };
  users: {
    left: Stay;
    banned: Stay;
    "kept-out": { seriesId: number | null; userId: number };
    suspended: { userId: number };
    leaving: { userId: number };
    deleted: { userId: number };
  };
};

type Step<Input> = (app: App, input: Input) => Promise<void>;

const STEPS = {
  "end-series-in-hut": async (app, { hutId }: { hutId: number }) => {
    const endedSeries = await seriesQueries.endSeriesIn(app.db, hutId, app.now);
    for (const { id } of endedSeries) await takeSteps(app, "series", "ended", { seriesId: id });
  },
  "cancel-sessions-in-hut": async (app, { hutId }: { hutId: number }) => {
    for (const { id } of await listSessionsAheadIn(app.db, hutId, app.now, SESSIONS_A_RUN))
      await cancelUpcoming(app, id);
  },
  "free-places-in-hut": async (app, stay: Stay) => {
    for (const { id } of await listOpenSessionsOfPerson(app.db, { hutId: stay.hutId }, stay.userId))
      await freeInHut(app, await readSessionForEnding(app, id), stay);
  },
  "free-places-everywhere": async (app, { userId }: { userId: number }) => {
    for (const { sessionId } of await accountDeletion.listOpenSessionsOf(app.db, userId)) {
      await passHosting(app, sessionId, userId, { isDeleted: true });
      await freePlaces(app, await readSessionForEnding(app, sessionId), userId);
    }
  },
  "free-places": async (app, { seriesId, userId }: { seriesId: number | null; userId: number }) => {
    if (seriesId === null) return;
    for (const { id } of await listOpenSessionsOfPerson(app.db, { seriesId }, userId)) {
      await passHosting(app, id, userId);
      await freePlaces(app, await readSessionForEnding(app, id), userId);
    }
  },
  "pass-hosted": async (app, { userId }: { userId: number }) => {
    for (const { sessionId } of await listHostedOpen(app.db, userId, SESSIONS_A_RUN)) {
      const row = await readSessionForEnding(app, sessionId);
      if (await isWaiting(app, row)) await cancelUpcoming(app, sessionId);
      else await passHosting(app, sessionId, userId);
    }
  },
  "pass-series": async (app, { userId }: { userId: number }) => {
    const base = app.settings.meetingBase;
    for (const { id, endedAt, heirId, call } of await seriesQueries.listHeirs(app.db, userId, app.now)) {
      // A call that the site makes is nobody's own.
      const keepsCall = base !== null && (call === base || isCallAt(base, call));
      const change = { id, from: userId, now: app.now, keepsCall, isDeleted: true };
      const [changedSessions] = await runBatch(
        app.db,
        heirId === null
          ? [
              seriesQueries.dropLinksOfSeries(app.db, change),
              ...(endedAt === null
                ? [seriesQueries.updateSeries(app.db, id, { endedAt: app.now, updatedAt: app.now })]
                : []),
            ]
          : handOverSeries(
              app.db,
              // The heir has accepted a turn, with its price.
              { ...change, to: heirId, keepsFree: true },
              // No row keeps the name of a deleted account.
              { actorId: app.user?.id ?? userId, previous: deletedName(userId) },
            ),
      );
      for (const session of changedSessions as { id: number; closedAt: number | null }[])
        if (session.closedAt === null) notifyRoom(app, session.id);
    }
  },
  "cancel-sessions-of-series": async (
    app,
    scope: { hutId: number; isPrivate: boolean } | { seriesId: number } | { userId: number },
  ) => {
    // When its host leaves a public hut, a series leaves the hut too and keeps its sessions.
    if ("isPrivate" in scope && !scope.isPrivate) return;
    for (const { id } of await seriesQueries.listUpcomingOfEndedSeries(
      app.db,
      scope,
      app.now,
      SESSIONS_A_RUN,
    ))
      await cancelUpcoming(app, id);
  },
  "stop-renewal": (app, { userId }: { userId: number }) => stopRenewalOf(app, userId),
  "end-subscription": (app, { userId }: { userId: number }) => endSubscriptionsOf(app, userId),
} satisfies { [K in SteppedKey]: Step<never> };

/**
 * Runs the steps in the table's column of a happening. The caller runs them before or after the batch of the happening
 * itself. Idempotent.
 */
export async function takeSteps<P extends Parent, H extends Happening<P> & keyof StepInputs[P]>(
  app: App,
  parent: P,
  happening: H,
  input: StepInputs[P][H],
): Promise<void> {
  for (const key of effectsOf(parent, happening).stepped)
    await (STEPS[key] as unknown as Step<StepInputs[P][H]>)(app, input);
}

/** The session has not begun, and is no template. */
const isWaiting = async (app: App, row: SessionRow): Promise<boolean> =>
  !row.isTemplate && statusAt(liveRow(row, await viewRoom(app, row.id)), app.now) === SESSION_STATUS.waiting;

/** A hosted session that has not begun is cancelled (B-14); after leaving, seats in running sessions stay. */
async function freeInHut(app: App, row: SessionRow, stay: Stay): Promise<void> {
  const { userId, keepsRunning } = stay;
  if (row.hostId === userId && (await isWaiting(app, row))) return cancelUpcoming(app, row.id);
  if (!keepsRunning) {
    await passHosting(app, row.id, userId, { toKeeper: true });
    return freePlaces(app, await readSessionForEnding(app, row.id), userId);
  }
  if (row.hostId === userId) return;
  if (statusAt(row, app.now) === SESSION_STATUS.waiting) return freePlaces(app, row, userId);
  if (row.waiting.position !== null) await runBatch(app.db, leaveWaitingListStatements(app, row, userId));
}

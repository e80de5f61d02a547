// The statements of each effect in the table of endings (app/domain/endings.ts), which use cases run in the batch of
// the change.
import { type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "#db/connect.server";
import { deleteKeysOf } from "#db/queries/accounts/api-keys";
import { eraseAccount } from "#db/queries/accounts/deletion";
import { deleteAllLogins } from "#db/queries/accounts/logins";
import { deleteUnfinishedLogins } from "#db/queries/accounts/two-step";
import { deleteRequest } from "#db/queries/huts/entry";
import * as exits from "#db/queries/huts/exits";
import * as huts from "#db/queries/huts/huts";
import * as outsiders from "#db/queries/huts/outsiders";
import { recordEvent } from "#db/queries/notices/events";
import { deleteNoticesBetween, updateUnreadCount } from "#db/queries/notices/notices";
import { recordAct } from "#db/queries/safety/audit";
import { keepBrowsersOut } from "#db/queries/safety/guest-bans";
import { deleteRotaHost } from "#db/queries/series/rota";
import { dropLinksOfSeries, passSeries } from "#db/queries/series/series";
import { askHoldersForCode, deleteStandingSeat } from "#db/queries/series/standing";
import { recordCalendarInvite } from "#db/queries/sessions/calendar-invites";
import { dropLinks, handOver } from "#db/queries/sessions/hand-over";
import { hasSeat, isHostedBy, lowerOpenSessionsCount, refundSeats } from "#db/queries/sessions/participants";
import { askWaiters, deleteWaiter } from "#db/queries/sessions/waiters";
import { recordCancellation } from "#db/queries/sessions/writes";
import { spendTokens } from "#db/queries/tokens";
import { type BatchedKey, effectsOf, type Happening, type Parent } from "~/domain/endings";
import type { NewEvent } from "~/domain/notices/cause";
import type { Instant } from "~/domain/time";

/** The end of a person's stay in a hut. */
type StayEnded = {
  hutId: number;
  isPrivate: boolean;
  userId: number;
  now: Instant;
  /** The membership ends where this holds, and all else where `condition` holds. */
  leaves?: SQL | undefined;
  condition: SQL;
};
type CancelledSession = {
  sessionId: number;
  cancelledEvent: NewEvent<"session-cancelled">;
  calendarEvent: NewEvent<"calendar">;
  now: Instant;
  condition: SQL;
};

/** The facts that the effects of each column need: a parent, and a change that happens to it. */
type Facts = {
  huts: {
    deleted: { hutId: number; by: number; deletedEvent: NewEvent<"hut-deleted">; condition: SQL };
    "made-private": outsiders.Closing;
    "handed-over": { hutId: number; from: number; to: number; now: Instant };
  };
  sessions: {
    deleted: CancelledSession;
    ended: CancelledSession;
    "made-private": outsiders.Closing;
    "handed-over": {
      change: Parameters<typeof handOver>[1];
      hostGivenEvent: NewEvent<"host-given">;
      condition: SQL | undefined;
    };
    "code-added": {
      sessionId: number;
      joinCode: string;
      now: Instant;
      askedEvent: NewEvent<"waiting-asked">;
      condition: SQL;
    };
  };
  series: {
    deleted: never;
    ended: never;
    "made-private": outsiders.Closing;
    "handed-over": { seriesId: number; userId: number };
    "code-added": { seriesId: number; now: Instant; askedEvent: NewEvent<"standing-asked"> };
  };
  users: {
    left: StayEnded;
    banned: StayEnded;
    "kept-out": { seriesId: number | null; userId: number };
    blocked: { userId: number; otherId: number };
    muted: never;
    suspended: { userId: number };
    leaving: { userId: number };
    deleted: { userId: number; now: Instant };
  };
};

type Effect<EffectFacts> = (db: Database, facts: EffectFacts) => Statement[];

/** One map from the table's keys to their statements. */
const EFFECTS = {
  "tell-members": (db, { hutId, by, deletedEvent, condition }: Facts["huts"]["deleted"]) => [
    recordEvent(db, deletedEvent, { condition, idLists: { to: huts.selectOtherMembers(hutId, by) } }),
  ],
  "delete-seats-of-banned": (db, { hutId, condition }: Facts["huts"]["deleted"]) =>
    exits.deleteSeatsOfBanned(db, hutId, condition),
  "release-activities": (db, { hutId }: outsiders.Closing) => [outsiders.releaseActivities(db, hutId)],
  "take-over-series": (db, { ownerId, takenOver, now }: outsiders.Closing) =>
    takenOver.series.flatMap(({ id, hostId, hostName }) =>
      handOverSeries(
        db,
        { id, from: hostId, to: ownerId, now, keepsFree: false, keepsCall: true, isDeleted: false },
        { actorId: ownerId, previous: hostName },
      ),
    ),
  "take-over-sessions": (db, closing: outsiders.Closing) =>
    closing.takenOver.sessions.flatMap((session) => takeOver(db, session, closing)),
  "release-sessions-of-outsiders": (db, { hutId }: outsiders.Closing) => [
    ...exits.deleteSeatsOfBanned(db, hutId, outsiders.isHostedByOutsider(hutId)),
    outsiders.releaseSessions(db, hutId),
  ],
  "release-series-of-outsiders": (db, closing: outsiders.Closing) => [outsiders.releaseSeries(db, closing)],
  "free-outsiders": outsiders.freeOutsiders,
  "end-standing-of-outsiders": (db, { hutId }: outsiders.Closing) => [outsiders.endStanding(db, hutId)],
  "end-turns-of-outsiders": (db, { hutId }: outsiders.Closing) => [outsiders.endTurns(db, hutId)],
  "keep-member": (db, handOverFacts: Facts["huts"]["handed-over"]) => huts.keepMember(db, handOverFacts),
  "end-membership": (db, { hutId, userId, leaves }: StayEnded) => [
    huts.deleteMember(db, hutId, userId, leaves),
    huts.updateMemberCount(db, hutId),
  ],
  "withdraw-request": (db, { hutId, userId }: StayEnded) => [deleteRequest(db, hutId, userId)],
  "end-standing": exits.endStanding,
  "end-turns": exits.endTurns,
  "part-series": exits.releaseOrEndSeries,
  "part-sessions": (db, stay: StayEnded) =>
    stay.isPrivate
      ? []
      : [
          ...exits.deleteSeatsOfBanned(
            db,
            stay.hutId,
            sql`${exits.isHostedByPerson(stay.userId)} AND ${stay.condition}`,
          ),
          exits.releaseSessions(db, stay),
        ],
  "drop-unseen-notices": (db, { userId }: StayEnded) => [
    exits.deleteUnseenNotices(db, userId),
    updateUnreadCount(db, userId),
  ],
  "end-standing-in-series": (db, { seriesId, userId }: Facts["users"]["kept-out"]) =>
    seriesId === null ? [] : [deleteStandingSeat(db, seriesId, userId)],
  "end-turns-in-series": (db, { seriesId, userId }: Facts["users"]["kept-out"]) =>
    seriesId === null ? [] : [deleteRotaHost(db, seriesId, userId)],
  "end-standing-of-heir": (db, { seriesId, userId }: Facts["series"]["handed-over"]) => [
    deleteStandingSeat(db, seriesId, userId),
  ],
  "drop-notices-between": (db, { userId, otherId }: Facts["users"]["blocked"]) => [
    ...deleteNoticesBetween(db, userId, otherId),
    updateUnreadCount(db, userId),
    updateUnreadCount(db, otherId),
  ],
  "end-logins": (db, { userId }: { userId: number }) => [
    deleteAllLogins(db, userId),
    deleteUnfinishedLogins(db, userId),
  ],
  "end-keys": (db, { userId }: { userId: number }) => [deleteKeysOf(db, userId)],
  "refund-joins": (db, { sessionId, cancelledEvent, calendarEvent, now, condition }: CancelledSession) => [
    ...recordCancellation(db, sessionId, cancelledEvent, calendarEvent, condition),
    ...refundSeats(db, { sessionId }, now, condition),
    lowerOpenSessionsCount(db, sessionId, condition),
  ],
  "keep-browsers-out": (db, { sessionId, condition }: CancelledSession) => [
    keepBrowsersOut(db, sessionId, condition),
  ],
  "pass-role": (db, { change, hostGivenEvent, condition }: Facts["sessions"]["handed-over"]) =>
    handOver(db, change, hostGivenEvent, condition),
  "ask-waiters": (db, { askedEvent, condition, ...code }: Facts["sessions"]["code-added"]) =>
    askWaiters(db, code, askedEvent, condition),
  "ask-standing": (db, { askedEvent, ...code }: Facts["series"]["code-added"]) =>
    askHoldersForCode(db, code, askedEvent),
  erase: (db, { userId, now }: Facts["users"]["deleted"]) => eraseAccount(db, userId, now),
} satisfies { [K in BatchedKey]: Effect<never> };

/** Gives a series to another host, with its audit row and its endings. The first statement answers the changed sessions. */
export const handOverSeries = (
  db: Database,
  change: Parameters<typeof passSeries>[1] & Parameters<typeof dropLinksOfSeries>[1],
  act: { actorId: number; previous: string },
): Statement[] => [
  dropLinksOfSeries(db, change),
  passSeries(db, change),
  recordAct(db, {
    at: change.now,
    action: "series-host-changed",
    target: { kind: "series", id: change.id },
    userId: change.to,
    ...act,
  }),
  ...endingsOf(db, "series", "handed-over", { seriesId: change.id, userId: change.to }),
];

/**
 * Makes the owner of a hut the host of a session in it, with a seat. The seat costs a token only before the session
 * begins.
 */
function takeOver(
  db: Database,
  { sessionId, hostId, seat, isAhead, invitation, hostGivenEvent, act }: outsiders.TakenSession,
  { ownerId: userId, now }: outsiders.Closing,
): Statement[] {
  const isSeated = hasSeat({ sessionId, userId, seat });
  const seatPayment = { userId, what: "join", reference: seat, now, condition: isSeated } as const;
  return [
    exits.seatSuccessor(db, { sessionId, from: hostId, to: userId, seat, now }),
    ...(isAhead ? spendTokens(db, seatPayment) : []),
    deleteWaiter(db, { sessionId, userId }, isSeated),
    recordCalendarInvite(db, invitation, { sessionId, seat, now }),
    dropLinks(db, { sessionId, from: hostId, keepsCall: true, now }),
    ...endingsOf(db, "sessions", "handed-over", {
      change: { sessionId, userId, keepsFree: false },
      hostGivenEvent,
      condition: isHostedBy(sessionId, hostId),
    }),
    recordAct(db, act),
    // "free-outsiders" counts the seats of a session that has not begun, after it has deleted some of them.
    ...(isAhead ? [] : [outsiders.raiseLimitForOwner(db, sessionId)]),
  ];
}

/** Builds the statements of one column of the table, for the batch of the change. */
export function endingsOf<P extends Parent, H extends Happening<P> & keyof Facts[P]>(
  db: Database,
  parent: P,
  happening: H,
  facts: Facts[P][H],
): Statement[] {
  return effectsOf(parent, happening).batched.flatMap((key) =>
    (EFFECTS[key] as unknown as Effect<Facts[P][H]>)(db, facts),
  );
}

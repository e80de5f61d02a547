// The statements of each effect in the table of endings, and the columns of that table as statements for one batch. Use cases
// run them.
import type { SQL } from "drizzle-orm";
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
import { countUnread, deleteNoticesBetween } from "#db/queries/notices/notices";
import { recordAct } from "#db/queries/safety/audit";
import { deleteRotaHost } from "#db/queries/series/rota";
import { askStanding, deleteStanding, passSeries } from "#db/queries/series/series";
import { recordCalendarInvite } from "#db/queries/sessions/calendar-invites";
import { handOver } from "#db/queries/sessions/hand-over";
import { countOneLess, hasSeat, isHeldBy, refundSeats } from "#db/queries/sessions/participants";
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
type Cancelled = {
  sessionId: number;
  cancelled: NewEvent<"session-cancelled">;
  update: NewEvent<"calendar">;
  now: Instant;
  condition: SQL;
};

/** The facts that each column needs. */
type At = {
  huts: {
    deleted: { hutId: number; by: number; gone: NewEvent<"hut-deleted">; condition: SQL };
    "made-private": outsiders.Closing;
    "handed-over": { hutId: number; from: number; to: number; now: Instant };
  };
  sessions: {
    deleted: Cancelled;
    ended: Cancelled;
    "made-private": outsiders.Closing;
    "handed-over": {
      change: Parameters<typeof handOver>[1];
      given: NewEvent<"host-given">;
      condition: SQL | undefined;
    };
    "code-added": {
      sessionId: number;
      joinCode: string;
      now: Instant;
      asked: NewEvent<"waiting-asked">;
      condition: SQL;
    };
  };
  series: {
    deleted: never;
    ended: never;
    "made-private": outsiders.Closing;
    "handed-over": { seriesId: number; userId: number };
    "code-added": { seriesId: number; now: Instant; asked: NewEvent<"standing-asked"> };
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

type Effect<Here> = (db: Database, at: Here) => Statement[];

/** One map from the table's keys to their statements. */
const EFFECTS = {
  "tell-members": (db, { hutId, by, gone, condition }: At["huts"]["deleted"]) => [
    recordEvent(db, gone, { condition, idLists: { to: huts.membersBut(hutId, by) } }),
  ],
  "release-activities": (db, { hutId }: outsiders.Closing) => [outsiders.releaseActivities(db, hutId)],
  "take-over-series": (db, { ownerId, taken, now }: outsiders.Closing) =>
    taken.series.flatMap(({ id, hostId }) => [
      passSeries(db, { id, from: hostId, to: ownerId, now }),
      ...endingsOf(db, "series", "handed-over", { seriesId: id, userId: ownerId }),
    ]),
  "take-over-sessions": (db, closing: outsiders.Closing) =>
    closing.taken.sessions.flatMap((session) => takeOver(db, session, closing)),
  "release-sessions-of-outsiders": (db, { hutId }: outsiders.Closing) => [
    outsiders.releaseSessions(db, hutId),
  ],
  "release-series-of-outsiders": (db, closing: outsiders.Closing) => [outsiders.releaseSeries(db, closing)],
  "free-outsiders": outsiders.freeOutsiders,
  "end-standing-of-outsiders": (db, { hutId }: outsiders.Closing) => [outsiders.endStanding(db, hutId)],
  "end-turns-of-outsiders": (db, { hutId }: outsiders.Closing) => [outsiders.endTurns(db, hutId)],
  "keep-member": (db, hand: At["huts"]["handed-over"]) => huts.keepMember(db, hand),
  "end-membership": (db, { hutId, userId, leaves }: StayEnded) => [
    huts.deleteMember(db, hutId, userId, leaves),
    huts.countMembers(db, hutId),
  ],
  "withdraw-request": (db, { hutId, userId }: StayEnded) => [deleteRequest(db, hutId, userId)],
  "end-standing": exits.endStanding,
  "end-turns": exits.endTurns,
  "part-series": exits.partSeries,
  "part-sessions": (db, stay: StayEnded) => (stay.isPrivate ? [] : [exits.releaseSessions(db, stay)]),
  "drop-unseen-notices": (db, { userId }: StayEnded) => [
    exits.deleteUnseenNotices(db, userId),
    countUnread(db, userId),
  ],
  "end-standing-in-series": (db, { seriesId, userId }: At["users"]["kept-out"]) =>
    seriesId === null ? [] : [deleteStanding(db, seriesId, userId)],
  "end-turns-in-series": (db, { seriesId, userId }: At["users"]["kept-out"]) =>
    seriesId === null ? [] : [deleteRotaHost(db, seriesId, userId)],
  "end-standing-of-heir": (db, { seriesId, userId }: At["series"]["handed-over"]) => [
    deleteStanding(db, seriesId, userId),
  ],
  "drop-notices-between": (db, { userId, otherId }: At["users"]["blocked"]) => [
    ...deleteNoticesBetween(db, userId, otherId),
    countUnread(db, userId),
    countUnread(db, otherId),
  ],
  "end-logins": (db, { userId }: { userId: number }) => [
    deleteAllLogins(db, userId),
    deleteUnfinishedLogins(db, userId),
  ],
  "end-keys": (db, { userId }: { userId: number }) => [deleteKeysOf(db, userId)],
  "refund-joins": (db, { sessionId, cancelled, update, now, condition }: Cancelled) => [
    ...recordCancellation(db, sessionId, cancelled, update, condition),
    ...refundSeats(db, { sessionId }, now, condition),
    countOneLess(db, sessionId, condition),
  ],
  "pass-role": (db, { change, given, condition }: At["sessions"]["handed-over"]) =>
    handOver(db, change, given, condition),
  "ask-waiters": (db, { asked, condition, ...code }: At["sessions"]["code-added"]) =>
    askWaiters(db, code, asked, condition),
  "ask-standing": (db, { asked, ...code }: At["series"]["code-added"]) => askStanding(db, code, asked),
  erase: (db, { userId, now }: At["users"]["deleted"]) => eraseAccount(db, userId, now),
} satisfies { [K in BatchedKey]: Effect<never> };

/** The owner of a hut becomes host of a session there, with a seat; one that has not begun costs a token, as any seat does. */
function takeOver(
  db: Database,
  { sessionId, hostId, seat, isAhead, invitation, given, act }: outsiders.TakenSession,
  { ownerId: userId, now }: outsiders.Closing,
): Statement[] {
  const isSeated = hasSeat({ sessionId, userId, seat });
  const paid = { userId, what: "join", reference: seat, now, condition: isSeated } as const;
  return [
    exits.seatSuccessor(db, { sessionId, from: hostId, to: userId, seat, now }),
    ...(isAhead ? spendTokens(db, paid) : []),
    deleteWaiter(db, { sessionId, userId }, isSeated),
    recordCalendarInvite(db, invitation, { sessionId, seat, now }),
    ...endingsOf(db, "sessions", "handed-over", {
      change: { sessionId, userId, keepsFree: false },
      given,
      condition: isHeldBy(sessionId, hostId),
    }),
    recordAct(db, act),
    // "free-outsiders" counts the others, when the seats before have gone.
    ...(isAhead ? [] : [outsiders.countWithKeeper(db, sessionId)]),
  ];
}

/** The statements of a column, for the batch of its cause. */
export function endingsOf<P extends Parent, H extends Happening<P> & keyof At[P]>(
  db: Database,
  parent: P,
  happening: H,
  at: At[P][H],
): Statement[] {
  return effectsOf(parent, happening).batched.flatMap((key) =>
    (EFFECTS[key] as unknown as Effect<At[P][H]>)(db, at),
  );
}

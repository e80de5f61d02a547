// The room's reads and writes of its session's record.
import { runBatch } from "#db/connect.server";
import * as rooms from "#db/queries/room/record";
import { insertAct } from "#db/queries/safety/audit";
import * as blocks from "#db/queries/safety/blocks";
import { listMutesOf } from "#db/queries/safety/sanctions";
import { refundSeats } from "#db/queries/sessions/participants";
import * as sessionWrites from "#db/queries/sessions/writes";
import { subjectOf } from "~/domain/notices/events";
import type { ChatMention, PendingWrite, SeatRecord, SessionRecord } from "~/domain/room/record";
import type { MarkedLog, RoomAct, RoomActor, RoomState } from "~/domain/room/room";
import { lineTarget } from "~/domain/safety/audit";
import type { BlockPair } from "~/domain/safety/blocks";
import type { Recap } from "~/domain/sessions/recap";
import type { App } from "~/use-cases/app.server";
import { newEvent } from "~/use-cases/notices/events.server";
import { calendarCause } from "~/use-cases/sessions/calendar-invites.server";
import { listMarks, markedLogs } from "~/use-cases/sessions/log-marks.server";

type RoomApp = Pick<App, "db" | "now">;

/** A session, and the users who had a seat in it and left. */
type RoomRef = { sessionId: number; gone: readonly number[] };

/** The blocks among the people of a session, for a room that reads nothing else. */
export async function readRoomBlocks(app: RoomApp, { sessionId, gone }: RoomRef): Promise<BlockPair[]> {
  const [rows, blocksOfGone] = await app.db.batch([
    rooms.listRoomParticipants(app.db, sessionId),
    blocks.listBlocksOf(app.db, gone),
  ]);
  return pairsAmong(rows, gone, blocksOfGone);
}

function pairsAmong(
  seats: readonly { userId: number; blocked: readonly number[] }[],
  gone: readonly number[],
  blocksOfGone: readonly BlockPair[],
): BlockPair[] {
  const pairs = seats.flatMap(({ userId, blocked }) => blocked.map((blockedId) => ({ userId, blockedId })));
  if (pairs.length + blocksOfGone.length === 0) return [];
  const knownUserIds = new Set([...gone, ...seats.map(({ userId }) => userId)]);
  return [...pairs, ...blocksOfGone].filter(({ blockedId }) => knownUserIds.has(blockedId));
}

/** The plan, the texts and the roster in order of joining; null for an unknown session. */
export async function readRoomRecord(
  app: RoomApp,
  { sessionId, gone }: RoomRef,
): Promise<{
  session: SessionRecord;
  seats: SeatRecord[];
  hiding: BlockPair[];
  marked: MarkedLog[];
} | null> {
  const { db } = app;
  const [[session], contributions, rows, blocksOfGone, mutes, ...marks] = await db.batch([
    rooms.findRoomSession(db, sessionId),
    rooms.listContributions(db, sessionId),
    rooms.listRoomParticipants(db, sessionId),
    blocks.listBlocksOf(db, gone),
    listMutesOf(db, sessionId),
    ...listMarks(db, sessionId),
  ]);
  if (!session) return null;
  const seats = rows.map(
    (row): SeatRecord => ({
      userId: row.userId,
      username: row.username,
      role: row.role,
      isHost: row.isHost,
      joinedAt: row.joinedAt,
      completedAt: row.completedAt,
      handle: row.handle,
      aim: row.aim,
      ...(row.guestName && { guestName: row.guestName }),
    }),
  );
  return {
    session: {
      ...session,
      contributions,
      mutes: mutes.map(({ userId, until, scope }) => ({
        userId,
        until,
        ...(until === null && scope === "session" && { endsWithSession: true as const }),
      })),
    },
    seats,
    hiding: pairsAmong(rows, gone, blocksOfGone),
    marked: markedLogs(...marks),
  };
}

/** Reads only the logs that the room must correct. */
export const readMarkedLogs = async (app: RoomApp, sessionId: number): Promise<MarkedLog[]> =>
  markedLogs(...(await app.db.batch(listMarks(app.db, sessionId))));

/**
 * Writes the `pending` parts of the room into the record, and notifies participants who are away of a start by hand
 * (N-22). An older version never overwrites a newer one, so a repeat is harmless.
 */
export async function recordRoom(
  app: RoomApp,
  {
    state,
    pending,
    online = [],
    recap = null,
  }: {
    state: RoomState;
    pending: ReadonlySet<PendingWrite>;
    online?: readonly string[];
    /** The recap of a session that closes now (G-32). */
    recap?: Recap | null;
  },
): Promise<void> {
  const startStatements = pending.has("start") ? rooms.recordStart(app.db, state, online) : [];
  await runBatch(app.db, [...startStatements, ...rooms.mirrorRoom(app.db, state, pending, app.now, recap)]);
}

/**
 * The causes of the notices of mentions in these lines, for people of the session who are away (N-26). A
 * repeat is harmless, and nothing is written for names without such a person.
 */
export async function recordChatMentions(
  app: RoomApp,
  { sessionId, title }: Pick<RoomState, "sessionId" | "title">,
  mentions: readonly ChatMention[],
): Promise<void> {
  await runBatch(
    app.db,
    mentions.map((mention) => rooms.recordChatMention(app.db, { sessionId, title }, mention)),
  );
}

/**
 * Closes a session that nobody came to host: every join goes back to its payer, once, in the batch that closes it
 * (G-31). A repeat is harmless.
 */
export async function recordAbsentHost(app: RoomApp, state: RoomState): Promise<void> {
  const { sessionId, title, cancelledStart = null } = state;
  const cancellation = newEvent(
    { now: app.now, user: null },
    {
      kind: "session-cancelled",
      subject: subjectOf("session", sessionId),
      body: { title, path: `/sessions/${sessionId}`, isHostAbsent: true, knownBy: app.now },
    },
  );
  const update = calendarCause(app, sessionId, { isLate: true });
  const isOpen = sessionWrites.isOpen(sessionId);
  await runBatch(app.db, [
    ...sessionWrites.recordCancellation(app.db, sessionId, cancellation, update, isOpen),
    ...refundSeats(app.db, { sessionId }, app.now, isOpen),
    sessionWrites.keepPlannedStart(app.db, sessionId, cancelledStart),
    ...rooms.mirrorRoom(app.db, state, new Set(["run"]), app.now),
  ]);
}

/** The audit row of a super admin's act, written before the room changes. */
export async function recordRoomAct(
  app: RoomApp,
  { state, act, by: actor }: { state: RoomState; act: RoomAct; by: RoomActor },
): Promise<void> {
  await runBatch(app.db, [
    insertAct(app.db, {
      at: app.now,
      actorId: actor.userId,
      action: act.action,
      target: { kind: "session", id: state.sessionId },
      userId: state.participants.find(({ isHost }) => isHost)?.userId,
      previous: act.previous,
    }),
  ]);
}

type LineRemovals = {
  sessionId: number;
  /** The author of the lines. */
  userId: number;
  lines: readonly number[];
  by: RoomActor;
  reason?: string | undefined;
};

/** The audit rows for removing lines of another person, written before the room erases them. */
export async function recordRemovals(app: RoomApp, removals: LineRemovals): Promise<void> {
  const { sessionId, userId, lines, by: actor, reason } = removals;
  await runBatch(
    app.db,
    lines.map((line) =>
      insertAct(app.db, {
        at: app.now,
        actorId: actor.userId,
        action: "line-removed",
        target: { kind: "line", id: lineTarget(sessionId, line) },
        userId,
        reason,
      }),
    ),
  );
}

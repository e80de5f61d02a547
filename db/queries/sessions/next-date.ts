// Statements on the next date of a session's series, for one reader; use cases run them.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { isLetIn } from "#db/queries/safety/sanctions";
import { isVisible, type Viewer } from "#db/queries/visibility";
import type { Instant } from "~/domain/time";
import { selectHeldSeats } from "./cards";

const { sessions, participants } = schema;

type Reader = { userId: Viewer; now: Instant };

/**
 * Selects `column` of the first session after `after`, in the series of `sessionId`, that this reader sees and may
 * join.
 */
export const selectNextDate = (
  column: "id" | "started_at",
  { userId, now }: Reader,
  { sessionId, after }: { sessionId: number; after: Instant },
): SQL =>
  sql`SELECT ${sql.raw(`n.${column}`)} FROM sessions s JOIN sessions n ON n.series_id = s.series_id
    WHERE s.id = ${sessionId} AND n.closed_at IS NULL AND n.id <> s.id AND n.started_at > ${after} AND ${isVisible("sessions", "n", userId)}
    AND ${isLetIn({ userId, now }, { id: sql`n.id`, seriesId: sql`n.series_id`, hutId: sql`n.hut_id` })}
    ORDER BY n.started_at LIMIT 1`;

/** The next date of a session's series, with the facts that decide whether the reader may take a seat. */
export const findNextDate = (db: Database, sessionId: number, { userId, now }: Reader) =>
  db
    .select({
      id: sessions.id,
      startedAt: sessions.startedAt,
      endedAt: sessions.endedAt,
      isTemplate: sessions.isTemplate,
      isExample: sessions.isExample,
      participantLimit: sessions.participantLimit,
      participantsCount: sessions.participantsCount,
      heldSeats: selectHeldSeats(userId, now),
      isFree: sessions.isFree,
      needsCode: sql<boolean>`${sessions.joinCode} <> ''`.mapWith(Boolean).as("needs_code"),
      isJoined: sql<boolean>`${participants.userId} IS NOT NULL`.mapWith(Boolean).as("is_joined"),
    })
    .from(sql`(${selectNextDate("id", { userId, now }, { sessionId, after: now })}) k`)
    .innerJoin(sessions, sql`${sessions.id} = k.id`)
    .leftJoin(participants, and(eq(participants.sessionId, sessions.id), eq(participants.userId, userId)));
export type NextDateRow = Awaited<ReturnType<typeof findNextDate>>[number];

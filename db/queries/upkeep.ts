// What cron looks for: rooms that should be awake, and what has grown old.
import { and, asc, between, eq, isNotNull, isNull, lt } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { sessions, passwordResets, mailbox, providerEvents } = schema;

/** Sessions that start around now: their rooms must know it, whatever failed before. */
export const listStartingSessions = (db: Database, from: Instant, to: Instant, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(isNull(sessions.closedAt), isNotNull(sessions.startedAt), between(sessions.startedAt, from, to)),
    )
    .orderBy(asc(sessions.startedAt))
    .limit(limit);

/** Sessions that are over and that no room has closed. */
export const listUnclosedSessions = (db: Database, endedBefore: Instant, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        isNull(sessions.closedAt),
        isNotNull(sessions.startedAt),
        eq(sessions.isTemplate, false),
        lt(sessions.endedAt, endedBefore),
      ),
    )
    .orderBy(asc(sessions.startedAt))
    .limit(limit);

export const deleteOldResets = (db: Database, before: Instant) =>
  db.delete(passwordResets).where(lt(passwordResets.expiresAt, before));
export const deleteOldProviderEvents = (db: Database, before: Instant) =>
  db.delete(providerEvents).where(lt(providerEvents.handledAt, before));
export const deleteOldMails = (db: Database, before: Instant) =>
  db.delete(mailbox).where(lt(mailbox.sentAt, before));

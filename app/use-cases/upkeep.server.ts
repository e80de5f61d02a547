// What cron does: every run is bounded, may be repeated, and says what it did.
import { listKnownUploads } from "#db/queries/items";
import { deleteExpiredLogins } from "#db/queries/logins";
import { deleteOldRequests } from "#db/queries/repeated-requests";
import {
  deleteOldMails,
  deleteOldProviderEvents,
  deleteOldResets,
  listStartingSessions,
  listUnclosedSessions,
} from "#db/queries/upkeep";
import { DAY, instant, MINUTE } from "~/domain/time";
import type { App } from "./app.server";

/** Rooms heal themselves when asked anything: those that start around now, and those that should have closed. */
export async function wakeRooms(app: App, limit = 50): Promise<{ woken: number; failed: number }> {
  const [starting, unclosed] = await app.db.batch([
    listStartingSessions(app.db, instant(app.now - 10 * MINUTE), instant(app.now + 10 * MINUTE), limit),
    listUnclosedSessions(app.db, instant(app.now - MINUTE), limit),
  ]);
  const ids = [...new Set([...starting, ...unclosed].map(({ id }) => id))];
  const results = await Promise.allSettled(ids.map((id) => app.rooms.of(id).refresh()));
  const failed = results.filter((result) => result.status === "rejected").length;
  return { woken: ids.length - failed, failed };
}

/** Forgets what is of no use any more: request keys, ended logins, reset links, local mails. */
export async function tidyUp(app: App): Promise<{ done: true }> {
  await app.db.batch([
    deleteOldRequests(app.db, instant(app.now - DAY)),
    deleteExpiredLogins(app.db, app.now),
    deleteOldResets(app.db, instant(app.now - DAY)),
    deleteOldProviderEvents(app.db, instant(app.now - 60 * DAY)),
    deleteOldMails(app.db, instant(app.now - 30 * DAY)),
  ]);
  return { done: true };
}

/**
 * Stored images that no row knows, left by an upload that failed half-way, go after a day. Keys begin with a random hex
 * digit and each day looks at one of the sixteen, so that a run is bounded and needs no memory of the one before.
 */
export async function deleteOrphanedUploads(
  app: App,
  limit = 500,
): Promise<{ looked: number; deleted: number }> {
  const digit = (Math.floor(app.now / DAY) % 16).toString(16);
  const stored = await app.uploads.list(digit, limit);
  const old = stored.filter(({ storedAt }) => storedAt < app.now - DAY).map(({ key }) => key);
  if (old.length === 0) return { looked: stored.length, deleted: 0 };
  const known = new Set((await listKnownUploads(app.db, old)).map(({ key }) => key));
  const orphans = old.filter((key) => !known.has(key));
  if (orphans.length > 0) await app.uploads.delete(orphans);
  return { looked: stored.length, deleted: orphans.length };
}

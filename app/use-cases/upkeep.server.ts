// What cron does: every run is bounded, may be repeated, and says what it did.
import * as audit from "#db/queries/audit";
import * as confirmations from "#db/queries/confirmations";
import * as devices from "#db/queries/devices";
import * as logins from "#db/queries/logins";
import * as repeatedRequests from "#db/queries/repeated-requests";
import * as upkeep from "#db/queries/upkeep";
import { AUDIT_KEPT } from "~/domain/audit";
import { DAY, instant, MINUTE } from "~/domain/time";
import type { App } from "./app.server";

/** Rooms heal themselves when asked anything: those that start around now, and those that should have closed. */
export async function wakeRooms(app: App, limit = 50): Promise<{ woken: number; failed: number }> {
  const [starting, unclosed] = await app.db.batch([
    upkeep.listStartingSessions(
      app.db,
      instant(app.now - 10 * MINUTE),
      instant(app.now + 10 * MINUTE),
      limit,
    ),
    upkeep.listUnclosedSessions(app.db, instant(app.now - MINUTE), limit),
  ]);
  const ids = [...new Set([...starting, ...unclosed].map(({ id }) => id))];
  const results = await Promise.allSettled(ids.map((id) => app.rooms.of(id).refresh()));
  const failed = results.filter((result) => result.status === "rejected").length;
  return { woken: ids.length - failed, failed };
}

/** Rows of the audit that one night deletes at most. */
const OLD_ACTS = 5000;

/** Forgets what is of no use any more: request keys, ended logins, reset links, local mails, the audit after 730 days. */
export async function tidyUp(app: App): Promise<{ done: true }> {
  await app.db.batch([
    repeatedRequests.deleteOldRequests(app.db, instant(app.now - DAY)),
    logins.deleteExpiredLogins(app.db, app.now),
    devices.deleteExpiredDevices(app.db, app.now),
    upkeep.deleteOldResets(app.db, instant(app.now - DAY)),
    // A link that is over still says whose it was, so that a new one can be sent.
    confirmations.deleteOldConfirmations(app.db, instant(app.now - 30 * DAY)),
    upkeep.deleteOldProviderEvents(app.db, instant(app.now - 60 * DAY)),
    upkeep.deleteOldMails(app.db, instant(app.now - 30 * DAY)),
    audit.deleteOldActs(app.db, instant(app.now - AUDIT_KEPT), OLD_ACTS),
  ]);
  return { done: true };
}

/** Images are looked at so many at a time, in the order of their keys; the next run goes on where this one ended. */
const AT_A_TIME = 500;
/** A text that shows an image may still be a draft in somebody's browser, or lie in a room. */
const UNUSED_FOR = 60 * DAY;

/** Stored images that no row knows, left by an upload that failed half-way, go after a day. */
export async function deleteOrphanedUploads(
  app: App,
  limit = AT_A_TIME,
): Promise<{ looked: number; deleted: number }> {
  const job = "delete-orphaned-uploads";
  const stored = await app.uploads.list(await readMark(app, job), limit);
  const old = stored.filter(({ storedAt }) => storedAt < app.now - DAY).map(({ key }) => key);
  const known = new Set((await upkeep.listKnownUploads(app.db, old)).map(({ key }) => key));
  const orphans = old.filter((key) => !known.has(key));
  if (orphans.length > 0) await app.uploads.delete(orphans);
  await upkeep.setMark(app.db, job, nextMark(stored, limit));
  return { looked: stored.length, deleted: orphans.length };
}

/** Images with a row that no text shows, two months after they came. The row goes first, by one statement that looks. */
export async function deleteUnusedUploads(
  app: App,
  limit = AT_A_TIME,
): Promise<{ looked: number; deleted: number }> {
  const job = "delete-unused-uploads";
  const rows = await upkeep.listUploadsAfter(app.db, await readMark(app, job), limit);
  const old = rows.filter(({ createdAt }) => createdAt < app.now - UNUSED_FOR).map(({ key }) => key);
  const gone = old.length > 0 ? await upkeep.deleteUploadsNotShown(app.db, old) : [];
  // What is lost here is an image without a row, which the other job finds.
  if (gone.length > 0) await app.uploads.delete(gone.map(({ key }) => key));
  await upkeep.setMark(app.db, job, nextMark(rows, limit));
  return { looked: rows.length, deleted: gone.length };
}

const readMark = async (app: App, job: string): Promise<string> =>
  (await upkeep.findMark(app.db, job))[0]?.mark ?? "";
/** After the last one it begins anew. */
const nextMark = (looked: { key: string }[], limit: number): string =>
  looked.length < limit ? "" : (looked.at(-1)?.key ?? "");

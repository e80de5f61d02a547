// The cron jobs that wake rooms and delete what has expired. Each is bounded and idempotent, and returns its counts.
import { runBatch, type Statement } from "#db/connect.server";
import { deleteExpiredKeys } from "#db/queries/accounts/api-keys";
import * as confirmations from "#db/queries/accounts/confirmations";
import * as devices from "#db/queries/accounts/devices";
import { deleteOldNames } from "#db/queries/accounts/kept-names";
import * as logins from "#db/queries/accounts/logins";
import * as twoStep from "#db/queries/accounts/two-step";
import { deleteOldFailedRows } from "#db/queries/failed-rows";
import * as hutEntry from "#db/queries/huts/entry";
import * as deliveries from "#db/queries/notices/deliveries";
import * as notices from "#db/queries/notices/notices";
import { deleteOldPushes } from "#db/queries/notices/push";
import * as repeatedRequests from "#db/queries/repeated-requests";
import * as audit from "#db/queries/safety/audit";
import { deleteUnansweredStandingSeats } from "#db/queries/series/standing";
import * as waiters from "#db/queries/sessions/waiters";
import * as upkeep from "#db/queries/upkeep";
import { dayAt } from "~/domain/days";
import { UNUSED_DAYS } from "~/domain/items/images";
import { subjectOf } from "~/domain/notices/events";
import { AUDIT_RETENTION } from "~/domain/safety/audit";
import { WAITING_LIMITS } from "~/domain/sessions/waiting";
import { DAY, type Instant, instant, MINUTE } from "~/domain/time";
import { expiredBefore } from "~/use-cases/huts/entry.server";
import { newEvent } from "~/use-cases/notices/events.server";
import { sessionPath } from "~/use-cases/sessions/read.server";
import type { App } from "./app.server";
import { runEachRow } from "./each-row.server";

/**
 * Calls the rooms of sessions that start about now, and of those that should have closed: a room catches up whenever it
 * is called.
 */
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
  const { done, failed } = await runEachRow(app, ids, {
    job: "wake-rooms",
    nameOf: (id) => id,
    atOnce: ids.length,
    runRow: (id) => app.rooms.of(id).refresh(),
  });
  return { woken: done.length, failed: failed.length };
}

/** Maximum decided deliveries that one night deletes; their keys are not needed after a week. */
const MAX_DELIVERIES_A_NIGHT = 20_000;
/** Maximum audit rows that one night deletes. */
const MAX_ACTS_A_NIGHT = 5000;

/** Deletes expired rows, each kind in a batch of its own. Decided deliveries are counted by day first. */
export async function deleteExpiredRows(app: App): Promise<{ tidied: number; failed: number }> {
  const { db, now } = app;
  const ago = (age: number) => instant(now - age);
  const steps: [name: string, statements: Statement[]][] = [
    ["requests", [repeatedRequests.deleteOldRequests(db, ago(DAY))]],
    ["logins", [logins.deleteExpiredLogins(db, now)]],
    ["keys", [deleteExpiredKeys(db, now)]],
    ["devices", [devices.deleteExpiredDevices(db, now)]],
    ["kept names", [deleteOldNames(db, now)]],
    ["resets", [upkeep.deleteOldResets(db, ago(DAY))]],
    // An expired link still identifies its account, so that a new one can be sent.
    ["confirmations", [confirmations.deleteOldConfirmations(db, ago(30 * DAY))]],
    ["challenges", [twoStep.deleteOldChallenges(db, now)]],
    ["provider events", [upkeep.deleteOldProviderEvents(db, ago(60 * DAY))]],
    ["mails", [upkeep.deleteOldMails(db, ago(30 * DAY))]],
    ["pushes", [deleteOldPushes(db, ago(30 * DAY))]],
    ["hut requests", [hutEntry.deleteOldRequests(db, expiredBefore(now))]],
    ["accepted invitations", [hutEntry.deleteOldAcceptedInvitations(db, expiredBefore(now))]],
    ["waiting lists", [waiters.deleteClosedLists(db)]],
    ["places without a code", await endUnansweredPlaces(app, ago(WAITING_LIMITS.code))],
    ["standing seats without a code", [deleteUnansweredStandingSeats(db, ago(WAITING_LIMITS.code))]],
    [
      "delivery counts",
      [
        // The step "deliveries" below deletes these rows after a week.
        deliveries.storeDecidedCounts(db, dayAt(ago(6 * DAY), "UTC")),
        deliveries.deleteOldCounts(db, dayAt(ago(32 * DAY), "UTC")),
      ],
    ],
    [
      "notices",
      notices.deleteOldNotices(db, {
        before: ago(90 * DAY),
        maxPerUser: 1000,
        limit: MAX_DELIVERIES_A_NIGHT,
      }),
    ],
    ["deliveries", [deliveries.deleteOldDeliveries(db, ago(7 * DAY), MAX_DELIVERIES_A_NIGHT)]],
    ["failed rows", [deleteOldFailedRows(db, ago(7 * DAY))]],
    ["audit", [audit.deleteOldActs(db, ago(AUDIT_RETENTION), MAX_ACTS_A_NIGHT)]],
  ];
  const { done, failed } = await runEachRow(app, steps, {
    job: "tidy-up",
    nameOf: ([name]) => name,
    runRow: ([, statements]) => runBatch(db, statements),
  });
  return { tidied: done.length, failed: failed.length };
}

/** Maximum sessions per night whose unanswered waiting-list places are ended. */
const MAX_SESSIONS_A_NIGHT = 200;

async function endUnansweredPlaces(app: App, before: Instant): Promise<Statement[]> {
  const sessions = await waiters.listSessionsWithUnanswered(app.db, before, MAX_SESSIONS_A_NIGHT);
  return sessions.flatMap(({ id, title }) => {
    const subject = subjectOf("session", id);
    const endedEvent = newEvent(app, {
      kind: "waiting-ended",
      subject,
      body: { title, path: sessionPath(id) },
    });
    return waiters.deleteUnansweredWaiters(app.db, { sessionId: id, before }, endedEvent);
  });
}

/** Images are checked in batches in key order; the next run continues after this one. */
const IMAGES_A_BATCH = 500;
const UNUSED_FOR = UNUSED_DAYS * DAY;

/** Deletes stored images without a row, left by failed uploads, after a day. */
export async function deleteOrphanedUploads(
  app: App,
  limit = IMAGES_A_BATCH,
): Promise<{ looked: number; deleted: number }> {
  const job = "delete-orphaned-uploads";
  const storedImages = await app.uploads.list(await readMark(app, job), limit);
  const oldKeys = storedImages.filter(({ storedAt }) => storedAt < app.now - DAY).map(({ key }) => key);
  const knownKeys = new Set((await upkeep.listKnownUploads(app.db, oldKeys)).map(({ key }) => key));
  const orphans = oldKeys.filter((key) => !knownKeys.has(key));
  if (orphans.length > 0) await app.uploads.delete(orphans);
  await upkeep.setMark(app.db, job, nextMark(storedImages, limit));
  return { looked: storedImages.length, deleted: orphans.length };
}

/**
 * Deletes images that no text shows, two months after their upload. The row goes first, with the check in the same
 * statement.
 */
export async function deleteUnusedUploads(
  app: App,
  limit = IMAGES_A_BATCH,
): Promise<{ looked: number; deleted: number }> {
  const job = "delete-unused-uploads";
  const rows = await upkeep.listUploadsAfter(app.db, await readMark(app, job), limit);
  const oldKeys = rows.filter(({ createdAt }) => createdAt < app.now - UNUSED_FOR).map(({ key }) => key);
  const deletedRows = oldKeys.length > 0 ? await upkeep.deleteUploadsNotShown(app.db, oldKeys) : [];
  // A failure here leaves an image without a row, which `deleteOrphanedUploads` finds.
  if (deletedRows.length > 0) await app.uploads.delete(deletedRows.map(({ key }) => key));
  await upkeep.setMark(app.db, job, nextMark(rows, limit));
  return { looked: rows.length, deleted: deletedRows.length };
}

const readMark = async (app: App, job: string): Promise<string> =>
  (await upkeep.findMark(app.db, job))[0]?.mark ?? "";
/** The last key of a full batch; empty after the last batch, so that the next run starts over. */
const nextMark = (batch: { key: string }[], limit: number): string =>
  batch.length < limit ? "" : (batch.at(-1)?.key ?? "");

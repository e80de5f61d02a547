// The records of an export by kind: each as the API writes it, with what only the export knows beside it.
import type { Database } from "#db/connect.server";
import * as accounts from "#db/queries/accounts/accounts";
import * as read from "#db/queries/accounts/exports";
import { exportActivities, exportActivityGoals } from "#db/queries/activities/activities";
import { listRoomsOf } from "#db/queries/chat-of-user";
import { exportGoals } from "#db/queries/goals/goals";
import { exportLogs } from "#db/queries/goals/logs";
import { exportNotes } from "#db/queries/goals/notes";
import { exportItems } from "#db/queries/items/items";
import { exportDeliveries } from "#db/queries/notices/deliveries";
import { exportNotices, listSettings } from "#db/queries/notices/notices";
import { listBlocks } from "#db/queries/safety/blocks";
import { listReportsBy } from "#db/queries/safety/reports";
import { listSanctionsOf } from "#db/queries/safety/sanctions";
import { exportSeries } from "#db/queries/series/series";
import { AppError } from "~/domain/errors";
import { textOfMinute } from "~/domain/notices/quiet-hours";
import { requireUser } from "~/domain/permissions";
import { SEAT_ROLE } from "~/domain/roles";
import { apiKeyOut, loginOut, passkeyOut, userOut } from "~/wire/accounts/accounts";
import { activityOut, entryRequestOut, followOut } from "~/wire/activities/activities";
import type { ExportKind, ExportRecord } from "~/wire/export";
import { dayOut } from "~/wire/goals/days";
import { ownGoalOut } from "~/wire/goals/goals";
import { logOut } from "~/wire/goals/logs";
import { noteOut } from "~/wire/goals/notes";
import { favoriteOut, itemOut, paraphraseOut, uploadOut } from "~/wire/items/items";
import { myHutOut, mySessionOut } from "~/wire/my";
import { deliveryOut, noticeOut, settingOut } from "~/wire/notices/notices";
import { entryOut, lotOut, purchaseOut, subscriptionOut } from "~/wire/payments/payments";
import { blockOut, decisionOut, reportOut, sanctionOut } from "~/wire/safety/safety";
import { seriesOut, standingSeatOut, turnOut } from "~/wire/series/series";
import { contributionOut, messageOut, postOut } from "~/wire/sessions/sessions";
import { flagOut, instantOut } from "~/wire/values";
import { accountOf } from "./accounts/complete-login.server";
import { showActivity } from "./activities/activities.server";
import type { App } from "./app.server";
import { itemSeenBy } from "./items/items.server";
import { asLogShown } from "./my.server";
import { showNotice } from "./notices/notices.server";
import { subscriptionView } from "./payments/subscriptions.server";
import { showSeries } from "./series/view.server";

const ROWS_PER_BATCH = 500;

type Records = AsyncGenerator<ExportRecord[]>;
type Reader = (app: App, ownerId: number) => Records;
type Row<Read extends (...args: never[]) => PromiseLike<unknown[]>> = Awaited<ReturnType<Read>>[number];

/** Reads a list in batches. Each begins after the key of the previous batch's last row; the last one is not full. */
async function* readBatches<T, K>(
  start: K,
  next: (after: K) => PromiseLike<T[]>,
  keyOf: (row: T) => K,
): AsyncGenerator<T[]> {
  let after = start;
  for (;;) {
    const rows = await next(after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_BATCH) return;
    after = keyOf(last);
  }
}

/** A long list, in the order of a key. */
function inBatches<T, K>(
  start: K,
  list: (db: Database, ownerId: number, after: K, limit: number) => PromiseLike<T[]>,
  keyOf: (row: T) => K,
  present: (row: T, app: App) => ExportRecord,
): Reader {
  return async function* (app, ownerId) {
    const batches = readBatches(start, (after) => list(app.db, ownerId, after, ROWS_PER_BATCH), keyOf);
    for await (const rows of batches) yield rows.map((row) => present(row, app));
  };
}

function byId<T extends { id: number }>(
  list: (db: Database, ownerId: number, after: number, limit: number) => PromiseLike<T[]>,
  present: (row: T, app: App) => ExportRecord,
): Reader {
  return inBatches(0, list, ({ id }) => id, present);
}

/** Reads a whole list at once; for lists of short rows that stay short. */
function atOnce<T>(
  list: (db: Database, ownerId: number) => PromiseLike<T[]>,
  present: (row: T, app: App) => ExportRecord,
): Reader {
  return async function* (app, ownerId) {
    yield (await list(app.db, ownerId)).map((row) => present(row, app));
  };
}

/** A list that belongs to a person, for each person of the account. */
const ofPersons = (reader: Reader): Reader =>
  async function* (app, userId) {
    for (const person of await read.exportPersons(app.db, userId)) yield* reader(app, person.id);
  };

const READERS: Record<ExportKind, Reader> = {
  account: readAccount,
  goals: byId(exportGoals, goalRecord),
  days: inBatches(
    { goalId: 0, day: "" },
    read.exportDays,
    ({ goalId, day }) => ({ goalId, day }),
    (day) => ({ goal_id: day.goalId, ...dayOut(day) }),
  ),
  logs: byId(exportLogs, (log) => ({
    ...logOut(asLogShown(log)),
    goal_title: log.goalTitle,
    unit: log.goalUnit,
  })),
  notes: byId(exportNotes, noteOut),
  items: ofPersons(
    inBatches(
      // Callers set any finite order.
      { orderMs: -Number.MAX_VALUE, id: 0 },
      exportItems,
      ({ orderMs, id }) => ({ orderMs, id }),
      (item) => ({
        // Each person of the account owns the items, whichever acts.
        ...itemOut(itemSeenBy(item, { isOwner: true })),
        person: item.username,
        updated_at: instantOut(item.updatedAt),
      }),
    ),
  ),
  paraphrases: ofPersons(
    byId(read.exportParaphrases, (paraphrase) => ({
      ...paraphraseOut(paraphrase),
      person: paraphrase.username,
      snippet: paraphrase.snippet,
      updated_at: instantOut(paraphrase.updatedAt),
    })),
  ),
  posts: byId(read.exportPosts, postRecord),
  contributions: byId(read.exportContributions, contributionOut),
  activities: readActivities,
  sessions: byId(read.exportSeats, sessionRecord),
  series: byId(exportSeries, (series, app) => ({
    ...seriesOut(showSeries(app, series)),
    local_start: series.localStart,
    session: series.template,
    paused_at: instantOut(series.pausedAt),
    ended_at: instantOut(series.endedAt),
    created_at: instantOut(series.createdAt),
  })),
  "standing-seats": atOnce(read.exportStandingSeats, standingSeatOut),
  turns: atOnce(read.exportRotaTurns, turnOut),
  groups: atOnce(read.exportHuts, hutRecord),
  favorites: atOnce(read.exportFavorites, favoriteOut),
  uploads: atOnce(read.exportUploads, (upload, { settings }) => uploadOut(upload, settings.origin)),
  tokens: atOnce(read.exportLots, lotOut),
  "token-entries": byId(read.exportEntries, entryOut),
  purchases: atOnce(read.exportPurchases, purchaseOut),
  subscriptions: atOnce(read.exportSubscriptions, (subscription, { now }) =>
    subscriptionOut(subscriptionView(subscription, now)),
  ),
  logins: atOnce(read.exportLogins, loginOut),
  blocks: atOnce(listBlocks, blockOut),
  sanctions: atOnce(listSanctionsOf, sanctionOut),
  reports: atOnce(listReportsBy, ({ closedAt, ...report }) => ({
    ...reportOut(report),
    closed_at: instantOut(closedAt),
  })),
  decisions: atOnce(read.exportDecisions, decisionOut),
  passkeys: atOnce(read.exportPasskeys, (passkey) => ({
    ...passkeyOut(passkey),
    last_used_at: instantOut(passkey.lastUsedAt),
  })),
  "api-keys": atOnce(read.exportKeys, apiKeyOut),
  follows: atOnce(read.exportFollows, followOut),
  requests: atOnce(read.exportRequests, entryRequestOut),
  messages: readMessages,
  notices: inBatches(
    "",
    exportNotices,
    ({ id }) => id,
    (notice, app) => ({ ...noticeOut(showNotice(app, notice)), read_at: instantOut(notice.readAt) }),
  ),
  "notification-settings": atOnce(listSettings, settingOut),
  deliveries: inBatches("", exportDeliveries, ({ key }) => key, deliveryOut),
};

export const exportRows = (app: App, kind: ExportKind): Records =>
  READERS[kind](app, requireUser(app.user).id);

async function* readAccount(app: App, userId: number): Records {
  const [[user], persons, [twoStep], [subscription], myGoals] = await app.db.batch([
    read.exportUser(app.db, userId),
    read.exportPersons(app.db, userId),
    read.exportTwoStep(app.db, userId),
    accounts.findOpenSubscription(app.db, userId, app.now),
    accounts.listOpenGoals(app.db, userId),
  ]);
  if (!user) throw new AppError("NOT_FOUND");
  yield [
    {
      ...userOut(accountOf(requireUser(app.user), { subscription: subscription ?? null, myGoals })),
      // The API answers with the name of the person who acts; the record is the account's (V-04).
      username: user.username,
      time_zone: user.timeZone,
      locale: user.locale,
      distance_unit: user.distanceUnit,
      quiet_from: user.quietFrom === null ? null : textOfMinute(user.quietFrom),
      quiet_to: user.quietTo === null ? null : textOfMinute(user.quietTo),
      digest: user.digest,
      persons: persons.map(({ username }) => username),
      two_step_since: instantOut(twoStep?.since ?? null),
      created_at: instantOut(user.createdAt),
      updated_at: instantOut(user.updatedAt),
    },
  ];
}

/** The logs of a goal are a list of their own. `ownerName`: the account's, whichever person acts (V-04). */
function goalRecord({ tags, activeLogId, ownerName, ...goal }: Row<typeof exportGoals>): ExportRecord {
  const { logs: _, ...record } = ownGoalOut({ goal, tags, activeLogId, username: ownerName });
  return record;
}

/** The replies to a post are texts of others. */
function postRecord(post: Row<typeof read.exportPosts>): ExportRecord {
  const isRemoved = post.removedAt !== null;
  const {
    replies: _,
    earlier_replies: __,
    ...record
  } = postOut({ ...post, isRemoved, isMine: true, replies: [], earlierReplies: null });
  return {
    ...record,
    challenge_event_id: post.sessionId,
    group_id: post.hutId,
    removed_at: instantOut(post.removedAt),
    updated_at: instantOut(post.updatedAt),
  };
}

/** The user's own goals of an activity are in the list of goals. */
async function* readActivities(app: App, userId: number): Records {
  const batches = readBatches(
    0,
    async (after) => {
      const [rows, goals] = await app.db.batch([
        exportActivities(app.db, userId, after, ROWS_PER_BATCH),
        exportActivityGoals(app.db, userId, after, ROWS_PER_BATCH),
      ]);
      return rows.map((row) => ({ row, goals: goals.filter(({ activityId }) => activityId === row.id) }));
    },
    ({ row }) => row.id,
  );
  for await (const rows of batches)
    yield rows.map(({ row, goals }) => {
      const { my_goals: _, ...record } = activityOut({ ...showActivity(app, row), goals, myGoals: [] });
      return { ...record, category: row.category, updated_at: instantOut(row.updatedAt) };
    });
}

/** The texts of a session are its host's. */
function sessionRecord(seat: Row<typeof read.exportSeats>, app: App): ExportRecord {
  const ownTexts = seat.isHost ? seat : null;
  const session = {
    ...seat,
    summary: ownTexts?.summary ?? "",
    role: seat.role ?? SEAT_ROLE.participant,
    participantsCount: seat.participantsCount ?? 0,
  };
  return {
    ...mySessionOut(session, app.now),
    participants_count: seat.participantsCount,
    is_joined: flagOut(seat.joinedAt !== null),
    role: seat.role,
    content: ownTexts?.content ?? null,
    prompt: ownTexts?.prompt ?? null,
    meeting_link: ownTexts?.meetingLink ?? null,
    donation_link: ownTexts?.donationLink ?? null,
    joined_at: instantOut(seat.joinedAt),
    aim: seat.aim,
    aim_goal_id: seat.aimGoalId,
    waiting_since: instantOut(seat.waitingSince),
    attended: seat.attendedSeconds,
    has_come: seat.hasCome === null ? null : flagOut(seat.hasCome),
  };
}

/** The texts of a hut are its owner's. */
function hutRecord(hut: Row<typeof read.exportHuts>, app: App): ExportRecord {
  const isOwner = hut.ownerId === app.user?.id;
  const texts = isOwner ? {} : { contentHtml: "", summary: "" };
  return {
    ...myHutOut({ ...hut, ...texts }),
    content: isOwner ? hut.content : null,
    is_owner: flagOut(isOwner),
    joined_at: instantOut(hut.joinedAt),
  };
}

/** Every chat line of the user that still has a text, room by room. */
async function* readMessages(app: App, userId: number): Records {
  const rooms = readBatches(
    0,
    (after) => listRoomsOf(app.db, userId, after, ROWS_PER_BATCH),
    ({ id }) => id,
  );
  for await (const roomBatch of rooms)
    for (const { id } of roomBatch) {
      const lines = readBatches(
        -1,
        (after) => app.rooms.of(id).linesOf({ userId, after, limit: ROWS_PER_BATCH }),
        ({ seq }) => seq,
      );
      for await (const lineBatch of lines)
        yield lineBatch.map((line) => ({ ...messageOut(line, id), challenge_event_id: id }));
    }
}

// The rows of an export by kind, in the outside words. Long lists are read in batches.

import * as read from "#db/queries/accounts/exports";
import * as chatOfUser from "#db/queries/chat-of-user";
import { exportDeliveries } from "#db/queries/notices/deliveries";
import * as notices from "#db/queries/notices/notices";
import { listBlocks } from "#db/queries/safety/blocks";
import { listReportsBy } from "#db/queries/safety/reports";
import { listSanctionsOf } from "#db/queries/safety/sanctions";
import { milesOut } from "~/domain/distances";
import { AppError } from "~/domain/errors";
import { textOfMinute } from "~/domain/notices/quiet-hours";
import { writeNotice } from "~/domain/notices/texts";
import { tokensOf } from "~/domain/tokens";
import type { App } from "~/use-cases/app.server";
import type { ExportKind, ExportRecord } from "~/wire/export";
import { buttonOut, timerOut } from "~/wire/goals/goals";
import type { OutsideGoal } from "~/wire/goals/names";
import { decimalOut, flagOut, instantOut } from "~/wire/values";

/** Reads a list in batches. Each begins after the key of the previous batch's last row; the last one is not full. */
async function* readBatches<T, K>(
  start: K,
  next: (after: K) => Promise<T[]>,
  keyOf: (row: T) => K,
): AsyncGenerator<T[]> {
  let after = start;
  for (;;) {
    const rows = await next(after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < read.ROWS_PER_CHUNK) return;
    after = keyOf(last);
  }
}

export async function* exportRows(
  app: App,
  userId: number,
  kind: ExportKind,
): AsyncGenerator<ExportRecord[]> {
  const { db } = app;
  switch (kind) {
    case "account":
      yield await exportAccount(app, userId);
      return;
    case "goals":
      yield await exportGoals(app, userId);
      return;
    case "days":
      for await (const rows of readBatches(
        { goalId: 0, day: "" },
        (after) => read.exportDays(db, userId, after),
        ({ goalId, day }) => ({ goalId, day }),
      ))
        yield rows.map((row) => ({
          day: row.day,
          goal_id: row.goalId,
          amount: decimalOut(row.amount),
          duration_elapsed: row.duration,
          distance: milesOut(row.distance),
          logs: row.logs,
          is_skipped: flagOut(row.isSkipped),
        }));
      return;
    case "logs":
      for await (const rows of readBatches(
        0,
        (after) => read.exportLogs(db, userId, after),
        ({ log }) => log.id,
      ))
        yield rows.map(logRecord);
      return;
    case "notes":
      for await (const rows of readBatches(
        0,
        (after) => read.exportNotes(db, userId, after),
        ({ id }) => id,
      ))
        yield rows.map((note) => ({
          id: note.id,
          goal_id: note.goalId,
          title: note.title,
          content: note.content,
          todo: note.todo,
          done: note.done,
          ...timestampsOf(note),
        }));
      return;
    case "posts":
      for await (const rows of readBatches(
        0,
        (after) => read.exportPosts(db, userId, after),
        ({ id }) => id,
      ))
        yield rows.map((post) => ({
          id: post.id,
          challenge_event_id: post.sessionId,
          group_id: post.hutId,
          parent_id: post.parentId,
          username: post.username,
          title: post.title,
          content: post.content,
          edited_at: instantOut(post.editedAt),
          removed_at: instantOut(post.removedAt),
          ...timestampsOf(post),
        }));
      return;
    case "contributions":
      for await (const rows of readBatches(
        0,
        (after) => read.exportContributions(db, userId, after),
        ({ id }) => id,
      ))
        yield rows.map((row) => ({
          challenge_event_id: row.sessionId,
          username: row.username,
          content: row.content,
          created_at: instantOut(row.createdAt),
        }));
      return;
    case "items":
      for (const person of await read.exportPersons(db, userId))
        yield (await read.exportItems(db, person.id)).map((item) => ({
          id: item.id,
          person: person.username,
          parent_id: item.parentId || null,
          group_id: item.hutId,
          title: item.title,
          slug: item.slug,
          content: item.content,
          status: item.status,
          is_book: flagOut(item.isBook),
          url: item.url,
          ...timestampsOf(item),
        }));
      return;
    case "paraphrases":
      for (const person of await read.exportPersons(db, userId))
        yield (await read.exportParaphrases(db, person.id)).map(({ paraphrase, snippet }) => ({
          id: paraphrase.id,
          person: person.username,
          snippet_id: paraphrase.snippetId,
          snippet,
          title: paraphrase.title,
          content: paraphrase.content,
          ...timestampsOf(paraphrase),
        }));
      return;
    case "token-entries":
      for await (const rows of readBatches(
        0,
        (after) => read.exportEntries(db, userId, after),
        ({ id }) => id,
      ))
        yield rows.map((entry) => ({
          id: entry.id,
          lot_id: entry.lotId,
          tokens: tokensOf(entry.amount),
          reason: entry.reason,
          created_at: instantOut(entry.createdAt),
        }));
      return;
    case "messages":
      yield* exportMessages(app, userId);
      return;
    case "notices":
      for await (const rows of readBatches(
        "",
        (after) => notices.exportNotices(db, userId, after, read.ROWS_PER_CHUNK),
        ({ id }) => id,
      ))
        yield rows.map((notice) => ({
          id: notice.id,
          text: writeNotice(notice, app).text,
          created_at: instantOut(notice.at),
          read_at: instantOut(notice.readAt),
        }));
      return;
    case "deliveries":
      for await (const rows of readBatches(
        "",
        (after) => exportDeliveries(db, userId, after, read.ROWS_PER_CHUNK),
        ({ key }) => key,
      ))
        yield rows.map((delivery) => ({
          kind: delivery.kind,
          channel: delivery.channel,
          state: delivery.state,
          reason: delivery.reason,
          due_at: instantOut(delivery.dueAt),
          created_at: instantOut(delivery.at),
        }));
      return;
    default:
      yield await exportShortList(app, userId, kind);
  }
}

/** Every chat line of the user that still has a text, room by room. */
async function* exportMessages(app: App, userId: number): AsyncGenerator<ExportRecord[]> {
  const rooms = readBatches(
    0,
    (after) => chatOfUser.listRoomsOf(app.db, userId, after, read.ROWS_PER_CHUNK),
    ({ id }) => id,
  );
  for await (const roomBatch of rooms)
    for (const { id } of roomBatch) {
      const lines = readBatches(
        -1,
        (after) => app.rooms.of(id).linesOf({ userId, after, limit: read.ROWS_PER_CHUNK }),
        ({ seq }) => seq,
      );
      for await (const lineBatch of lines)
        yield lineBatch.map((line) => ({
          challenge_event_id: id,
          seq: line.seq,
          content: line.content,
          edited_at: instantOut(line.editedAt),
          created_at: instantOut(line.createdAt),
        }));
    }
}

type Timestamped = {
  createdAt: Parameters<typeof instantOut>[0];
  updatedAt: Parameters<typeof instantOut>[0];
};
const timestampsOf = ({ createdAt, updatedAt }: Timestamped) => ({
  created_at: instantOut(createdAt),
  updated_at: instantOut(updatedAt),
});

async function exportAccount(app: App, userId: number): Promise<ExportRecord[]> {
  const [[user], persons, [twoStep]] = await app.db.batch([
    read.exportUser(app.db, userId),
    read.exportPersons(app.db, userId),
    read.exportTwoStep(app.db, userId),
  ]);
  if (!user) throw new AppError("NOT_FOUND");
  return [
    {
      username: user.username,
      email: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
      time_zone: user.timeZone,
      locale: user.locale,
      distance_unit: user.distanceUnit,
      quiet_from: user.quietFrom === null ? null : textOfMinute(user.quietFrom),
      quiet_to: user.quietTo === null ? null : textOfMinute(user.quietTo),
      digest: user.digest,
      persons: persons.map(({ username }) => username),
      two_step_since: instantOut(twoStep?.since ?? null),
      ...timestampsOf(user),
    },
  ];
}

/** Fields of a goal that exist only in sessions and activities. */
type SessionOnlyField = "order" | "events_group_uuid" | "per_participant" | "edit_content" | "edit_summary";

async function exportGoals(app: App, userId: number): Promise<ExportRecord[]> {
  const [rows, tags] = await app.db.batch([
    read.exportGoals(app.db, userId),
    read.exportTags(app.db, userId),
  ]);
  const tagsByGoal = new Map<number, string[]>();
  for (const { goalId, tag } of tags) tagsByGoal.set(goalId, [...(tagsByGoal.get(goalId) ?? []), tag]);
  return rows.map(
    (goal) =>
      ({
        id: goal.id,
        uuid: goal.uuid,
        title: goal.title,
        link: goal.link,
        content: goal.content,
        tags: tagsByGoal.get(goal.id) ?? [],
        action: goal.action,
        unit: goal.unit,
        amount: decimalOut(goal.amount),
        duration: goal.duration,
        action_duration: goal.actionDuration,
        distance: milesOut(goal.distance),
        sets: goal.sets,
        completions_required: goal.completionsRequired,
        amount_elapsed: decimalOut(goal.amountElapsed),
        duration_elapsed: goal.durationElapsed,
        distance_elapsed: milesOut(goal.distanceElapsed),
        logs_count: goal.logsCount,
        is_interval: flagOut(goal.isInterval),
        timers: goal.timers.map(timerOut),
        is_list: flagOut(goal.isList),
        items: goal.items.map(({ uuid, title, link, isChecked }) => ({
          uuid,
          title,
          link,
          x: flagOut(isChecked),
        })),
        quick_log_buttons: goal.quickLogButtons.map(buttonOut),
        recurrence: goal.recurrence,
        remind_at: goal.remindAt === null ? null : textOfMinute(goal.remindAt),
        started_at: instantOut(goal.startedAt),
        ended_at: instantOut(goal.endedAt),
        status: goal.status,
        completed_at: instantOut(goal.completedAt),
        challenge_event_id: goal.attachedSessionId,
        ...timestampsOf(goal),
      }) satisfies Omit<OutsideGoal, SessionOnlyField> & ExportRecord,
  );
}

const logRecord = ({
  log,
  goalTitle,
  goalUnit,
}: Awaited<ReturnType<typeof read.exportLogs>>[number]): ExportRecord => ({
  id: log.id,
  uuid: log.uuid,
  day: log.day,
  goal_id: log.goalId,
  goal: goalTitle,
  action: log.action,
  amount: decimalOut(log.amount),
  unit: goalUnit,
  duration: log.duration,
  elapsed_duration: log.elapsedDuration,
  is_timed: flagOut(log.isTimed),
  distance: milesOut(log.distance),
  status: log.status,
  title: log.title,
  content: log.content,
  challenge_event_id: log.sessionId,
  started_at: instantOut(log.startedAt),
  ended_at: instantOut(log.endedAt),
  paused_at: instantOut(log.pausedAt),
  ...timestampsOf(log),
});

type ShortKind = Exclude<
  ExportKind,
  | "messages"
  | "notices"
  | "deliveries"
  | "account"
  | "goals"
  | "days"
  | "logs"
  | "notes"
  | "posts"
  | "contributions"
  | "items"
  | "paraphrases"
  | "token-entries"
>;

/** The rows of a list that is short, because the user joined, bought or created each entry by hand. */
async function exportShortList(
  { db, settings }: App,
  userId: number,
  kind: ShortKind,
): Promise<ExportRecord[]> {
  switch (kind) {
    case "activities":
      return (await read.exportActivities(db, userId)).map((activity) => ({
        id: activity.id,
        slug: activity.slug,
        title: activity.title,
        content: activity.content,
        category: activity.category,
        difficulty: activity.difficulty,
        duration: activity.duration,
        is_preset: flagOut(activity.isTemplate),
        schedule: activity.schedule,
        ...timestampsOf(activity),
      }));
    case "sessions":
      return (await read.exportSeats(db, userId)).map((seat) => ({
        id: seat.sessionId,
        title: seat.title,
        started_at: instantOut(seat.startedAt),
        ended_at: instantOut(seat.endedAt),
        is_host: flagOut(seat.isHost),
        content: seat.isHost ? seat.content : null,
        prompt: seat.isHost ? seat.prompt : null,
        meeting_link: seat.isHost ? seat.meetingLink : null,
        donation_link: seat.isHost ? seat.donationLink : null,
        joined_at: instantOut(seat.joinedAt),
        completed_at: instantOut(seat.completedAt),
        aim: seat.aim,
        aim_goal_id: seat.aimGoalId,
        waiting_since: instantOut(seat.waitingSince),
        attended: seat.attendedSeconds,
        has_come: seat.hasCome === null ? null : flagOut(seat.hasCome),
      }));
    case "groups":
      return (await read.exportHuts(db, userId)).map((hut) => ({
        id: hut.id,
        slug: hut.slug,
        title: hut.title,
        content: hut.ownerId === userId ? hut.content : null,
        is_owner: flagOut(hut.ownerId === userId),
        joined_at: instantOut(hut.joinedAt),
      }));
    case "favorites":
      return (await read.exportFavorites(db, userId)).map((favorite) => ({
        kind: favorite.kind,
        id: favorite.targetId,
        created_at: instantOut(favorite.createdAt),
      }));
    case "uploads":
      return (await read.exportUploads(db, userId)).map((upload) => ({
        url: `${settings.origin}/uploads/${upload.key}`,
        type: upload.type,
        bytes: upload.bytes,
        created_at: instantOut(upload.createdAt),
      }));
    case "tokens":
      return (await read.exportLots(db, userId)).map((lot) => ({
        id: lot.id,
        kind: lot.kind,
        granted: tokensOf(lot.granted),
        remaining: tokensOf(lot.remaining),
        expires_at: instantOut(lot.expiresAt),
        created_at: instantOut(lot.createdAt),
      }));
    case "purchases":
      return (await read.exportPurchases(db, userId)).map((purchase) => ({
        id: purchase.id,
        usd: purchase.cents / 100,
        tokens: tokensOf(purchase.tokens),
        token_pool: flagOut(purchase.toPool),
        created_at: instantOut(purchase.createdAt),
      }));
    case "blocks":
      return (await listBlocks(db, userId)).map((block) => ({
        username: block.username,
        created_at: instantOut(block.createdAt),
      }));
    case "decisions":
      return (await read.exportDecisions(db, userId)).map((row) => ({
        kind: row.kind,
        id: row.targetId,
        act: row.act,
        reason: row.reason,
        text: row.snapshot,
        created_at: instantOut(row.decidedAt),
        appeal: row.appeal,
        appealed_at: instantOut(row.appealedAt),
        is_granted: row.isGranted === null ? null : flagOut(row.isGranted),
        answer: row.answer,
        answered_at: instantOut(row.answeredAt),
      }));
    case "passkeys":
      return (await read.exportPasskeys(db, userId)).map((passkey) => ({
        name: passkey.name,
        created_at: instantOut(passkey.createdAt),
        last_used_at: instantOut(passkey.lastUsedAt),
      }));
    case "notification-settings":
      return (await notices.listSettings(db, userId)).map(({ kind, channel, value }) => ({
        kind,
        channel,
        value,
      }));
    case "follows":
      return (await read.exportFollows(db, userId)).map((follow) => ({
        challenge_id: follow.activityId,
        created_at: instantOut(follow.followedAt),
      }));
    case "series":
      return (await read.exportSeries(db, userId)).map((row) => ({
        id: row.id,
        title: row.title,
        rule: row.rule,
        time_zone: row.timeZone,
        local_start: row.localStart,
        session: row.template,
        paused_at: instantOut(row.pausedAt),
        ended_at: instantOut(row.endedAt),
        created_at: instantOut(row.createdAt),
      }));
    case "standing-seats":
      return (await read.exportStandingSeats(db, userId)).map((row) => ({
        series_id: row.seriesId,
        since: instantOut(row.since),
      }));
    case "turns":
      return (await read.exportRotaTurns(db, userId)).map((row) => ({
        series_id: row.seriesId,
        accepted_at: instantOut(row.acceptedAt),
      }));
    case "requests":
      return (await read.exportRequests(db, userId)).map((request) => ({
        group_id: request.hutId,
        created_at: instantOut(request.createdAt),
      }));
    case "sanctions":
      return (await listSanctionsOf(db, userId)).map((row) => ({
        scope: row.scope,
        id: row.targetId,
        kind: row.kind,
        until: instantOut(row.until),
        reason: row.reason,
        created_at: instantOut(row.createdAt),
      }));
    case "reports":
      return (await listReportsBy(db, userId)).map((report) => ({
        kind: report.kind,
        id: report.targetId,
        reason: report.reason,
        text: report.text,
        created_at: instantOut(report.createdAt),
        closed_at: instantOut(report.closedAt),
      }));
    case "api-keys":
      return (await read.exportKeys(db, userId)).map((key) => ({
        name: key.name,
        start: key.start,
        scopes: key.scopes,
        created_at: instantOut(key.createdAt),
        expires_at: instantOut(key.expiresAt),
        last_used_at: instantOut(key.lastUsedAt),
      }));
    case "logins":
      return (await read.exportLogins(db, userId)).map((login) => ({
        device: login.userAgent,
        place: login.place,
        created_at: instantOut(login.createdAt),
        last_seen_at: instantOut(login.lastSeenAt),
      }));
  }
}

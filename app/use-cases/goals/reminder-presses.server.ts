// The buttons of a goal's reminder: the token that a push carries, and the press that it allows (W-01, W-02). The token
// is signed under DATA_KEY, and its log has a uuid of its own, which the ledger takes once.
import { listGoalDays } from "#db/queries/goals/days";
import * as logs from "#db/queries/goals/logs";
import { type Day, plusDays, type TimeReader } from "~/domain/days";
import { AppError } from "~/domain/errors";
import { GOAL_STATUS } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { loggedText, totalsFor } from "~/domain/goals/logged-text";
import { totalsOn } from "~/domain/goals/recurrence";
import {
  buttonsOfPush,
  canSkip,
  GOAL_IS_COMPLETED,
  isReminderOver,
  type Press,
  type PushButtons,
  REMINDER_IS_OVER,
  type ReminderToken,
  reminderButtons,
} from "~/domain/goals/reminder-buttons";
import { endOfDay } from "~/domain/notices/quiet-hours";
import type { Reader } from "~/domain/numbers";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import type { Instant } from "~/domain/time";
import { type App, readerOf } from "~/use-cases/app.server";
import { repeatableIds } from "~/use-cases/new-id.server";
import { skipDay } from "./days.server";
import { answerRepeat, findLoggable, type LogAnswer, recordLog } from "./logs.server";

const signedText = (body: string): string => `reminder:${body}`;

/** The buttons of the reminder of this delivery; null for a goal without any. A repeated delivery has the same token. */
export async function readPushButtons(
  app: App,
  press: { key: string; userId: number; username: string; goal: number; day: Day },
  reader: TimeReader & Reader,
): Promise<PushButtons | null> {
  const [goal] = await logs.findGoalById(app.db, press.goal);
  if (!app.vault || !goal || goal.userId !== press.userId) return null;
  const buttons = reminderButtons(goal);
  const until = endOfDay(plusDays(press.day, 1), reader.timeZone);
  const key = await app.vault.sign(`reminder-log:${press.key}`);
  const token: ReminderToken = {
    user: press.userId,
    goal: goal.id,
    day: press.day,
    until,
    uuid: repeatableIds({ userId: press.userId, key, call: "reminder" }, until)(),
    buttons: buttons.map(({ uuid, amount, distance, duration }) => ({ uuid, amount, distance, duration })),
    canSkip: canSkip(goal, buttons),
  };
  if (buttons.length === 0 && !token.canSkip) return null;
  const body = Buffer.from(JSON.stringify(token)).toString("base64url");
  const signature = await app.vault.sign(signedText(body));
  return buttonsOfPush(goal, { token: `${body}.${signature}`, by: press.username }, reader);
}

export type Pressed = { text: string; log: { id: number } | null };

/**
 * Logs on the day of the reminder, or skips it. A repeat answers the first log. NOT_FOUND for a forged token or a deleted
 * goal; CONFLICT under another login, for a press after the next day, and for a completed goal. `pressedAt` is the instant
 * of a press that waited for the network.
 */
export async function pressReminder(
  app: App,
  input: { token: string; press: Press; pressedAt?: Instant | undefined },
): Promise<Pressed> {
  const user = requireUser(app.user, refusals.signInToLog);
  const [body = "", signature = ""] = input.token.split(".");
  if (!(await app.vault?.verify(signedText(body), signature))) throw new AppError("NOT_FOUND");
  const token = JSON.parse(Buffer.from(body, "base64url").toString()) as ReminderToken;
  if (token.user !== user.id) throw new AppError("CONFLICT", refusals.signedInAs(user.username));
  if (isReminderOver(token, { now: app.now, pressedAt: input.pressedAt }))
    throw new AppError("CONFLICT", REMINDER_IS_OVER);
  if (input.press === "skip" || input.press === "unskip") {
    if (!token.canSkip) throw new AppError("NOT_FOUND");
    const isSkipped = input.press === "skip";
    await skipDay(app, { goal: token.goal, day: token.day, isSkipped });
    return { text: isSkipped ? "Skipped. Your streak stays." : "This day is no longer skipped.", log: null };
  }
  const button = token.buttons[Number(input.press)];
  if (!button) throw new AppError("NOT_FOUND");
  const { goal, tie } = await findLoggable(app, user, token.goal);
  if (goal.status === GOAL_STATUS.completed) {
    // The first press may have completed the goal.
    const firstLog = await answerRepeat(app, user, token.uuid);
    if (!firstLog) throw new AppError("CONFLICT", GOAL_IS_COMPLETED);
    return answerPress(app, firstLog, token);
  }
  const { uuid: qlButtonUuid, amount, distance, duration } = button;
  const measures = { amount, distance, duration, status: LOG_STATUS.done };
  const request = { ...measures, qlButtonUuid, uuid: token.uuid, day: token.day };
  const { logged } = await recordLog(app, { user, goal, tie, request });
  return answerPress(app, logged, token);
}

/** For a recurring goal, the text says how far this person has come on the reminder's day. */
async function answerPress(
  app: App,
  { log, goal }: LogAnswer,
  { user, day }: ReminderToken,
): Promise<Pressed> {
  const totals = goal?.recurrence
    ? totalsOn(await listGoalDays(app.db, goal.id, user, day, 1), day)
    : totalsFor(log, goal);
  return { text: loggedText(log, goal, totals, readerOf(app)), log: { id: log.id } };
}

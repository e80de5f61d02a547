// The calls that write logs: quick logs, state changes, and presses on a reminder (C-37 to C-41, C-81, C-82, R-75).
import { z } from "zod";
import type { Goal } from "~/domain/goals/goals";
import type { LogShown } from "~/domain/goals/logs";
import { PRESSES } from "~/domain/goals/reminder-buttons";
import { choiceIn } from "~/domain/number-fields";
import { oneLine } from "~/domain/text-fields";
import { call, fields } from "../call";
import { goalOut } from "../goals/goals";
import { logOut } from "../goals/logs";
import { measure, measuredMs, miles, span } from "../goals/measures";
import { day, editedDay } from "../goals/record-fields";
import { markdown, oneLineText } from "../goals/texts";
import { id, instantIn, ownId } from "../values";

type PressResult = { text: string; log: { id: number } | null };
type LogResult = {
  log: LogShown;
  goal: Goal | null;
  isOwner: boolean;
  tags: string[];
  activeLogId: number | null;
};

/** The goal in the answer of a log call, as its viewer sees it. */
const goalBesideLog = ({ log, goal, isOwner, tags, activeLogId }: LogResult) =>
  goal && goalOut(goal, { isOwner, username: log.username, tags, activeLogId });
const answer = (result: LogResult) => ({ log: logOut(result.log), goal: goalBesideLog(result) });

const status = choiceIn([1, 2, 3], "Please choose 1 (start), 2 (done) or 3 (to do).");
const optionalInstant = instantIn.nullish().transform((value) => value ?? undefined);

/** The fields of a new log (also in a session, R-01). */
export const logBody = {
  uuid: ownId,
  amount: measure,
  distance: miles,
  duration: span,
  title: oneLineText(200),
  content: markdown,
  action: oneLineText(60),
  status: status.nullish().transform((value) => value ?? undefined),
  ql_button_uuid: z
    .union([oneLine().max(64), z.number().transform(String)])
    .nullish()
    .transform((uuid) => uuid ?? undefined),
  timer_uuid: oneLine().max(64).nullish(),
  day,
};
const writtenFields = {
  day: editedDay,
  title: oneLineText(200),
  content: markdown,
  amount: measure,
  distance: miles,
  duration: span,
};
const params = { log: id };
/** A repeat after a lost answer returns the same answer. */
const repeatable = { isRepeatable: true, status: 200 } as const;

export const logCalls = {
  pressReminder: call("POST /api/my/reminders/press", "Press a button of a goal's reminder", {
    scope: "none",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["log", "change-goal"],
    input: fields({
      body: {
        token: oneLine().max(2000),
        press: z.enum(PRESSES, "Please name a button."),
        pressed_at: optionalInstant,
      },
    }).transform(({ pressed_at, ...press }) => ({ ...press, pressedAt: pressed_at })),
    bodyLimit: 16 * 1024,
    answer: ({ text, log }: PressResult) => ({ text, log }),
  }),
  storeQuickLog: call("POST /api/logs/store-quick-log", "Log progress on a goal in one step", {
    scope: "write",
    isForGoalKeys: true,
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["log"],
    input: fields({ body: { ...logBody, goal_id: id } }).transform(
      ({ goal_id, ql_button_uuid, timer_uuid, ...rest }) => ({
        ...rest,
        goalId: goal_id,
        qlButtonUuid: ql_button_uuid,
        timerUuid: timer_uuid,
      }),
    ),
    isRepeatable: true,
    answer,
  }),
  startLog: call("POST /api/challenge-logs/{log}/start", "Start the timer of a log", {
    scope: "write",
    limits: ["change-log"],
    input: fields({ params, body: { started_at: optionalInstant } }).transform(({ log, started_at }) => ({
      log,
      startedAt: started_at,
    })),
    ...repeatable,
    answer,
  }),
  stopLog: call("POST /api/challenge-logs/{log}/stop", "Stop or pause the timer of a log", {
    scope: "write",
    limits: ["change-log"],
    input: fields({
      params,
      body: {
        status: choiceIn([3, 4], "Please choose 3 (pause) or 4 (stop).").nullish(),
        paused_at: optionalInstant,
        ended_at: optionalInstant,
        elapsed_duration: measuredMs,
      },
    }).transform(({ log, status, paused_at, ended_at, elapsed_duration }) => ({
      log,
      status: status ?? undefined,
      pausedAt: paused_at,
      endedAt: ended_at,
      elapsed: elapsed_duration,
    })),
    ...repeatable,
    answer,
  }),
  completeLog: call("POST /api/challenge-logs/{log}/complete", "Mark a log as done", {
    scope: "write",
    limits: ["change-log"],
    input: fields({ params, body: writtenFields }),
    ...repeatable,
    answer,
  }),
  updateLog: call("PATCH /api/challenge-logs/{log}/update", "Correct a log", {
    scope: "write",
    limits: ["change-log"],
    input: fields({ params, body: writtenFields }),
    ...repeatable,
    answer,
  }),
  deleteLog: call("DELETE /api/challenge-logs/{log}", "Take a log back", {
    scope: "write",
    isForGoalKeys: true,
    limits: ["change-log"],
    input: fields({ params }),
    isRepeatable: true,
    status: 204,
    answer: () => null,
  }),
  resetLog: call("POST /challenge-events/logs/{log}/reset", "Reset the timer of a log", {
    scope: "write",
    limits: ["change-log"],
    input: fields({ params }),
    ...repeatable,
    answer,
  }),
  pauseLog: call("POST /challenge-events/logs/{log}", "Pause the timer of a log", {
    scope: "write",
    limits: ["change-log"],
    input: fields({ params, body: { paused_at: optionalInstant } }).transform(({ log, paused_at }) => ({
      log,
      pausedAt: paused_at,
    })),
    ...repeatable,
    answer,
  }),
};

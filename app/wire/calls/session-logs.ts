// Logging progress inside a session (C-59, C-79, C-80, C-84).
import type { Goal } from "~/domain/goals/goals";
import type { LogShown } from "~/domain/goals/logs";
import type { ParticipantTotals } from "~/domain/sessions/view";
import { call, fields } from "../call";
import { logOut } from "../goals/logs";
import { challengeToSlug, eventParams, eventToSession, slugParams } from "../sessions/ids";
import { clearableInstant, partIdIn } from "../sessions/input";
import { plainGoalOut, totalsOut } from "../sessions/sessions";
import { ownId } from "../values";
import { logBody } from "./logs";

type LogResult = { log: LogShown; goal: Goal | null; username: string; totals: ParticipantTotals };
const asLogResult = ({ log, goal, username, totals }: LogResult) => ({
  log: logOut(log),
  goal: goal && plainGoalOut(goal, username),
  challenge_user: { username, ...totalsOut(totals) },
});
const { uuid: _, ...logWithoutUuid } = logBody;
const sessionLog = { ...logBody, task_uuid: partIdIn.nullish() };
type LogBody = {
  task_uuid?: string | null | undefined;
  ql_button_uuid?: string | undefined;
  timer_uuid?: string | null | undefined;
};
const logInputOf = <S extends LogBody>({ task_uuid, ql_button_uuid, timer_uuid, ...rest }: S) => ({
  ...rest,
  sessionGoalUuid: task_uuid ?? null,
  qlButtonUuid: ql_button_uuid,
  timerUuid: timer_uuid,
});

export const sessionLogCalls = {
  logInSession: call("POST /challenge-events/{event}/logs", "Log progress in a session", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["log"],
    input: fields({ params: eventParams, body: sessionLog }).transform((input) =>
      logInputOf(eventToSession(input)),
    ),
    isRepeatable: true,
    answer: asLogResult,
  }),
  logBySlug: call("POST /challenges/{challenge}/logs", "Log progress in a session by its slug", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["log"],
    input: fields({ params: slugParams, body: sessionLog }).transform((input) =>
      logInputOf(challengeToSlug(input)),
    ),
    isRepeatable: true,
    answer: asLogResult,
  }),
  startSessionLog: call(
    "POST /challenge-events/{event}/logs/tasks/{uuid}/start",
    "Start the log of a goal in a session",
    {
      scope: "write",
      errors: ["INSUFFICIENT_TOKENS"],
      limits: ["log"],
      // `{uuid}` is the task's; the log's own uuid is `log_uuid`.
      input: fields({
        params: { ...eventParams, uuid: partIdIn },
        body: {
          ...logWithoutUuid,
          log_uuid: ownId,
          started_at: clearableInstant,
          ended_at: clearableInstant,
        },
      }).transform(
        ({
          uuid,
          log_uuid,
          started_at: _started,
          ended_at: _ended,
          ql_button_uuid,
          timer_uuid,
          ...rest
        }) => ({
          ...eventToSession(rest),
          sessionGoalUuid: uuid,
          uuid: log_uuid,
          qlButtonUuid: ql_button_uuid,
          timerUuid: timer_uuid,
        }),
      ),
      isRepeatable: true,
      answer: (result: LogResult) => ({ id: result.log.id, ...asLogResult(result) }),
    },
  ),
};

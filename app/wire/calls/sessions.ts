// Creating, updating, starting and joining a session (C-57, C-70 to C-78).
import type { Goal } from "~/domain/goals/goals";
import { choiceIn } from "~/domain/number-fields";
import { ScopedChange, SessionChange, SessionInput } from "~/domain/sessions/input";
import type { HostMessage, SessionHead, ShownParticipant } from "~/domain/sessions/view";
import { manyLines, oneLine } from "~/domain/text-fields";
import { tokensOf } from "~/domain/tokens";
import { call, fields, reads } from "../call";
import { mute, reason } from "../safety/sanctions";
import { bit, eventParams, eventToSession, sessionByEvent, slugParams, withJoinCode } from "../sessions/ids";
import {
  clearableInstant,
  sessionChangeFields,
  sessionChangeOf,
  sessionFields,
  sessionInputOf,
} from "../sessions/input";
import { participantOut, plainGoalOut, sessionHeadOut, sessionOut } from "../sessions/sessions";
import { flagOut, instantIn } from "../values";

type CreatedSession = SessionHead & { goals: Goal[] };
const asCreated = (result: CreatedSession) => {
  const tasks = result.goals.map((goal) =>
    plainGoalOut(goal, result.session.ownerUsername, result.me.canHost),
  );
  return { challenge_event: sessionOut(result, { tasks }), path: result.session.path };
};
const repeatable = { isRepeatable: true, status: 200 } as const;

type JoinResult = SessionHead & { isJoined: boolean; tokens: number | null };
const asJoinResult = (result: JoinResult) => ({
  ...sessionHeadOut(result),
  is_joined: flagOut(result.isJoined),
  all_remaining_tokens: result.tokens === null ? null : tokensOf(result.tokens),
});

const joinInput = withJoinCode(eventParams).transform(eventToSession);

export const sessionCalls = {
  createSession: call("POST /challenge-events", "Create a session", {
    scope: "host",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["session"],
    input: reads(fields({ within: "challenge", body: sessionFields }), sessionInputOf, SessionInput),
    isRepeatable: true,
    answer: asCreated,
  }),
  patchSession: call("PATCH /challenge-events/{event}/patch", "Change a session", {
    scope: "host",
    limits: ["change-series", "change-session"],
    input: reads(
      fields({
        params: eventParams,
        within: "challenge",
        body: sessionChangeFields,
      }),
      ({ event, ...input }) => ({ ...sessionChangeOf(input), session: event }),
      ScopedChange,
    ),
    answer: asCreated,
  }),
  saveSessionParts: call("POST /challenge-events/{event}/parts", "Save the parts of a session", {
    scope: "host",
    limits: ["change-session"],
    input: reads(
      fields({
        params: eventParams,
        within: "challenge",
        body: { parts: sessionFields.parts, tasks: sessionFields.tasks, updated_at: instantIn.nullish() },
      }),
      ({ event, parts, tasks, updated_at }) => {
        const { schedule, goals } = sessionInputOf({ parts, tasks } as Parameters<typeof sessionInputOf>[0]);
        return { session: event, schedule, goals, since: updated_at ?? undefined };
      },
      SessionChange,
    ),
    answer: asCreated,
  }),
  repeatSession: call("POST /challenge-events/{event}/repeat", "Repeat a session", {
    scope: "host",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["session"],
    input: fields({ params: eventParams, body: { started_at: clearableInstant } }).transform(
      ({ event, started_at }) => ({
        session: event,
        startedAt: started_at,
      }),
    ),
    isRepeatable: true,
    answer: asCreated,
  }),
  joinSession: call("POST /challenge-events/{event}/join", "Join a session", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS", "SESSION_FULL", "WRONG_CODE"],
    limits: ["join", "join-code", "join-code-everywhere", "join-code-late"],
    input: joinInput,
    ...repeatable,
    answer: asJoinResult,
  }),
  leaveSession: call("POST /api/challenge-events/{event}/leave", "Leave a session", {
    scope: "write",
    input: sessionByEvent,
    answer: asJoinResult,
  }),
  waitForSeat: call("POST /challenge-events/{event}/wait", "Join the waiting list of a full session", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS", "SESSION_FULL", "WRONG_CODE"],
    limits: ["change-seat", "join-code", "join-code-everywhere", "join-code-late"],
    input: joinInput,
    ...repeatable,
    answer: ({ position }: { position: number }) => ({ position }),
  }),
  stopWaiting: call("DELETE /challenge-events/{event}/wait", "Leave the waiting list of a session", {
    scope: "write",
    input: sessionByEvent,
    status: 204,
    answer: () => null,
  }),
  startSession: call("POST /challenge-events/{event}/start", "Start a session", {
    scope: "host",
    errors: ["INSUFFICIENT_TOKENS"],
    input: sessionByEvent,
    answer: sessionHeadOut,
  }),
  endSession: call("POST /challenge-events/{event}/end", "End a session", {
    scope: "host",
    input: sessionByEvent,
    answer: sessionHeadOut,
  }),
  keepSeat: call("POST /challenge-events/{event}/keep-seat", "Keep or give up a seat after a move", {
    scope: "write",
    limits: ["change-seat"],
    input: sessionByEvent,
    answer: sessionHeadOut,
  }),
  claimSession: call("POST /challenge-events/{event}/claim", "Become host of a session without one", {
    scope: "host",
    limits: ["change-seat"],
    input: fields({ params: eventParams, body: { keep_free: bit } }).transform(({ event, keep_free }) => ({
      session: event,
      keepsFree: keep_free,
    })),
    status: 200,
    answer: sessionHeadOut,
  }),
  notifyParticipants: call("POST /challenge-events/{event}/notify", "Send a message to all participants", {
    scope: "host",
    limits: ["notify"],
    isRepeatable: true,
    keyFirst: "a repeat does not count against the five messages of a day",
    input: fields({ params: eventParams, body: { content: manyLines("Please write a message.") } }).transform(
      eventToSession,
    ),
    answer: ({ message: { content } }: { message: HostMessage }) => ({ message: { content } }),
  }),
  completeSession: call("POST /challenge-events/{event}/complete", "Be done with a session", {
    scope: "write",
    input: fields({ params: eventParams, body: { complete: bit } }).transform(({ event, complete }) => ({
      session: event,
      isDone: complete ?? true,
    })),
    answer: sessionHeadOut,
  }),
  changeParticipant: call(
    "PATCH /challenge-events/{event}/participants/{username}",
    "Change a participant's role or mute",
    {
      scope: "host",
      limits: ["change-sanction"],
      input: fields({
        params: { ...eventParams, username: oneLine().max(60) },
        body: {
          role: choiceIn([0, 1], "Please choose 0 (participant) or 1 (admin).").optional(),
          host: bit,
          mute: mute.optional(),
          reason: reason.optional(),
        },
      }).transform(({ event, username, role, host, mute, reason }) => ({
        session: event,
        username,
        role,
        isHost: host,
        mute,
        reason,
      })),
      answer: (person: ShownParticipant) => ({ participant: participantOut(person) }),
    },
  ),
  removeParticipant: call(
    "DELETE /challenge-events/{event}/participants/{username}",
    "Remove or ban a participant",
    {
      scope: "host",
      limits: ["change-sanction"],
      input: fields({
        params: { ...eventParams, username: oneLine().max(60) },
        body: { keep_out: bit, series: bit, remove_lines: bit, unmute: bit, reason: reason.nullish() },
      }).transform(({ event, username, keep_out, series, remove_lines, unmute, reason }) => ({
        session: event,
        username,
        isBanned: keep_out,
        isSeries: series,
        withLines: remove_lines,
        endsMute: unmute,
        reason: reason ?? undefined,
      })),
      status: 204,
      answer: () => null,
    },
  ),
  liftSessionBan: call("DELETE /challenge-events/{event}/bans/{username}", "Lift a ban from a session", {
    scope: "host",
    limits: ["change-sanction"],
    input: fields({ params: { ...eventParams, username: oneLine().max(60) } }).transform(eventToSession),
    status: 204,
    answer: () => null,
  }),
  setReady: call("POST /challenges/{challenge}/user-is-ready", "Set your ready mark", {
    scope: "write",
    input: fields({ params: slugParams, body: { is_ready: bit } }).transform(({ challenge, is_ready }) => ({
      slug: challenge,
      isReady: is_ready,
    })),
    answer: ({ isReady, participant }: { isReady: boolean; participant: ShownParticipant }) => ({
      is_ready: flagOut(isReady),
      challenge_user: participantOut(participant),
    }),
  }),
};

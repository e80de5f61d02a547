// The dispatcher of changes of a live room, and its small changes. Pure.

import type { ErrorCode } from "~/domain/errors";
import { canHostSession, canRunSession } from "~/domain/permissions";
import { withTally } from "~/domain/room/tally";
import { PART_STEPS } from "~/domain/schedule/carry-out";
import { asOnOtherDates } from "~/domain/schedule/groups";
import type { RoundPresence } from "~/domain/schedule/round";
import { adjustPart } from "~/domain/schedule/run";
import { type Part, partsInOrder } from "~/domain/schedule/shape";
import { turnAt } from "~/domain/schedule/timer-pieces";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { findRepeated, withContributions } from "~/domain/sessions/texts";
import { activeParts, type ContributionVerdict, contributionVerdict } from "~/domain/sessions/turns";
import { HOUR, type Instant, instant } from "~/domain/time";
import { beginRun, contextOf, endRun } from "./advance";
import { muteSentence } from "./chat";
import { replaceParts, saveContent, saveEdit, savePrompt } from "./edit";
import { shownLine } from "./host-line";
import {
  accept,
  acceptWithEnd,
  asActor,
  ENDED,
  fitsRoomRow,
  type RoomOutcome,
  refuse,
  tooLong,
} from "./outcome";
import { areAllDone, NOT_JOINED, type RoomActor, type RoomState, type StateChange, seatOf } from "./room";
import { controlPart, moveRound, passOwnTurn } from "./round-moves";
import { handRefusal, moderationRefusal, settleHands, withHand, withoutHand } from "./signals";

const MAX_CONTENT_CHARS = 200_000;

/** Applies one change at `now`. The caller has advanced the state to `now` with `advanceRoom`. */
export function applyChange(
  state: RoomState,
  change: StateChange,
  now: Instant,
  presence?: RoundPresence,
): RoomOutcome {
  const outcome = outcomeOf(state, change, now, presence);
  // `undo` has restored the tally already.
  if (!outcome.ok || (change.type === "move-round" && change.move === "undo")) return outcome;
  const adjusted = change.type === "adjust-part" ? change : undefined;
  const changed = withTally(state, outcome.state, now, adjusted);
  const settled = settleHands(changed, now);
  const after = withoutEndedLine(state, settled);
  const topics = new Set(outcome.topics);
  if (settled !== changed) topics.add("participants");
  if (after !== settled) topics.add("line");
  // A step of a round can be taken back until the parts change again.
  const isUndoStale = after.undo != null && after.undo === state.undo && after.schedule !== state.schedule;
  return { ...outcome, topics: [...topics], state: isUndoStale ? { ...after, undo: null } : after };
}

/** A part that is over may begin again, but the host's line has ended with it (J-12). */
const withoutEndedLine = (before: RoomState, after: RoomState): RoomState =>
  after.line && before.schedule !== after.schedule && !shownLine(after.line, before.schedule)
    ? { ...after, line: null }
    : after;

function outcomeOf(
  state: RoomState,
  change: StateChange,
  now: Instant,
  presence: RoundPresence | undefined,
): RoomOutcome {
  switch (change.type) {
    case "start":
      return start(state, change.by, now);
    case "end":
      return end(state, change.by, now);
    case "complete":
      return complete(state, change.by, change.isDone ?? true, now);
    case "set-ready":
      return setReady(state, change.by, change.isReady, now);
    case "set-hand":
      return setHand(state, change.by, change.isUp, now);
    case "lower-hands":
      return lowerHands(state, change.by, change.username);
    case "switch-reactions":
      return switchReactions(state, change.by, change.isOn);
    case "control-part":
      return controlPart(state, change, now, (ctx) =>
        PART_STEPS[change.action](state.schedule, change.partId, ctx),
      );
    case "adjust-part":
      return controlPart(state, change, now, (ctx) =>
        adjustPart(state.schedule, change.partId, change.seconds, ctx, change.isOnward),
      );
    case "move-round":
      return moveRound(state, change, now, presence);
    case "edit":
      return saveEdit(state, change, now);
    case "replace-schedule":
      return replaceParts(state, change, now);
    case "save-content":
      return saveContent(state, change, now);
    case "save-prompt":
      return savePrompt(state, change, now);
    case "contribute":
      return contribute(state, change, now, presence);
    case "set-summary":
      return fitsRoomRow({ ...state, summary: change.summary })
        ? accept({ ...state, summary: change.summary }, "summary")
        : tooLong("summary");
    case "end-soon":
      return endSoon(state, now);
    case "reset":
      return reset(state, change.by);
    default:
      return change satisfies never;
  }
}

function start(state: RoomState, actor: RoomActor, now: Instant): RoomOutcome {
  if (!canRunSession(asActor(actor), seatOf(state, actor)))
    return refuse("FORBIDDEN", "Only the host and admins may start a session.");
  const status = statusAt(state, now);
  if (status === SESSION_STATUS.ended) return refuse("CONFLICT", ENDED);
  if (status === SESSION_STATUS.running) return refuse("CONFLICT", "The session has started already.");
  return accept({ ...beginRun(state, now), startedBy: actor.userId }, "status", "participants", "parts");
}

function end(state: RoomState, actor: RoomActor, now: Instant): RoomOutcome {
  if (!canHostSession(asActor(actor), seatOf(state, actor)))
    return refuse("FORBIDDEN", "Only the host may end a session.");
  if (statusAt(state, now) === SESSION_STATUS.ended) return refuse("CONFLICT", ENDED);
  return accept(endRun(state, now), "status", "parts");
}

/** Ends the session when its current part ends, after an hour at most. */
function endSoon(state: RoomState, now: Instant): RoomOutcome {
  if (statusAt(state, now) !== SESSION_STATUS.running || state.endsBy != null) return accept(state);
  const ends = partsInOrder(state.schedule).flatMap((part) =>
    part.state === "running" && part.endedAt !== null && part.endedAt > now ? [part.endedAt] : [],
  );
  const endsBy = instant(Math.min(now + HOUR, ...ends));
  return acceptWithEnd(state, { ...state, endsBy }, now, "parts");
}

/** Marks the participant done. It does not end their turn. The last mark ends the session (S-07). */
function complete(state: RoomState, actor: RoomActor, isDone: boolean, now: Instant): RoomOutcome {
  const seat = seatOf(state, actor);
  if (!seat) return refuse("FORBIDDEN", NOT_JOINED);
  const status = statusAt(state, now);
  if (status !== SESSION_STATUS.running)
    return refuse("CONFLICT", status === SESSION_STATUS.ended ? ENDED : "The session has not started yet.");
  if ((seat.completedAt !== null) === isDone) return accept(state);
  const participants = state.participants.map((person) =>
    person === seat ? { ...person, completedAt: isDone ? now : null } : person,
  );
  const next = { ...state, participants };
  return areAllDone(participants)
    ? accept(endRun(next, now), "participants", "status", "parts")
    : accept(next, "participants");
}

function setReady(state: RoomState, actor: RoomActor, isReady: boolean, now: Instant): RoomOutcome {
  const seat = seatOf(state, actor);
  if (!seat) return refuse("FORBIDDEN", NOT_JOINED);
  if (statusAt(state, now) === SESSION_STATUS.ended) return refuse("CONFLICT", ENDED);
  if (seat.isReady === isReady) return accept(state);
  const participants = state.participants.map((person) =>
    person === seat ? { ...person, isReady } : person,
  );
  return accept({ ...state, participants }, "participants");
}

function setHand(state: RoomState, actor: RoomActor, isUp: boolean, now: Instant): RoomOutcome {
  const refused = handRefusal(state, actor, isUp, now);
  if (refused) return refuse(refused.code, refused.sentence);
  return acceptHands(state, withHand(state, actor, isUp, now));
}

/** `username`: null lowers all hands. Idempotent. */
function lowerHands(state: RoomState, actor: RoomActor, username: string | null): RoomOutcome {
  const refused = moderationRefusal(state, actor);
  if (refused) return refuse(refused.code, refused.sentence);
  return acceptHands(state, withoutHand(state, username));
}
const acceptHands = (before: RoomState, after: RoomState): RoomOutcome =>
  after === before ? accept(before) : accept(after, "participants");

function switchReactions(state: RoomState, actor: RoomActor, isOn: boolean): RoomOutcome {
  const refused = moderationRefusal(state, actor);
  if (refused) return refuse(refused.code, refused.sentence);
  const areReactionsOff = !isOn;
  if ((state.areReactionsOff ?? false) === areReactionsOff) return accept(state);
  return accept({ ...state, areReactionsOff }, "reactions");
}

const NOT_CONTRIBUTED: Record<ContributionVerdict, [ErrorCode, string] | null> = {
  may: null,
  "not-running": ["CONFLICT", "The session is not in progress."],
  "not-their-turn": ["FORBIDDEN", "It is not your turn."],
  "not-taken": ["FORBIDDEN", "This part does not take contributions."],
};

/** Adds a text of the participant whose turn it is, or of anybody if the part allows it. */
function contribute(
  state: RoomState,
  change: Extract<StateChange, { type: "contribute" }>,
  now: Instant,
  presence: RoundPresence | undefined,
): RoomOutcome {
  const seat = seatOf(state, change.by);
  if (!seat) return refuse("FORBIDDEN", NOT_JOINED);
  // The turn may have ended since the first attempt, so a retry is accepted before the checks.
  const entry = { userId: seat.userId, uuid: change.uuid, content: change.contribution };
  if (findRepeated(state.contributions, entry)) return accept(state);
  const muted = muteSentence(state, change.by, now);
  if (muted) return refuse("FORBIDDEN", muted);
  const verdict = contributionVerdict(seat.username, statusAt(state, now), activeParts(state.schedule), now);
  const refusal = NOT_CONTRIBUTED[verdict];
  if (refusal) return refuse(...refusal);
  const contribution = {
    seq: state.seq + 1,
    userId: seat.userId,
    username: seat.username,
    content: change.contribution,
    contentHtml: change.contributionHtml,
    createdAt: now,
    ...(change.uuid === undefined ? {} : { uuid: change.uuid }),
  };
  const next = { ...state, contributions: [...state.contributions, contribution] };
  if (withContributions(next).content.length > MAX_CONTENT_CHARS)
    return refuse("TOO_LARGE", "The text of this session is full. Nothing more can be added.");
  if (!fitsRoomRow(next)) return tooLong("contribution");
  const turn = change.isPassing ? turnOf(next, seat.username, now) : undefined;
  if (!turn) return accept(next, "content");
  const passed = passOwnTurn(next, { by: change.by, partId: turn.id }, contextOf(next, now, presence));
  return passed.ok ? { ...passed, topics: ["content", ...passed.topics] } : passed;
}

const turnOf = ({ schedule }: RoomState, username: string, now: Instant): Part | undefined =>
  activeParts(schedule).find((part) => turnAt(part, now)?.username === username);

/** Back to status 0: no start, parts not started, ready marks cleared. */
function reset(state: RoomState, actor: RoomActor): RoomOutcome {
  if (!actor.isSuperAdmin) return refuse("FORBIDDEN", "Only a super admin may reset a session.");
  const participants = state.participants.map((person) => ({ ...person, isReady: false, completedAt: null }));
  const resetState = {
    ...state,
    startedAt: null,
    endedAt: null,
    partsEndAt: null,
    runBegunAt: null,
    startedBy: null,
    plan: null,
    tally: {},
    hasEnded: false,
    hasHostCome: false,
    cancelledStart: null,
    undo: null,
    line: null,
    endsBy: null,
    closedAt: null,
    participants,
  };
  return accept(
    { ...resetState, schedule: asOnOtherDates(state.schedule) },
    "status",
    "participants",
    "parts",
  );
}

// Changes of a live room: permissions and effects. Pure; an accepted change returns the new state and the topics to
// broadcast.

import { type ErrorCode, type Newer, TOO_LARGE_A_PLAN, TOO_LONG_TO_KEEP } from "~/domain/errors";
import { canHostSession, canRunSession } from "~/domain/permissions";
import { USER_ROLE } from "~/domain/roles";
import { tallied } from "~/domain/room/tally";
import { fitRow } from "~/domain/row-size";
import { advanceSchedule, type RunContext } from "~/domain/schedule/advance";
import { PART_STEPS } from "~/domain/schedule/carry-out";
import { replaceSchedule, resetSchedule, resetSent } from "~/domain/schedule/groups";
import type { RoundPresence } from "~/domain/schedule/round";
import { adjustPart, endRound, nextTurn, passTurn, putPartsBack } from "~/domain/schedule/run";
import { scheduleSentence } from "~/domain/schedule/sentences";
import { type Edit, findPart, type Part, partsInOrder, type Schedule } from "~/domain/schedule/shape";
import { fitsPlan } from "~/domain/schedule/size";
import { turnAt } from "~/domain/schedule/timer-pieces";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { findRepeated, withContributions } from "~/domain/sessions/texts";
import { activeParts, contributionOf, type MayContribute, mayEditNow } from "~/domain/sessions/turns";
import { CHANGED_ELSEWHERE, findNewerSave } from "~/domain/stale-edits";
import { HOUR, type Instant, instant, plusMillis } from "~/domain/time";
import { beginRun, contextOf, endRun, withEnd } from "./advance";
import { mutedIn, NOT_JOINED, seatOf } from "./chat";
import {
  areAllDone,
  ROUND_UNDO,
  type RoomActor,
  type RoomEdit,
  type RoomState,
  type RoomTopic,
  rosterOf,
  type StateChange,
} from "./room";
import { refusesHand, refusesLowering, settleHands, withHand, withoutHand } from "./signals";

/** `fields` are those that are INVALID or changed elsewhere, `newer` is the save that an older edit would replace. */
type RoomRefusal = {
  ok: false;
  code: ErrorCode;
  sentence: string;
  fields?: readonly string[];
  newer?: Newer;
};
export type RoomOutcome = { ok: true; state: RoomState; topics: RoomTopic[] } | RoomRefusal;

const CONTENT_LIMIT = 200_000;
const ENDED = "This session has ended.";

const asActor = (actor: RoomActor) => ({
  id: actor.userId,
  username: actor.username,
  roleId: actor.isSuperAdmin ? USER_ROLE.superAdmin : USER_ROLE.ordinary,
});

const refuse = (code: ErrorCode, sentence: string): RoomRefusal => ({ ok: false, code, sentence });
const tooLong = (field: string): RoomRefusal => ({
  ...refuse("INVALID", TOO_LONG_TO_KEEP),
  fields: [field],
});
const accept = (state: RoomState, ...topics: RoomTopic[]): RoomOutcome => ({ ok: true, state, topics });

/** Applies one change at `now`. The caller has advanced the state to `now` with `advanceRoom`. */
export function applyChange(
  state: RoomState,
  change: StateChange,
  now: Instant,
  presence?: RoundPresence,
): RoomOutcome {
  const outcome = outcomeOf(state, change, now, presence);
  // The tally goes back with the parts.
  if (!outcome.ok || (change.type === "move-round" && change.move === "undo")) return outcome;
  const adjusted = change.type === "adjust-part" ? change : undefined;
  const changed = tallied(state, outcome.state, now, adjusted);
  const after = settleHands(changed, now);
  const topics =
    after === changed ? outcome.topics : [...new Set([...outcome.topics, "participants" as const])];
  // A step of a round can be taken back until the parts change again.
  const isOver = after.undo != null && after.undo === state.undo && after.schedule !== state.schedule;
  return { ...outcome, topics, state: isOver ? { ...after, undo: null } : after };
}

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
      return run(state, change, now, (ctx) => PART_STEPS[change.action](state.schedule, change.partId, ctx));
    case "adjust-part":
      return run(state, change, now, (ctx) =>
        adjustPart(state.schedule, change.partId, change.seconds, ctx, change.isOnward),
      );
    case "move-round":
      return moveRound(state, change, now, presence);
    case "edit":
      return edit(state, change, now);
    case "replace-schedule":
      return replace(state, change, now);
    case "save-content":
      return saveContent(state, change, now);
    case "save-prompt":
      return savePrompt(state, change, now);
    case "contribute":
      return contribute(state, change, now, presence);
    case "set-summary":
      return fits({ ...state, summary: change.summary })
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

function start(state: RoomState, by: RoomActor, now: Instant): RoomOutcome {
  if (!canRunSession(asActor(by), seatOf(state, by)))
    return refuse("FORBIDDEN", "Only the host and admins may start a session.");
  const status = statusAt(state, now);
  if (status === SESSION_STATUS.ended) return refuse("CONFLICT", ENDED);
  if (status === SESSION_STATUS.running) return refuse("CONFLICT", "The session has started already.");
  return accept({ ...beginRun(state, now), startedBy: by.userId }, "status", "participants", "parts");
}

function end(state: RoomState, by: RoomActor, now: Instant): RoomOutcome {
  if (!canHostSession(asActor(by), seatOf(state, by)))
    return refuse("FORBIDDEN", "Only the host may end a session.");
  if (statusAt(state, now) === SESSION_STATUS.ended) return refuse("CONFLICT", ENDED);
  return accept(endRun(state, now), "status", "parts");
}

/** With its current part, at the latest an hour later. */
function endSoon(state: RoomState, now: Instant): RoomOutcome {
  if (statusAt(state, now) !== SESSION_STATUS.running || state.endsBy != null) return accept(state);
  const ends = partsInOrder(state.schedule).flatMap((part) =>
    part.state === "running" && part.endedAt !== null && part.endedAt > now ? [part.endedAt] : [],
  );
  const endsBy = instant(Math.min(now + HOUR, ...ends));
  return acceptWithEnd(state, { ...state, endsBy }, now, "parts");
}

/** A tick, which changes no turn. With the last one the session ends (S-07). */
function complete(state: RoomState, by: RoomActor, isDone: boolean, now: Instant): RoomOutcome {
  const seat = seatOf(state, by);
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

/** Updates the end, and adds the status topic if it moved. */
function acceptWithEnd(
  before: RoomState,
  after: RoomState,
  now: Instant,
  ...topics: RoomTopic[]
): RoomOutcome {
  const state = withEnd(after, now);
  return accept(state, ...topics, ...(state.endedAt === before.endedAt ? [] : (["status"] as const)));
}

function setReady(state: RoomState, by: RoomActor, isReady: boolean, now: Instant): RoomOutcome {
  const seat = seatOf(state, by);
  if (!seat) return refuse("FORBIDDEN", NOT_JOINED);
  if (statusAt(state, now) === SESSION_STATUS.ended) return refuse("CONFLICT", ENDED);
  if (seat.isReady === isReady) return accept(state);
  const participants = state.participants.map((person) =>
    person === seat ? { ...person, isReady } : person,
  );
  return accept({ ...state, participants }, "participants");
}

function setHand(state: RoomState, by: RoomActor, isUp: boolean, now: Instant): RoomOutcome {
  const refused = refusesHand(state, by, isUp, now);
  if (refused) return refuse(refused.code, refused.sentence);
  return acceptHands(state, withHand(state, by, isUp, now));
}

/** Idempotent. */
function lowerHands(state: RoomState, by: RoomActor, username: string | null): RoomOutcome {
  const refused = refusesLowering(state, by);
  if (refused) return refuse(refused.code, refused.sentence);
  return acceptHands(state, withoutHand(state, username));
}
const acceptHands = (before: RoomState, after: RoomState): RoomOutcome =>
  after === before ? accept(before) : accept(after, "participants");

function switchReactions(state: RoomState, by: RoomActor, isOn: boolean): RoomOutcome {
  const refused = refusesLowering(state, by);
  if (refused) return refuse(refused.code, refused.sentence);
  const areReactionsOff = !isOn;
  if ((state.areReactionsOff ?? false) === areReactionsOff) return accept(state);
  return accept({ ...state, areReactionsOff }, "reactions");
}

const refusesRunning = (state: RoomState, by: RoomActor): RoomRefusal | null =>
  canRunSession(asActor(by), seatOf(state, by))
    ? null
    : refuse("FORBIDDEN", "Only the host and admins may do that.");

function refusesToRun(state: RoomState, partId: string, now: Instant): RoomRefusal | null {
  if (!findPart(state.schedule, partId)) return refuse("NOT_FOUND", scheduleSentence({ code: "no-part" }));
  const status = statusAt(state, now);
  if (status === SESSION_STATUS.running) return null;
  return refuse("CONFLICT", status === SESSION_STATUS.ended ? ENDED : "The session has not started yet.");
}

/** A host's or admin's action on the running schedule. */
function run(
  state: RoomState,
  { by, partId }: { by: RoomActor; partId: string },
  now: Instant,
  move: (ctx: RunContext) => Edit,
): RoomOutcome {
  const refused = refusesRunning(state, by) ?? refusesToRun(state, partId, now);
  if (refused) return refused;
  const edit = move(contextOf(state, now));
  if (!edit.ok) return refuse("CONFLICT", scheduleSentence(edit));
  return acceptWithEnd(state, { ...state, schedule: edit.schedule }, now, "parts");
}

/** A step of a round: the speaker passes; host and admins go on, end it, and take either back. */
function moveRound(
  state: RoomState,
  change: Extract<StateChange, { type: "move-round" }>,
  now: Instant,
  presence: RoundPresence | undefined,
): RoomOutcome {
  const { move, partId, speaker } = change;
  switch (move) {
    case "pass":
      return pass(state, change, contextOf(state, now, presence));
    case "undo":
      return undoRound(state, change, now);
    case "next":
    case "end-round": {
      const moved = run(state, change, now, () => {
        const ctx = contextOf(state, now, presence);
        return move === "next"
          ? nextTurn(state.schedule, partId, ctx, speaker)
          : endRound(state.schedule, partId, ctx);
      });
      if (!moved.ok) return moved;
      const parts = changedParts(state.schedule, moved.state.schedule);
      // The turn is over already: a repeat, or a press that came too late.
      if (!parts.some(({ id }) => id === partId)) return accept(state);
      const { endedAt, partsEndAt, tally } = state;
      const undo = { partId, until: plusMillis(now, ROUND_UNDO), parts, endedAt, partsEndAt, tally };
      return { ...moved, state: { ...moved.state, undo } };
    }
    default:
      return move satisfies never;
  }
}

/** The parts as they were that are different now. */
function changedParts(before: Schedule, after: Schedule): Part[] {
  const now = new Map(partsInOrder(after).map((part) => [part.id, part]));
  return partsInOrder(before).filter((part) => JSON.stringify(now.get(part.id)) !== JSON.stringify(part));
}

function pass(
  state: RoomState,
  { by, partId }: { by: RoomActor; partId: string },
  ctx: RunContext,
): RoomOutcome {
  const seat = seatOf(state, by);
  if (!seat) return refuse("FORBIDDEN", NOT_JOINED);
  const closed = refusesToRun(state, partId, ctx.now);
  if (closed) return closed;
  const edit = passTurn(state.schedule, partId, ctx, seat.username);
  if (!edit.ok) return refuse(edit.code === "not-speaker" ? "FORBIDDEN" : "CONFLICT", scheduleSentence(edit));
  return acceptWithEnd(state, { ...state, schedule: edit.schedule }, ctx.now, "parts");
}

/** Every instant is as if the step had not been; people who came or went since then stay so. */
function undoRound(
  state: RoomState,
  { by, partId }: { by: RoomActor; partId: string },
  now: Instant,
): RoomOutcome {
  const { undo } = state;
  const refused = refusesRunning(state, by) ?? refusesToRun(state, partId, now);
  if (refused) return refused;
  if (undo == null || undo.partId !== partId || now > undo.until)
    return refuse("CONFLICT", "This cannot be taken back any more.");
  const { endedAt, partsEndAt, tally = {}, parts } = undo;
  const schedule = putPartsBack(state.schedule, parts, contextOf(state, now));
  return acceptWithEnd(
    state,
    { ...state, schedule, endedAt, partsEndAt: partsEndAt ?? null, tally, undo: null },
    now,
    "parts",
  );
}

/**
 * All of a save or nothing of it. Each version is later than those before, whatever the clock says. A `since` that
 * is later than now comes from a client's clock, which moves no version.
 */
function edit(state: RoomState, change: RoomEdit, now: Instant): RoomOutcome {
  const newer = newerInRoom(state, change);
  if (newer) return { ...refuse("CONFLICT", CHANGED_ELSEWHERE), ...newer };
  const { by, title, content, contentHtml, prompt, schedule, facts = [], since = 0, recorded = 0 } = change;
  const at = instant(Math.max(now, versionOf(state) + 1, recorded + 1, Math.min(since, now) + 1));
  const steps: ((before: RoomState) => RoomOutcome)[] = [
    ...(schedule ? [(before: RoomState) => replace(before, { by, schedule }, now, at)] : []),
    ...(title === undefined && content === undefined
      ? []
      : [(before: RoomState) => saveContent(before, { by, title, content, contentHtml }, now, at)]),
    ...(prompt === undefined ? [] : [(before: RoomState) => savePrompt(before, { by, prompt }, now, at)]),
    ...(facts.length > 0 ? [(before: RoomState) => stampFacts(before, facts, at)] : []),
  ];
  return steps.reduce<RoomOutcome>((done, step) => {
    if (!done.ok) return done;
    const next = step(done.state);
    return next.ok ? { ...next, topics: [...new Set([...done.topics, ...next.topics])] } : next;
  }, accept(state));
}

/** The version of the room's last edit; the session's own is the later one of this and the record's. */
export const versionOf = ({ editedAt, planEditedAt, factsEditedAt }: RoomState): Instant =>
  instant(
    Math.max(0, planEditedAt ?? 0, ...Object.values(editedAt ?? {}), ...Object.values(factsEditedAt ?? {})),
  );

/** Each text, the timers and each field have a version of their own, because the clock changes the session too. */
function newerInRoom(
  state: RoomState,
  { since, schedule, facts = [], ...texts }: RoomEdit,
): { newer: Newer; fields: string[] } | null {
  const plan = { sessionStart: state.startedAt, rosterSize: state.participants.length };
  const replaced = schedule && replaceSchedule(state.schedule, schedule, plan);
  const { title, content, prompt } = state;
  const { editedAt = {}, planEditedAt = instant(0), factsEditedAt = {} } = state;
  const stored = { title, content, prompt, schedule: resetSent(state.schedule) };
  // Parts that have begun keep their times, whatever was typed; the clock's own marks are nobody's edit.
  const typed = { ...texts, ...(replaced?.ok ? { schedule: resetSent(replaced.schedule) } : {}) };
  const versions = { ...editedAt, schedule: planEditedAt };
  const newer = (["title", "content", "prompt", "schedule"] as const).flatMap(
    (name) =>
      findNewerSave(
        { ...stored, updatedAt: versions[name] ?? instant(0) },
        { [name]: (typed as Partial<typeof stored>)[name] },
        since,
      ) ?? [],
  );
  for (const name of facts) {
    const updatedAt = factsEditedAt[name] ?? instant(0);
    if (since !== undefined && updatedAt > since)
      newer.push({ newer: { updatedAt, texts: [] }, fields: [name] });
  }
  if (newer.length === 0) return null;
  return {
    newer: {
      updatedAt: instant(Math.max(...newer.map((one) => one.newer.updatedAt))),
      texts: newer.flatMap((one) => one.newer.texts),
    },
    fields: newer.flatMap(({ fields }) => fields),
  };
}

/** The record has the values, and its own door has asked who may write them. */
function stampFacts(state: RoomState, facts: readonly string[], at: Instant): RoomOutcome {
  const stamps = Object.fromEntries(facts.map((name) => [name, at]));
  return accept({ ...state, factsEditedAt: { ...state.factsEditedAt, ...stamps } }, "facts");
}

function replace(
  state: RoomState,
  change: Pick<Extract<StateChange, { type: "replace-schedule" }>, "by" | "schedule">,
  now: Instant,
  at = now,
): RoomOutcome {
  if (!canRunSession(asActor(change.by), seatOf(state, change.by)))
    return refuse("FORBIDDEN", "Only the host and admins may do that.");
  if (statusAt(state, now) === SESSION_STATUS.ended) return refuse("CONFLICT", ENDED);
  const plan = { sessionStart: state.startedAt, rosterSize: rosterOf(state).length };
  const replaced = replaceSchedule(state.schedule, change.schedule, plan);
  if (!replaced.ok) return refuse("INVALID", scheduleSentence(replaced));
  if (!fitsPlan(replaced.schedule)) return { ...refuse("INVALID", TOO_LARGE_A_PLAN), fields: ["schedule"] };
  const { schedule } =
    state.runBegunAt === null ? replaced : advanceSchedule(replaced.schedule, contextOf(state, now), now);
  return acceptWithEnd(state, { ...state, schedule, planEditedAt: at }, now, "parts");
}

/** The host and super admin always; an admin before the start and while the active part allows it. */
function mayEdit(
  state: RoomState,
  by: RoomActor,
  permission: "mayEditContent" | "mayEditPrompt",
  now: Instant,
): boolean {
  const seat = seatOf(state, by);
  const who = { canRun: canRunSession(asActor(by), seat), canHost: canHostSession(asActor(by), seat) };
  const status = statusAt(state, now);
  // After the end the host reads that the session is over, not that the part forbids editing.
  if (status === SESSION_STATUS.ended) return who.canHost;
  return mayEditNow(who, status, activeParts(state.schedule), permission);
}

function saveContent(
  state: RoomState,
  change: Pick<RoomEdit, "by" | "title" | "content" | "contentHtml">,
  now: Instant,
  at = now,
): RoomOutcome {
  if (!mayEdit(state, change.by, "mayEditContent", now))
    return refuse("FORBIDDEN", "This part does not allow editing the content.");
  if (statusAt(state, now) === SESSION_STATUS.ended && !change.by.isSuperAdmin)
    return refuse("CONFLICT", ENDED);
  const { title = state.title, content = state.content, contentHtml = state.contentHtml } = change;
  const editedAt = {
    ...state.editedAt,
    ...(title === state.title ? {} : { title: at }),
    ...(content === state.content ? {} : { content: at }),
  };
  const next = { ...state, title, content, contentHtml, editedAt };
  return fits(next) ? accept(next, "content") : tooLong("content");
}

/** While awaiting participants, or during an active part with edit_prompt. */
function savePrompt(
  state: RoomState,
  change: Pick<Extract<StateChange, { type: "save-prompt" }>, "by" | "prompt">,
  now: Instant,
  at = now,
): RoomOutcome {
  if (!mayEdit(state, change.by, "mayEditPrompt", now))
    return refuse("FORBIDDEN", "The prompt cannot be edited now.");
  if (statusAt(state, now) === SESSION_STATUS.ended && !change.by.isSuperAdmin)
    return refuse("CONFLICT", ENDED);
  const next = {
    ...state,
    prompt: change.prompt,
    editedAt: { ...state.editedAt, ...(change.prompt === state.prompt ? {} : { prompt: at }) },
  };
  return fits(next) ? accept(next, "content") : tooLong("prompt");
}

const NOT_CONTRIBUTED: Record<MayContribute, [ErrorCode, string] | null> = {
  may: null,
  "not-running": ["CONFLICT", "The session is not in progress."],
  "not-their-turn": ["FORBIDDEN", "It is not your turn."],
  "not-taken": ["FORBIDDEN", "This part does not take contributions."],
};

/** By the participant whose turn it is, or by everybody if the part allows it. */
function contribute(
  state: RoomState,
  change: Extract<StateChange, { type: "contribute" }>,
  now: Instant,
  presence: RoundPresence | undefined,
): RoomOutcome {
  const seat = seatOf(state, change.by);
  if (!seat) return refuse("FORBIDDEN", NOT_JOINED);
  // The turn may have ended since the first time.
  const sent = { userId: seat.userId, uuid: change.uuid, content: change.contribution };
  if (findRepeated(state.contributions, sent)) return accept(state);
  const muted = mutedIn(state, change.by, now);
  if (muted) return refuse("FORBIDDEN", muted);
  const may = contributionOf(seat.username, statusAt(state, now), activeParts(state.schedule), now);
  const refusal = NOT_CONTRIBUTED[may];
  if (refusal) return refuse(...refusal);
  const added = {
    seq: state.seq + 1,
    userId: seat.userId,
    username: seat.username,
    content: change.contribution,
    contentHtml: change.contributionHtml,
    createdAt: now,
    ...(change.uuid === undefined ? {} : { uuid: change.uuid }),
  };
  const next = { ...state, contributions: [...state.contributions, added] };
  if (withContributions(next).content.length > CONTENT_LIMIT)
    return refuse("TOO_LARGE", "The text of this session is full. Nothing more can be added.");
  if (!fits(next)) return tooLong("contribution");
  const turn = change.isPassing ? turnOf(next, seat.username, now) : undefined;
  if (!turn) return accept(next, "content");
  const passed = pass(next, { by: change.by, partId: turn.id }, contextOf(next, now, presence));
  return passed.ok ? { ...passed, topics: ["content", ...passed.topics] } : passed;
}

const turnOf = ({ schedule }: RoomState, username: string, now: Instant): Part | undefined =>
  activeParts(schedule).find((part) => turnAt(part, now)?.username === username);

/** The room stores all its texts in one row. */
const fits = ({ content, contentHtml, contributions, summary, prompt }: RoomState): boolean =>
  fitRow(content, contentHtml, JSON.stringify(contributions), summary, prompt);

/** Back to status 0: no start, parts not started, ready marks cleared. */
function reset(state: RoomState, by: RoomActor): RoomOutcome {
  if (!by.isSuperAdmin) return refuse("FORBIDDEN", "Only a super admin may reset a session.");
  const participants = state.participants.map((person) => ({ ...person, isReady: false, completedAt: null }));
  const fresh = {
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
  return accept({ ...fresh, schedule: resetSchedule(state.schedule) }, "status", "participants", "parts");
}

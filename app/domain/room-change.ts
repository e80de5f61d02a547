// What may change a live room, and what that does: pure, takes `now`, says who may. An accepted change answers the new
// state and the topics that listeners must hear of.
import type { ErrorCode } from "./errors";
import { canHostSession, canRunSession, SUPER_ADMIN } from "./permissions";
import type { PartAction, RoomActor, RoomChange, RoomParticipant, RoomState } from "./room";
import { advanceSchedule, effectiveSchedule, nextTransitionAt, type RunContext } from "./schedule-advance";
import { replaceSchedule, resetSchedule } from "./schedule-groups";
import { sessionEnd } from "./schedule-plan";
import {
  adjustPart,
  finishPart,
  pausePart,
  resetPart,
  resumePart,
  rosterChanged,
  startPart,
  startSchedule,
} from "./schedule-run";
import { type Edit, type Part, partsInOrder } from "./schedule-shape";
import { type Instant, instant, plusSeconds } from "./time";
import { turnAt } from "./timers";

/** What of a room changed: each becomes one operation on the wire. */
export type RoomTopic = "participants" | "status" | "parts" | "content" | "summary";
export type RoomRefusal = { ok: false; code: ErrorCode; sentence: string };
export type RoomOutcome = { ok: true; state: RoomState; topics: RoomTopic[] } | RoomRefusal;

export const CHAT_CLOSED = "Chat is active when the session is in progress.";
export const NOT_JOINED = "Please join the challenge to use that feature.";
const ENDED = "This session has ended.";

/** 0 awaiting, 1 in progress, 2 ended; never stored (S-04). */
export const roomStatus = (state: Pick<RoomState, "startedAt" | "endedAt">, now: Instant): 0 | 1 | 2 => {
  if (state.startedAt === null || state.startedAt > now) return 0;
  return state.endedAt !== null && state.endedAt <= now ? 2 : 1;
};

/** Who takes part still, in order of joining. */
export const rosterOf = (state: RoomState): string[] =>
  state.participants.filter((person) => person.completedAt === null).map((person) => person.username);
const contextOf = (state: RoomState, now: Instant): RunContext => ({ now, roster: rosterOf(state) });

export const seatOf = (state: RoomState, actor: RoomActor): RoomParticipant | null =>
  state.participants.find((person) => person.userId === actor.userId) ?? null;
const asActor = (actor: RoomActor) => ({
  id: actor.userId,
  username: actor.username,
  roleId: actor.isSuperAdmin ? SUPER_ADMIN : 1,
});

/** The parts that run at `now`, pauses included. */
export const activeParts = (state: RoomState): Part[] =>
  partsInOrder(state.schedule).filter((part) => part.state === "running" || part.state === "paused");

const refused = (code: ErrorCode, sentence: string): RoomRefusal => ({ ok: false, code, sentence });
const changed = (state: RoomState, ...topics: RoomTopic[]): RoomOutcome => ({ ok: true, state, topics });

/** The end follows the last part when that moves later. */
function withEnd(state: RoomState, now: Instant): RoomState {
  if (state.startedAt === null) return state;
  const endedAt = sessionEnd(
    effectiveSchedule(state.schedule, now, rosterOf(state).length),
    state.endedAt ?? plusSeconds(state.startedAt, state.duration),
    state.startedAt,
  );
  return { ...state, endedAt };
}

/** S-05: the run begins at `startedAt`; ready marks are of the wait and are cleared (L-07). */
function beginRun(state: RoomState, startedAt: Instant, now: Instant): RoomState {
  const schedule = startSchedule(
    state.schedule,
    startedAt,
    { now: startedAt, roster: rosterOf(state) },
    { isManuallyStarted: state.isManuallyStarted, plannedStart: state.startedAt },
  );
  const begun: RoomState = {
    ...state,
    startedAt,
    endedAt: plusSeconds(startedAt, state.duration),
    runBegunAt: startedAt,
    schedule,
    participants: state.participants.map((person) => ({ ...person, isReady: false })),
  };
  return withEnd(begun, now);
}

/** Catches up to `now`, in order and idempotent: a scheduled start, parts, the end (L-09). */
export function advanceRoom(state: RoomState, now: Instant): { state: RoomState; topics: RoomTopic[] } {
  if (state.startedAt === null || state.startedAt > now || state.hasEnded || state.closedAt !== null)
    return { state, topics: [] };
  const topics = new Set<RoomTopic>();
  let current = state;
  if (current.runBegunAt === null) {
    current = beginRun(current, state.startedAt, now);
    topics.add("status").add("participants").add("parts");
  }
  // What should have happened happens at its own instant; nothing of the schedule moves after the end.
  for (;;) {
    const end = current.endedAt ?? now;
    const until = end < now ? end : now;
    const { schedule, events } = advanceSchedule(current.schedule, contextOf(current, until));
    if (events.length > 0) topics.add("parts");
    const next = withEnd({ ...current, schedule }, until);
    if (next.endedAt !== current.endedAt) topics.add("status");
    const isLater = next.endedAt !== null && current.endedAt !== null && next.endedAt > current.endedAt;
    current = next;
    if (!isLater || end >= now) break;
  }
  return { state: current, topics: [...topics] };
}

/** When the one alarm should ring; null: nothing changes by itself. */
export function nextDueAt(state: RoomState, now: Instant): Instant | null {
  if (state.closedAt !== null || state.startedAt === null) return null;
  const status = roomStatus(state, now);
  if (status === 0) return state.startedAt;
  if (status === 2) return now;
  const transition = nextTransitionAt(state.schedule, contextOf(state, now));
  const dates = [transition, state.endedAt].filter((at) => at !== null);
  return dates.length === 0 ? null : instant(Math.min(...dates));
}

/** Applies one change at `now`. The caller has brought the state up to `now` with `advanceRoom`. */
export function applyChange(state: RoomState, change: RoomChange, now: Instant): RoomOutcome {
  switch (change.type) {
    case "start":
      return start(state, change.by, now);
    case "end":
      return end(state, change.by, now);
    case "complete":
      return complete(state, change.by, now);
    case "set-ready":
      return setReady(state, change.by, change.isReady, now);
    case "control-part":
      return run(state, change.by, now, (ctx) => ACTIONS[change.action](state.schedule, change.partId, ctx));
    case "adjust-part":
      return run(state, change.by, now, (ctx) =>
        adjustPart(state.schedule, change.partId, change.seconds, ctx),
      );
    case "replace-schedule":
      return replace(state, change, now);
    case "save-content":
      return saveContent(state, change, now);
    case "save-prompt":
      return savePrompt(state, change, now);
    case "contribute":
      return contribute(state, change, now);
    case "set-summary":
      return changed({ ...state, summary: change.summary }, "summary");
    case "reset":
      return reset(state, change.by);
    case "say":
    case "logged":
      // Kept as rows of their own, not in the state.
      return changed(state);
  }
}

const ACTIONS: Record<
  PartAction,
  (schedule: RoomState["schedule"], partId: string, ctx: RunContext) => Edit
> = {
  start: startPart,
  pause: pausePart,
  resume: resumePart,
  finish: finishPart,
  reset: resetPart,
};

function start(state: RoomState, by: RoomActor, now: Instant): RoomOutcome {
  if (!canRunSession(asActor(by), seatOf(state, by)))
    return refused("FORBIDDEN", "Only the host and admins may start a session.");
  const status = roomStatus(state, now);
  if (status === 2) return refused("CONFLICT", ENDED);
  if (status === 1) return refused("CONFLICT", "The session has started already.");
  return changed(beginRun(state, now, now), "status", "participants", "parts");
}

function end(state: RoomState, by: RoomActor, now: Instant): RoomOutcome {
  if (!canHostSession(asActor(by), seatOf(state, by)))
    return refused("FORBIDDEN", "Only the host may end a session.");
  if (roomStatus(state, now) === 2) return refused("CONFLICT", ENDED);
  return changed(ended(state, now), "status", "parts");
}

/** What runs stops now; a session that never started ends where it stands. */
function ended(state: RoomState, now: Instant): RoomState {
  const startedAt = state.startedAt === null || state.startedAt > now ? now : state.startedAt;
  const groups = state.schedule.groups.map((group) => ({
    ...group,
    parts: group.parts.map((part) =>
      part.state === "running" || part.state === "paused"
        ? { ...part, state: "finished" as const, endedAt: part.pausedAt ?? now, pausedAt: null }
        : part,
    ),
  }));
  return { ...state, startedAt, endedAt: now, hasEnded: true, schedule: { groups } };
}

function complete(state: RoomState, by: RoomActor, now: Instant): RoomOutcome {
  const seat = seatOf(state, by);
  if (!seat) return refused("FORBIDDEN", NOT_JOINED);
  const status = roomStatus(state, now);
  if (status !== 1) return refused("CONFLICT", status === 2 ? ENDED : "The session has not started yet.");
  if (seat.completedAt !== null) return changed(state);
  const participants = state.participants.map((person) =>
    person === seat ? { ...person, completedAt: now } : person,
  );
  const next = { ...state, participants };
  if (participants.every((person) => person.completedAt !== null))
    return changed(ended(next, now), "participants", "status", "parts");
  return changed(
    withEnd({ ...next, schedule: rosterChanged(next.schedule, contextOf(next, now)) }, now),
    "participants",
    "parts",
  );
}

function setReady(state: RoomState, by: RoomActor, isReady: boolean, now: Instant): RoomOutcome {
  const seat = seatOf(state, by);
  if (!seat) return refused("FORBIDDEN", NOT_JOINED);
  if (roomStatus(state, now) === 2) return refused("CONFLICT", ENDED);
  if (seat.isReady === isReady) return changed(state);
  const participants = state.participants.map((person) =>
    person === seat ? { ...person, isReady } : person,
  );
  return changed({ ...state, participants }, "participants");
}

/** A move of the running schedule by host or admins. */
function run(state: RoomState, by: RoomActor, now: Instant, move: (ctx: RunContext) => Edit): RoomOutcome {
  if (!canRunSession(asActor(by), seatOf(state, by)))
    return refused("FORBIDDEN", "Only the host and admins may do that.");
  const status = roomStatus(state, now);
  if (status !== 1) return refused("CONFLICT", status === 2 ? ENDED : "The session has not started yet.");
  const moved = move(contextOf(state, now));
  if (!moved.ok) return refused("CONFLICT", moved.sentence);
  const next = withEnd({ ...state, schedule: moved.schedule }, now);
  return changed(next, "parts", ...(next.endedAt === state.endedAt ? [] : (["status"] as const)));
}

function replace(
  state: RoomState,
  change: Extract<RoomChange, { type: "replace-schedule" }>,
  now: Instant,
): RoomOutcome {
  if (!canRunSession(asActor(change.by), seatOf(state, change.by)))
    return refused("FORBIDDEN", "Only the host and admins may do that.");
  if (roomStatus(state, now) === 2) return refused("CONFLICT", ENDED);
  const plan = { sessionStart: state.startedAt, rosterSize: rosterOf(state).length };
  const replaced = replaceSchedule(state.schedule, change.schedule, plan);
  if (!replaced.ok) return refused("INVALID", replaced.sentence);
  const { schedule } =
    state.runBegunAt === null ? replaced : advanceSchedule(replaced.schedule, contextOf(state, now), now);
  return changed(withEnd({ ...state, schedule }, now), "parts", "status");
}

/** Host and super admin always; an admin while the active part allows it. */
function mayEdit(state: RoomState, by: RoomActor, permission: "mayEditContent" | "mayEditPrompt"): boolean {
  const seat = seatOf(state, by);
  if (canHostSession(asActor(by), seat)) return true;
  return canRunSession(asActor(by), seat) && activeParts(state).some((part) => part[permission]);
}

function saveContent(
  state: RoomState,
  change: Extract<RoomChange, { type: "save-content" }>,
  now: Instant,
): RoomOutcome {
  if (!mayEdit(state, change.by, "mayEditContent"))
    return refused("FORBIDDEN", "This part does not allow editing the content.");
  if (roomStatus(state, now) === 2 && !change.by.isSuperAdmin) return refused("CONFLICT", ENDED);
  const { title = state.title, content = state.content, contentHtml = state.contentHtml } = change;
  return changed({ ...state, title, content, contentHtml }, "content");
}

/** While awaiting participants, or during an active part with edit_prompt. */
function savePrompt(
  state: RoomState,
  change: Extract<RoomChange, { type: "save-prompt" }>,
  now: Instant,
): RoomOutcome {
  const isWaiting =
    roomStatus(state, now) === 0 && canRunSession(asActor(change.by), seatOf(state, change.by));
  if (!isWaiting && !mayEdit(state, change.by, "mayEditPrompt"))
    return refused("FORBIDDEN", "The prompt cannot be edited now.");
  return changed({ ...state, prompt: change.prompt }, "content");
}

/** Only whose turn it is; where nobody has a turn, whoever takes part in a part that allows it. */
function contribute(
  state: RoomState,
  change: Extract<RoomChange, { type: "contribute" }>,
  now: Instant,
): RoomOutcome {
  const seat = seatOf(state, change.by);
  if (!seat) return refused("FORBIDDEN", NOT_JOINED);
  if (roomStatus(state, now) !== 1) return refused("CONFLICT", "The session is not in progress.");
  const active = activeParts(state);
  const turns = active.filter((part) => part.isPerParticipant);
  const isTheirs =
    turns.length > 0
      ? turns.some((part) => turnAt(part, now)?.username === seat.username)
      : active.some((part) => part.mayEditContent);
  if (!isTheirs)
    return refused(
      "FORBIDDEN",
      turns.length > 0 ? "It is not your turn." : "This part does not take contributions.",
    );
  const join = (a: string, b: string, between: string) => (a.trim() === "" ? b : `${a}${between}${b}`);
  const content = join(state.content, change.contribution, "\n\n");
  return changed(
    { ...state, content, contentHtml: join(state.contentHtml, change.contributionHtml, "\n") },
    "content",
  );
}

/** Back to status 0: no start, parts unstarted, ready marks cleared. */
function reset(state: RoomState, by: RoomActor): RoomOutcome {
  if (!by.isSuperAdmin) return refused("FORBIDDEN", "Only a super admin may reset a session.");
  const participants = state.participants.map((person) => ({ ...person, isReady: false, completedAt: null }));
  const fresh = {
    ...state,
    startedAt: null,
    endedAt: null,
    runBegunAt: null,
    hasEnded: false,
    closedAt: null,
    participants,
  };
  return changed({ ...fresh, schedule: resetSchedule(state.schedule) }, "status", "participants", "parts");
}

// The reducer of the part editor: a schedule, its plan, refusals, announcements and undo steps. Pure; the domain
// computes every date.
import * as edit from "~/domain/schedule/edit";
import * as groups from "~/domain/schedule/groups";
import { layOut, linkAllGroups } from "~/domain/schedule/plan";
import { scheduleSentences } from "~/domain/schedule/sentences";
import {
  accept,
  type Edit,
  findPlace,
  type Interval,
  newPart,
  newPartGroup,
  type PartGroup,
  partPlaces,
  type RelativeStart,
  refuse,
  type Schedule,
} from "~/domain/schedule/shape";
import type { Instant } from "~/domain/time";

export type EditorPlan = { sessionStart: Instant | null; isManuallyStarted: boolean; rosterSize: number };

/** Why an action was refused, and the id of its part or group. */
type Refusal = { targetId: string; sentence: string };

export type EditorState = {
  schedule: Schedule;
  plan: EditorPlan;
  refusal: Refusal | null;
  /** The announcement of the last action, for screen readers. */
  announcement: string;
  /** The part or group that takes the focus next. */
  focusOn: string | null;
  past: Schedule[];
  future: Schedule[];
  /** Typing into one field is a single undo step. */
  mergeKey: string | null;
  /** The groups that were not linked before manual start linked them all. */
  unlinkedGroupIds: string[];
};

type GroupChange = Partial<Pick<PartGroup, "isAutoStart" | "isHidden">>;

export type EditorAction =
  | { type: "add-group"; groupId: string; partId: string }
  | { type: "duplicate-group"; groupId: string; makeId: () => string }
  | { type: "remove-group"; groupId: string }
  | { type: "move-group"; groupId: string; index: number }
  | { type: "set-linked"; groupId: string; isLinked: boolean }
  | { type: "set-group-sets"; groupId: string; sets: number }
  | { type: "describe-group"; groupId: string; change: GroupChange }
  | { type: "add-part"; groupId: string; partId: string }
  | { type: "duplicate-part"; partId: string; newId: string }
  | { type: "remove-part"; partId: string }
  | { type: "move-part"; partId: string; groupId: string; index: number }
  | { type: "step-part"; partId: string; by: -1 | 1 }
  | { type: "set-title"; partId: string; title: string }
  | { type: "set-access"; partId: string; change: edit.PartTexts }
  | { type: "set-duration"; partId: string; seconds: number }
  | { type: "set-start"; partId: string; at: Instant }
  | { type: "set-end"; partId: string; at: Instant }
  | { type: "clear-start"; partId: string }
  | { type: "set-relative-start"; partId: string; relativeStart: RelativeStart | null }
  | { type: "set-intervals"; partId: string; intervals: Interval[]; sets: number }
  | { type: "set-kind"; partId: string; flags: edit.KindFlags }
  | { type: "set-plan"; plan: EditorPlan }
  | { type: "replace"; schedule: Schedule }
  | { type: "undo" }
  | { type: "redo" };

const UNDO_STEPS = 100;

const layOutFor = (schedule: Schedule, plan: EditorPlan): Schedule =>
  plan.isManuallyStarted
    ? layOut(linkAllGroups(schedule), null, plan.rosterSize)
    : layOut(schedule, plan.sessionStart, plan.rosterSize);

export function openEditor(schedule: Schedule, plan: EditorPlan): EditorState {
  return {
    schedule: layOutFor(schedule, plan),
    plan,
    refusal: null,
    announcement: "",
    focusOn: null,
    past: [],
    future: [],
    mergeKey: null,
    unlinkedGroupIds: plan.isManuallyStarted ? unlinkedIn(schedule) : [],
  };
}

const unlinkedIn = (schedule: Schedule): string[] =>
  schedule.groups.filter((group) => !group.isLinked).map((group) => group.id);

/** The name of a part: its number and, if it has one, its title. */
export function nameOf(schedule: Schedule, partId: string): string {
  const place = findPlace(schedule, partId);
  if (!place) return "Timer";
  return place.part.title ? `Timer ${place.number}, ${place.part.title}` : `Timer ${place.number}`;
}

const groupNumber = (schedule: Schedule, groupId: string): number =>
  schedule.groups.findIndex((group) => group.id === groupId) + 1;

/** The position of a part, in words. */
export function placeOf(schedule: Schedule, partId: string): string {
  const place = findPlace(schedule, partId);
  if (!place) return "";
  const within = `position ${place.index + 1} of ${place.group.parts.length}`;
  return schedule.groups.length > 1 ? `${within} in group ${place.groupIndex + 1}` : within;
}

/** A group whose last part moves out is removed, as when that part is deleted (U-47). */
const removeEmptied = (scheduleBefore: Schedule, result: Edit): Edit => {
  if (!result.ok) return result;
  const filledBefore = new Set(
    scheduleBefore.groups.filter((group) => group.parts.length > 0).map((group) => group.id),
  );
  return accept({
    groups: result.schedule.groups.filter(
      (group) => group.type !== "event" || group.parts.length > 0 || !filledBefore.has(group.id),
    ),
  });
};

/** Moves a part one step up or down, at the end of its group into the neighbouring group. */
function stepPart(schedule: Schedule, partId: string, by: -1 | 1, plan: EditorPlan): Edit {
  const place = findPlace(schedule, partId);
  if (!place) return refuse("no-part");
  const index = place.index + by;
  if (index >= 0 && index < place.group.parts.length)
    return edit.movePart(schedule, partId, place.group.id, index, plan);
  const neighbours = schedule.groups.filter((group) => group.type === "event");
  const neighbour = neighbours[neighbours.indexOf(place.group) + by];
  if (!neighbour) return accept(schedule);
  return edit.movePart(schedule, partId, neighbour.id, by === 1 ? 0 : neighbour.parts.length, plan);
}

type Step = { result: Edit; targetId: string; announcement?: string; focusOn?: string; mergeKey?: string };

/** The effect of an action, and its announcement. Undo, redo and the plan are not steps. */
function stepOf(
  { schedule, plan }: EditorState,
  action: Exclude<EditorAction, { type: "undo" | "redo" | "set-plan" }>,
): Step {
  switch (action.type) {
    case "add-group": {
      const group = newPartGroup(action.groupId, {
        isLinked: true,
        parts: [newPart(action.partId)],
      });
      return {
        result: groups.addGroup(schedule, group, plan),
        targetId: action.groupId,
        announcement: "Group added.",
        focusOn: action.partId,
      };
    }
    case "duplicate-group":
      return {
        result: groups.duplicateGroup(schedule, action.groupId, action.makeId, plan),
        targetId: action.groupId,
        announcement: `Group ${groupNumber(schedule, action.groupId)} duplicated.`,
      };
    case "remove-group":
      return {
        result: groups.removeGroup(schedule, action.groupId, plan),
        targetId: action.groupId,
        announcement: `Group ${groupNumber(schedule, action.groupId)} removed.`,
      };
    case "move-group":
      return {
        result: groups.moveGroup(schedule, action.groupId, action.index, plan),
        targetId: action.groupId,
        announcement: `Group moved to place ${action.index + 1} of ${schedule.groups.length}.`,
        focusOn: action.groupId,
      };
    case "set-linked":
      return {
        result: groups.setLinked(schedule, action.groupId, action.isLinked, plan),
        targetId: action.groupId,
      };
    case "set-group-sets":
      return {
        result: groups.setGroupSets(schedule, action.groupId, action.sets, plan),
        targetId: action.groupId,
        mergeKey: `sets ${action.groupId}`,
      };
    case "describe-group":
      return {
        result: groups.describeGroup(schedule, action.groupId, action.change),
        targetId: action.groupId,
      };
    case "add-part":
      return {
        result: edit.addPart(schedule, action.groupId, newPart(action.partId), plan),
        targetId: action.groupId,
        announcement: "Timer added.",
        focusOn: action.partId,
      };
    case "duplicate-part":
      return {
        result: edit.duplicatePart(schedule, action.partId, action.newId, plan),
        targetId: action.partId,
        announcement: `${nameOf(schedule, action.partId)}, duplicated.`,
        focusOn: action.newId,
      };
    case "remove-part": {
      const places = partPlaces(schedule);
      const index = places.findIndex(({ part }) => part.id === action.partId);
      const neighbour = places[index + 1] ?? places[index - 1];
      return {
        result: edit.removePart(schedule, action.partId, plan),
        targetId: action.partId,
        announcement: `${nameOf(schedule, action.partId)}, removed.`,
        ...(neighbour ? { focusOn: neighbour.part.id } : {}),
      };
    }
    case "move-part": {
      const result = edit.movePart(schedule, action.partId, action.groupId, action.index, plan);
      return { result: removeEmptied(schedule, result), targetId: action.partId };
    }
    case "step-part": {
      const result = removeEmptied(schedule, stepPart(schedule, action.partId, action.by, plan));
      return {
        result,
        targetId: action.partId,
        focusOn: `${action.partId}:${action.by === 1 ? "down" : "up"}`,
        announcement: result.ok
          ? `${nameOf(schedule, action.partId)}, moved to ${placeOf(result.schedule, action.partId)}.`
          : "",
      };
    }
    case "set-title":
      return {
        result: edit.describePart(schedule, action.partId, { title: action.title }),
        targetId: action.partId,
        mergeKey: `title ${action.partId}`,
      };
    case "set-access":
      return { result: edit.describePart(schedule, action.partId, action.change), targetId: action.partId };
    case "set-duration":
      return {
        result: edit.setPartDuration(schedule, action.partId, action.seconds, plan),
        targetId: action.partId,
        mergeKey: `duration ${action.partId}`,
      };
    case "set-start":
      return {
        result: edit.setPartStart(schedule, action.partId, action.at, plan),
        targetId: action.partId,
        mergeKey: `start ${action.partId}`,
      };
    case "set-end":
      return {
        result: edit.setPartEnd(schedule, action.partId, action.at, plan),
        targetId: action.partId,
        mergeKey: `end ${action.partId}`,
      };
    case "clear-start":
      return { result: edit.clearPartStart(schedule, action.partId, plan), targetId: action.partId };
    case "set-relative-start":
      return {
        result: edit.setRelativeStart(schedule, action.partId, action.relativeStart, plan),
        targetId: action.partId,
      };
    case "set-intervals":
      return {
        result: edit.setIntervals(schedule, action.partId, action.intervals, action.sets, plan),
        targetId: action.partId,
        mergeKey: `intervals ${action.partId}`,
      };
    case "set-kind":
      return { result: edit.setKind(schedule, action.partId, action.flags, plan), targetId: action.partId };
    case "replace":
      return { result: accept(layOutFor(action.schedule, plan)), targetId: "" };
  }
}

/** Recomputes the dates. A switch to manual start remembers the unlinked groups, and the switch back restores them (T-10). */
function replan(state: EditorState, plan: EditorPlan): EditorState {
  const { sessionStart, isManuallyStarted, rosterSize } = state.plan;
  const isSame =
    plan.sessionStart === sessionStart &&
    plan.isManuallyStarted === isManuallyStarted &&
    plan.rosterSize === rosterSize;
  if (isSame) return state;
  const becomesManual = plan.isManuallyStarted && !state.plan.isManuallyStarted;
  const becomesPlanned = !plan.isManuallyStarted && state.plan.isManuallyStarted;
  const unlinkedBefore = becomesManual ? unlinkedIn(state.schedule) : state.unlinkedGroupIds;
  const schedule = becomesPlanned
    ? {
        groups: state.schedule.groups.map((group) =>
          unlinkedBefore.includes(group.id) ? { ...group, isLinked: false } : group,
        ),
      }
    : state.schedule;
  return {
    ...state,
    plan,
    unlinkedGroupIds: becomesPlanned ? [] : unlinkedBefore,
    schedule: layOutFor(schedule, plan),
    refusal: null,
    mergeKey: null,
  };
}

export function editParts(state: EditorState, action: EditorAction): EditorState {
  if (action.type === "set-plan") return replan(state, action.plan);
  if (action.type === "undo" || action.type === "redo") {
    const isUndo = action.type === "undo";
    const [source, target] = isUndo ? [state.past, state.future] : [state.future, state.past];
    const schedule = source.at(-1);
    if (!schedule) return state;
    const moved = { source: source.slice(0, -1), target: [...target, state.schedule] };
    return {
      ...state,
      schedule: layOutFor(schedule, state.plan),
      past: isUndo ? moved.source : moved.target,
      future: isUndo ? moved.target : moved.source,
      refusal: null,
      mergeKey: null,
      focusOn: null,
      announcement: isUndo ? "Undone." : "Redone.",
    };
  }
  const { result, targetId, announcement = "", focusOn = null, mergeKey = null } = stepOf(state, action);
  if (!result.ok) {
    const sentence = scheduleSentences(result).join(" ");
    return { ...state, refusal: { targetId, sentence }, announcement: sentence };
  }
  const isMerged = mergeKey !== null && mergeKey === state.mergeKey;
  return {
    ...state,
    schedule: state.plan.isManuallyStarted ? linkAllGroups(result.schedule) : result.schedule,
    refusal: null,
    announcement,
    focusOn,
    mergeKey,
    past: isMerged ? state.past : [...state.past, state.schedule].slice(-UNDO_STEPS),
    future: [],
  };
}

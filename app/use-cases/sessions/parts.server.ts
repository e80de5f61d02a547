// Adds, changes, orders and deletes parts and part groups of a session (C-60 to C-64, C-76, C-77). Before the run the
// plan of the record changes, if nobody changed it since it was read; afterwards the room changes its plan.

import * as goalCopies from "#db/queries/goals/copies";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { AppError, invalid, isAppError, TOO_LARGE_A_PLAN } from "~/domain/errors";
import type { Goal, GoalDraft } from "~/domain/goals/goals";
import { allow, requireUser } from "~/domain/permissions";
import { editPart, type PartChange } from "~/domain/schedule/part-changes";
import {
  addGroup,
  addPart as addPartTo,
  describeGroup,
  type Edit,
  findPlace,
  isUnrolled,
  newPart,
  newPartGroup,
  type PartGroup,
  type Plan,
  refuse,
  removeGroup,
  removePart,
  reorderParts as reorderPartsOf,
  SCHEDULE_LIMITS,
  type Schedule,
  setGroupSets,
  setLinked,
  setPartEnd,
} from "~/domain/schedule/schedule";
import { scheduleSentence, scheduleSentences } from "~/domain/schedule/sentences";
import { fitsPlan } from "~/domain/schedule/size";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import { planSession } from "~/domain/sessions/planning";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { PartAnswer } from "~/domain/sessions/view";
import { type Instant, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { recordOverseen } from "~/use-cases/super-admin-acts.server";
import { requireMayWrite, sessionPlace } from "~/use-cases/writing.server";
import { addGoal, changeGoal, orderGoals, removeGoal } from "./goals.server";
import { writePlan } from "./plan-writes.server";
import {
  actorOf,
  changeRoom,
  mayRun,
  overseenBy,
  readSession,
  type SessionRef,
  viewRoom,
} from "./read.server";

const MAX_ATTEMPTS = 8;

export type PartType = "event" | "task";
type ScheduleChange = (schedule: Schedule, plan: Plan) => Edit;

/**
 * Reads the plan, changes it, and writes it unless somebody changed it meanwhile, which makes the loop repeat. Refusals
 * are INVALID at `field`. Returns the changed schedule.
 */
async function editSchedule(
  app: App,
  ref: SessionRef,
  field: string,
  change: ScheduleChange,
): Promise<{ row: SessionRow; schedule: Schedule }> {
  const actor = actorOf(requireUser(app.user));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = await readEditable(app, ref);
    if (statusAt(row, app.now) === SESSION_STATUS.waiting) {
      const plan = { sessionStart: row.startedAt, rosterSize: row.participantsCount };
      const planned = planSession({
        ...row,
        schedule: requireAccepted(change(row.schedule, plan), field),
        endedAt: null,
        rosterSize: plan.rosterSize,
      });
      const writtenRow = await writePlan(app, row, planned, {
        after: recordOverseen(app, overseenBy(app, row, "timers-changed")),
      });
      if (!writtenRow) continue;
      notifyRoom(app, row.id);
      return { row, schedule: writtenRow.schedule };
    }
    const view = await viewRoom(app, row.id);
    if (!view) throw new AppError("CONFLICT", sessionRefusals.roomIsSilent);
    const plan = { sessionStart: view.state.startedAt, rosterSize: view.state.participants.length };
    const schedule = requireAccepted(change(view.state.schedule, plan), field);
    try {
      const since = view.state.planEditedAt ?? instant(0);
      const changedView = await changeRoom(app, row, { type: "edit", by: actor, schedule, since });
      return { row, schedule: changedView.state.schedule };
    } catch (thrown) {
      // Another edit came between reading and writing.
      if (!isAppError(thrown) || !thrown.newer) throw thrown;
    }
  }
  throw new AppError("CONFLICT", sessionRefusals.changedElsewhere);
}

function requireAccepted(edit: Edit, field: string): Schedule {
  if (edit.ok) {
    const { groups } = edit.schedule;
    const parts = groups.reduce(
      (sum, group) => sum + group.parts.length * (isUnrolled(group) ? 1 : group.sets),
      0,
    );
    const isTooLarge = !fitsPlan(edit.schedule);
    if (groups.length > SCHEDULE_LIMITS.groups || parts > SCHEDULE_LIMITS.parts || isTooLarge)
      throw invalid(field, TOO_LARGE_A_PLAN);
    return edit.schedule;
  }
  const sentence = scheduleSentences(edit).join(" ");
  if (edit.code === "no-part" || edit.code === "no-group") throw new AppError("NOT_FOUND", sentence);
  throw invalid(field, sentence);
}

async function readEditable(app: App, ref: SessionRef): Promise<SessionRow> {
  const user = requireUser(app.user);
  const [row] = await Promise.all([readSession(app, ref), countUse(app, "parts", user.id)]);
  allow(mayRun(app, row), sessionRefusals.hostAndAdminsChangeTimers);
  requireMayWrite(app, sessionPlace(row, true));
  if (statusAt(row, app.now) === SESSION_STATUS.ended)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  return row;
}

const readAnswer = async (
  app: App,
  { row, schedule }: { row: SessionRow; schedule: Schedule },
  uuid: string | null,
): Promise<PartAnswer> => {
  const goals = await goalCopies.listSessionGoals(app.db, row.id);
  return {
    part: uuid === null ? null : (findPlace(schedule, uuid)?.part ?? null),
    goal: goals.find((goal) => goal.uuid === uuid) ?? null,
    schedule,
    goals,
  };
};

/** Adds an empty group, of timers or goals, at the end (C-60, C-76). A repeat returns the same group. */
export async function addPartGroup(
  app: App,
  input: SessionRef & { uuid?: string | undefined; type: PartType; isAutoStart?: boolean | undefined },
): Promise<{ group: PartGroup; goals: Goal[] }> {
  const uuid = input.uuid ?? app.newId();
  const { schedule } = await editSchedule(app, input, "uuid", (schedule, plan) =>
    schedule.groups.some((group) => group.id === uuid)
      ? { ok: true, schedule }
      : addGroup(
          schedule,
          newPartGroup(uuid, {
            type: input.type,
            ...(input.isAutoStart === false ? { isAutoStart: false } : {}),
          }),
          plan,
        ),
  );
  const group = schedule.groups.find((candidate) => candidate.id === uuid);
  if (!group) throw new AppError("NOT_FOUND", scheduleSentence({ code: "no-group" }));
  return { group, goals: [] };
}

export type NewPart = SessionRef & {
  type: PartType;
  groupId?: string | null | undefined;
  /** The place in the group, from 0; without it, at the end. */
  index?: number | undefined;
  uuid?: string | undefined;
  part: PartChange;
  goal: GoalDraft;
};

/** Adds a timer or a goal to a group, or in a group of its own (C-61). */
export async function addPart(app: App, input: NewPart): Promise<PartAnswer> {
  const uuid = input.uuid ?? app.newId();
  if (input.type === "task") {
    const row = await readEditable(app, input);
    const partGroupId = input.groupId ?? null;
    await requireGroup(app, row, partGroupId);
    await addGoal(app, row, { ...input.goal, uuid, partGroupId }, input.index);
    notifyRoom(app, row.id);
    return readAnswer(app, { row, schedule: row.schedule }, uuid);
  }
  const result = await editSchedule(app, input, "duration", (schedule, plan) => {
    if (findPlace(schedule, uuid)) return { ok: true, schedule };
    const part = newPart(uuid, definedFields(input.part));
    const added = input.groupId
      ? addPartTo(schedule, input.groupId, part, plan, input.index)
      : addGroup(schedule, newPartGroup(app.newId(), { parts: [part] }), plan);
    return added.ok ? endPart(added.schedule, uuid, input.part, plan) : added;
  });
  return readAnswer(app, result, uuid);
}

/** The new part with the length until its end, if it came with that and without a length (T-08). */
function endPart(schedule: Schedule, id: string, { duration, endedAt }: PartChange, plan: Plan): Edit {
  const part = findPlace(schedule, id)?.part;
  const isLengthGiven = duration !== undefined || (part?.intervals ?? []).length > 0;
  return endedAt && !isLengthGiven && part?.startedAt
    ? setPartEnd(schedule, id, endedAt, plan)
    : { ok: true, schedule };
}

/** NOT_FOUND for a group of goals that the session does not have. The copy of a run in the record may be older. */
async function requireGroup(app: App, row: SessionRow, groupId: string | null | undefined): Promise<void> {
  const isIn = (schedule: Schedule | undefined) => schedule?.groups.some(({ id }) => id === groupId);
  if (!groupId || isIn(row.schedule)) return;
  const isWaiting = statusAt(row, app.now) === SESSION_STATUS.waiting;
  if (isWaiting || !isIn((await viewRoom(app, row.id))?.state.schedule))
    throw new AppError("NOT_FOUND", scheduleSentence({ code: "no-group" }));
}

const definedFields = ({ relativeStart, groupId: _, index: __, endedAt: ___, ...change }: PartChange) =>
  Object.fromEntries(
    Object.entries({ ...change, relativeStart }).filter(([, value]) => value !== undefined),
  ) as Parameters<typeof newPart>[1];

/** Deletes a part, a goal, or a group, by its uuid (C-62). A group that becomes empty is deleted too (U-47). */
export async function deletePart(
  app: App,
  input: SessionRef & { part: string; type: PartType },
): Promise<void> {
  if (input.type === "task") {
    const row = await readEditable(app, input);
    const isGroup = row.schedule.groups.some(({ id, type }) => id === input.part && type === "task");
    if (!isGroup) {
      await removeGoal(app, row, input.part);
      notifyRoom(app, row.id);
      return;
    }
  }
  await editSchedule(app, input, "part", (schedule, plan) =>
    schedule.groups.some(({ id }) => id === input.part)
      ? removeGroup(schedule, input.part, plan)
      : removePart(schedule, input.part, plan),
  );
}

/** Orders the parts or goals of one group (C-63). `order` maps uuids to positions. */
export async function reorderParts(
  app: App,
  input: SessionRef & { order: Record<string, number>; groupId: string | null; type: PartType },
): Promise<PartAnswer> {
  const uuids = Object.entries(input.order)
    .sort(([, a], [, b]) => a - b)
    .map(([uuid]) => uuid);
  if (input.type === "task") {
    const row = await readEditable(app, input);
    await requireGroup(app, row, input.groupId);
    await orderGoals(app, row, input.order, input.groupId);
    notifyRoom(app, row.id);
    return readAnswer(app, { row, schedule: row.schedule }, null);
  }
  const result = await editSchedule(app, input, "parts", (schedule, plan) => {
    const groupId = input.groupId ?? (uuids[0] && findPlace(schedule, uuids[0])?.group.id);
    return groupId ? reorderPartsOf(schedule, groupId, uuids, plan) : refuse("no-group");
  });
  return readAnswer(app, result, null);
}

export type GroupChange = {
  isLinked?: boolean | undefined;
  isAutoStart?: boolean | undefined;
  isHidden?: boolean | undefined;
  sets?: number | undefined;
};

/** A partial update of a timer, a group or a goal (C-64). */
export async function updatePart(
  app: App,
  input: SessionRef & {
    part: string;
    type?: PartType | undefined;
    change: PartChange;
    group: GroupChange;
    goal: GoalDraft;
    /** The version of the goal from which the edit began. */
    since?: Instant | undefined;
  },
): Promise<PartAnswer> {
  const row = await readEditable(app, input);
  const goals = await goalCopies.listSessionGoals(app.db, row.id);
  const goal = goals.find(({ uuid }) => uuid === input.part);
  if (input.type === "task" || goal) {
    if (goal && input.goal.partGroupId !== goal.partGroupId)
      await requireGroup(app, row, input.goal.partGroupId);
    await changeGoal(app, row, input.part, input.goal, input.since);
    notifyRoom(app, row.id);
    return readAnswer(app, { row, schedule: row.schedule }, input.part);
  }
  const result = await editSchedule(app, input, "parts", (schedule, plan) => {
    if (schedule.groups.some(({ id }) => id === input.part))
      return editGroup(schedule, input.part, input.group, plan);
    if (!findPlace(schedule, input.part)) return refuse("no-part");
    return editPart(schedule, input.part, input.change, plan);
  });
  return readAnswer(app, result, input.part);
}

function editGroup(schedule: Schedule, id: string, change: GroupChange, plan: Plan): Edit {
  const { isLinked, isAutoStart, isHidden, sets } = change;
  const steps: ScheduleChange[] = [
    (current) =>
      describeGroup(current, id, {
        ...(isAutoStart === undefined ? {} : { isAutoStart }),
        ...(isHidden === undefined ? {} : { isHidden }),
      }),
    ...(isLinked === undefined ? [] : [(current: Schedule) => setLinked(current, id, isLinked, plan)]),
    ...(sets === undefined ? [] : [(current: Schedule) => setGroupSets(current, id, sets, plan)]),
  ];
  return steps.reduce<Edit>((edit, step) => (edit.ok ? step(edit.schedule, plan) : edit), {
    ok: true,
    schedule,
  });
}

// Goals: store, update, complete, copy, attach, and checklist ticks (C-32 to C-36, C-83).
import { z } from "zod";
import { oneLine } from "~/domain/text-fields";
import { call, fields, isObject } from "../call";
import { goalOut, type OwnGoal, ownGoalOut } from "../goals/goals";
import { wireGoal } from "../goals/input";
import { localId } from "../goals/record-fields";
import { id, instantIn, ownId } from "../values";

const answer = (goal: OwnGoal) => ({ goal: ownGoalOut(goal) });

type Raw = { params?: object; body?: unknown };

/** `{ challenge: { tasks: [goal] } }` (C-32); a bare goal is accepted too. */
const goalOfBody = <S extends z.ZodType>(schema: S) =>
  z.preprocess((raw) => {
    const { params, body } = raw as Raw;
    const outer = isObject(body) && isObject(body.challenge) ? body.challenge : body;
    const tasks = isObject(outer) ? outer.tasks : undefined;
    const goal = Array.isArray(tasks) ? tasks[0] : outer;
    return {
      ...(isObject(goal) ? goal : {}),
      ...(Array.isArray(tasks) && tasks.length > 1 ? { tasks } : { tasks: undefined }),
      ...params,
    };
  }, schema);
const oneTask = z.object({ tasks: z.undefined("Please send one goal at a time.") });

const ticks = z.array(localId, "Please send the uuids of what is ticked.").max(1000);

export const goalCalls = {
  createGoal: call("POST /api/goals/store", "Create a goal", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["goal"],
    input: goalOfBody(z.intersection(wireGoal(true), oneTask)),
    isRepeatable: true,
    answer,
  }),
  updateGoal: call("PATCH /api/goals/update/{goal}", "Update a goal", {
    scope: "write",
    limits: ["change-goal"],
    input: goalOfBody(
      z
        .intersection(wireGoal(false), oneTask.extend({ goal: id, updated_at: instantIn.nullish() }))
        .transform(({ updated_at, ...goal }) => ({ ...goal, since: updated_at ?? undefined })),
    ),
    isRepeatable: true,
    status: 200,
    answer,
  }),
  completeGoal: call("POST /api/goals/{goal}/complete", "Complete a goal by hand", {
    scope: "write",
    limits: ["change-goal"],
    input: fields({ params: { goal: id } }),
    answer,
  }),
  copyGoal: call("POST /goals/add-to-my-goals", "Copy a goal of a session to your goals", {
    scope: "write",
    errors: ["INSUFFICIENT_TOKENS"],
    limits: ["goal"],
    input: fields({
      body: { challengeEventId: id, goalUuid: oneLine("Which goal?").min(1).max(64), uuid: ownId },
    }).transform(({ challengeEventId, goalUuid, uuid }) => ({
      sessionId: challengeEventId,
      goalUuid,
      uuid,
    })),
    isRepeatable: true,
    answer,
  }),
  attachGoal: call(
    "POST /api/challenge-events/{event}/{goal}/attach-my-goal",
    "Attach one of your goals to a session",
    {
      scope: "write",
      limits: ["change-attachment"],
      input: fields({ params: { event: id, goal: id } }).transform(({ event, goal }) => ({
        session: event,
        goal,
      })),
      answer,
    },
  ),
  saveListProgress: call(
    "POST /challenge-events/logs/save-task-list-progress",
    "Tick items of a goal's checklist",
    {
      scope: "write",
      errors: ["INSUFFICIENT_TOKENS"],
      limits: ["change-log"],
      input: fields({
        body: {
          goal_id: id,
          items: ticks,
          base: ticks.nullish(),
          challenge_event_id: id.nullish(),
        },
      }).transform(({ goal_id, items, base, challenge_event_id }) => ({
        goalId: goal_id,
        items,
        base: base ?? undefined,
        sessionId: challenge_event_id ?? undefined,
      })),
      answer: ({ goal, ...details }: OwnGoal & { checked: string[]; isOwner: boolean }) => ({
        goal: goalOut(goal, details),
      }),
    },
  ),
};

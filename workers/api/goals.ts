// Goals: each documented call and the use case that answers it.

import { completeGoal, createGoal, readGoal, updateGoal } from "~/use-cases/goals/goals.server";
import { attachGoal, copyGoal, saveListProgress } from "~/use-cases/sessions/shared-goals.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const goalApi = [
  serve(calls.createGoal, createGoal),
  serve(calls.updateGoal, updateGoal, readGoal),
  serve(calls.completeGoal, completeGoal),
  serve(calls.copyGoal, copyGoal),
  serve(calls.attachGoal, attachGoal),
  // It comes before the calls of logs, whose path pattern would match too.
  serve(calls.saveListProgress, saveListProgress),
];

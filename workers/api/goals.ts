// The calls of goals and what answers them.

import { completeGoal, createGoal, readGoal, updateGoal } from "~/use-cases/goals.server";
import { attachGoal, copyGoal, saveListProgress } from "~/use-cases/goals-shared.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const goalApi = [
  serve(calls.createGoal, createGoal),
  serve(calls.updateGoal, updateGoal, readGoal),
  serve(calls.completeGoal, completeGoal),
  serve(calls.copyGoal, copyGoal),
  serve(calls.attachGoal, attachGoal),
  // Stands before the calls of logs: its path would pass for a log's.
  serve(calls.saveListProgress, saveListProgress),
];

// Logs: each documented call and the use case that answers it.

import { loadOnce } from "~/domain/load-once";
import {
  completeLog,
  deleteLog,
  pauseLog,
  readDeleted,
  readLog,
  resetLog,
  startLog,
  stopLog,
  updateLog,
} from "~/use-cases/goals/log-moves.server";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

const loadPresses = loadOnce(() => import("~/use-cases/goals/reminder-presses.server"));

export const logApi = [
  serve(calls.pressReminder, async (app, input) => (await loadPresses()).pressReminder(app, input)),
  serve(calls.storeQuickLog, storeQuickLog),
  serve(calls.startLog, startLog, readLog),
  serve(calls.stopLog, stopLog, readLog),
  serve(calls.completeLog, completeLog, readLog),
  serve(calls.updateLog, updateLog, readLog),
  serve(calls.deleteLog, deleteLog, readDeleted),
  serve(calls.resetLog, resetLog, readLog),
  serve(calls.pauseLog, pauseLog, readLog),
];

// The calls of logs and what answers them.
import { completeLog, pauseLog, resetLog, startLog, stopLog, updateLog } from "~/use-cases/log-moves.server";
import { storeQuickLog } from "~/use-cases/logs.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const logApi = [
  serve(calls.storeQuickLog, storeQuickLog),
  serve(calls.startLog, startLog),
  serve(calls.stopLog, stopLog),
  serve(calls.completeLog, completeLog),
  serve(calls.updateLog, updateLog),
  serve(calls.resetLog, resetLog),
  serve(calls.pauseLog, pauseLog),
];

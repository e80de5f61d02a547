// The My pages: each documented call and the use case that answers it.
import {
  viewGoal,
  viewGoalLogs,
  viewGoalNotes,
  viewMyGoals,
  viewMyHuts,
  viewMyLogs,
  viewMyNotes,
  viewMySessions,
} from "~/use-cases/my.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const myApi = [
  serve(calls.listMyGoals, viewMyGoals),
  serve(calls.viewGoal, viewGoal),
  serve(calls.listMyLogs, viewMyLogs),
  serve(calls.viewGoalLogs, viewGoalLogs),
  serve(calls.listMyNotes, viewMyNotes),
  serve(calls.viewGoalNotes, viewGoalNotes),
  serve(calls.listMySessions, viewMySessions),
  serve(calls.listMyHuts, viewMyHuts),
];

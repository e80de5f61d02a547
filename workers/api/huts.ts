import {
  attachActivity,
  createHut,
  joinHut,
  leaveHut,
  listHuts,
  updateHut,
  viewHut,
} from "~/use-cases/huts.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const hutApi = [
  serve(calls.listHuts, listHuts),
  serve(calls.viewHut, viewHut),
  serve(calls.viewHutActivities, viewHut),
  serve(calls.createHut, createHut),
  serve(calls.updateHut, updateHut),
  serve(calls.joinHut, joinHut),
  serve(calls.leaveHut, leaveHut),
  serve(calls.attachActivity, attachActivity),
  serve(calls.detachActivity, attachActivity),
];

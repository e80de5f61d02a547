// Huts: each documented call and the use case that answers it.
import {
  attachActivity,
  createHut,
  deleteHut,
  detachActivity,
  joinOrLeaveHut,
  leaveHut,
  readHut,
  updateHut,
} from "~/use-cases/huts/huts.server";
import { listHuts, viewHut, viewHutActivities, viewHutSessions } from "~/use-cases/huts/list.server";
import { changeMember } from "~/use-cases/huts/members.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const hutApi = [
  serve(calls.listHuts, listHuts),
  serve(calls.viewHut, viewHut),
  serve(calls.viewHutSessions, viewHutSessions),
  serve(calls.viewHutActivities, viewHutActivities),
  serve(calls.createHut, createHut, (app, _, insertedId) => readHut(app, insertedId)),
  serve(calls.updateHut, updateHut),
  serve(calls.joinHut, joinOrLeaveHut),
  serve(calls.leaveHut, leaveHut),
  serve(calls.attachActivity, attachActivity),
  serve(calls.detachActivity, detachActivity),
  serve(calls.deleteHut, deleteHut),
  serve(calls.changeHutMember, changeMember),
];

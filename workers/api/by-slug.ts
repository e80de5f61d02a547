import { deleteBySlug, joinBySlug, leaveBySlug, resetBySlug, updateBySlug } from "~/use-cases/by-slug.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const slugApi = [
  serve(calls.updateActivity, updateBySlug),
  serve(calls.patchActivity, updateBySlug),
  serve(calls.deleteBySlug, deleteBySlug),
  serve(calls.joinBySlug, joinBySlug),
  serve(calls.leaveBySlug, leaveBySlug),
  serve(calls.resetBySlug, resetBySlug),
];

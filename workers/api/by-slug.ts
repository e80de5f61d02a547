// Activities and sessions by their slug: each documented call and the use case that answers it.
import { deleteBySlug, joinBySlug, leaveBySlug, resetBySlug, updateBySlug } from "~/use-cases/by-slug.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";
import { withWireFields } from "./sessions";

export const slugApi = [
  serve(calls.updateActivity, withWireFields(updateBySlug)),
  serve(calls.patchActivity, withWireFields(updateBySlug)),
  serve(calls.deleteBySlug, deleteBySlug),
  serve(calls.joinBySlug, joinBySlug),
  serve(calls.leaveBySlug, leaveBySlug),
  serve(calls.resetBySlug, resetBySlug),
];

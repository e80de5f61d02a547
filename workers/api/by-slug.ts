import { deleteBySlug, joinBySlug, leaveBySlug, resetBySlug, updateBySlug } from "~/use-cases/by-slug.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";
import { inWireWords } from "./sessions";

export const slugApi = [
  serve(calls.updateActivity, inWireWords(updateBySlug)),
  serve(calls.patchActivity, inWireWords(updateBySlug)),
  serve(calls.deleteBySlug, deleteBySlug),
  serve(calls.joinBySlug, joinBySlug),
  serve(calls.leaveBySlug, leaveBySlug),
  serve(calls.resetBySlug, resetBySlug),
];

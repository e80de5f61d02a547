// The calls whose acts resume after a sign-in, and the intents of the same acts in forms.
import type { ResumableIntent } from "~/domain/accounts/resume-after-sign-in";
import type { CallPath } from "./call-path";
import * as paths from "./paths";

const KEPT_CALLS: ReadonlyMap<CallPath, ResumableIntent> = new Map<CallPath, ResumableIntent>([
  [paths.joinSession, "join"],
  [paths.waitForSeat, "wait"],
  [paths.joinHut, "enter"],
  [paths.joinBySlug, "join"],
  [paths.takeStandingSeat, "standing.take"],
  [paths.createGoal, "goal.create"],
  [paths.storeQuickLog, "log.quick"],
  [paths.createNote, "note.create"],
  [paths.createPost, "post"],
]);
/** The intent of a call whose act resumes; undefined for every other call. */
export const intentOfKeptCall = (call: CallPath): ResumableIntent | undefined => KEPT_CALLS.get(call);

// The intents of the calls whose acts resume after a sign-in: the same acts as by a form.
import type { ResumableIntent } from "~/domain/accounts/resume-after-sign-in";
import * as paths from "./paths";

const INTENTS = new Map<string, ResumableIntent>([
  [String(paths.joinSession), "join"],
  [String(paths.waitForSeat), "wait"],
  [String(paths.joinHut), "enter"],
  [String(paths.joinBySlug), "join"],
  [String(paths.takeStandingSeat), "standing.take"],
  [String(paths.createGoal), "goal.create"],
  [String(paths.storeQuickLog), "log.quick"],
  [String(paths.createNote), "note.create"],
  [String(paths.createPost), "post"],
]);
/** `call` is the call as text. Undefined for a call that does not resume. */
export const intentOfCall = (call: string): ResumableIntent | undefined => INTENTS.get(call);

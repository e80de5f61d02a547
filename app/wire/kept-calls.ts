// The calls whose acts resume after a sign-in.
import type { CallPath } from "./call-path";
import * as paths from "./paths";

const KEPT_CALLS: ReadonlySet<CallPath> = new Set<CallPath>([
  paths.joinSession,
  paths.waitForSeat,
  paths.joinHut,
  paths.joinBySlug,
  paths.takeStandingSeat,
  paths.createGoal,
  paths.storeQuickLog,
  paths.createNote,
  paths.createPost,
]);
export const isKeptCall = (call: CallPath): boolean => KEPT_CALLS.has(call);

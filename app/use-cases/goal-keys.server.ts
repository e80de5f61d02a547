// The limits of a personal key inside a use case: the scope for texts of other people (O-03), and the goal of a key that
// logs one goal and does nothing else (W-04).
import { SCOPE_REFUSED } from "~/domain/accounts/api-keys";
import { AppError } from "~/domain/errors";
import type { App } from "./app.server";

/** True for a key that only stores, undoes and reads the logs of one goal. */
export const isKeyOfOneGoal = (app: App): boolean => (app.key?.goalId ?? null) !== null;

/** NOT_FOUND for another goal than that of the request's key, and for a log without a goal. */
export function requireGoalOfKey(app: App, goalId: number | null): void {
  const onlyGoalId = app.key?.goalId ?? null;
  if (onlyGoalId !== null && onlyGoalId !== goalId) throw new AppError("NOT_FOUND");
}

/** FORBIDDEN for a key that may change only its user's own things, as the text of somebody else is not. */
export function requireHostScope(app: App): void {
  if (app.key && !app.key.scopes.includes("host")) throw new AppError("FORBIDDEN", SCOPE_REFUSED);
}

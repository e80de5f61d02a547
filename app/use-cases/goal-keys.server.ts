// The goal of a key that logs one goal and does nothing else (W-04).
import { AppError } from "~/domain/errors";
import type { App } from "./app.server";

/** True for a key that only stores, undoes and reads the logs of one goal. */
export const isKeyOfOneGoal = (app: App): boolean => (app.key?.goalId ?? null) !== null;

/** NOT_FOUND for another goal than that of the request's key, and for a log without a goal. */
export function requireGoalOfKey(app: App, goalId: number | null): void {
  const onlyGoalId = app.key?.goalId ?? null;
  if (onlyGoalId !== null && onlyGoalId !== goalId) throw new AppError("NOT_FOUND");
}

// The logs of a list by their goal.
import type { LogShown } from "~/domain/goals/logs";

export function byGoal(logs: readonly LogShown[]): Map<number, LogShown[]> {
  const grouped = new Map<number, LogShown[]>();
  for (const log of logs) {
    if (log.goalId === null) continue;
    grouped.set(log.goalId, [...(grouped.get(log.goalId) ?? []), log]);
  }
  return grouped;
}

// A log as the room of its session shows it.
import type { Owned } from "~/domain/owned";
import type { Goal } from "./goals";
import { countOf, type Log } from "./logs";

/** A withheld log shows none of its own texts, and the texts of its goal only if the session shares the goal. */
export function roomLogOf(
  log: Owned<Log>,
  goal: (Pick<Goal, "title" | "action" | "unit"> & { sessionId: number | null }) | null,
) {
  const visibleGoal = log.isWithheld && goal?.sessionId == null ? null : goal;
  return {
    id: log.id,
    username: log.username,
    goalTitle: visibleGoal?.title ?? "",
    action: log.isWithheld ? (visibleGoal?.action ?? "") : log.action,
    unit: visibleGoal?.unit ?? "",
    sessionGoalUuid: log.sessionGoalUuid,
    title: log.isWithheld ? "" : log.title,
    amount: log.amount,
    distance: log.distance,
    duration: countOf(log).duration,
    status: log.status,
    createdAt: log.createdAt,
  };
}

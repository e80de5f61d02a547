// A participant's totals in a session: per goal, and per action over all goals (E-13). Pure.
import type { ActionTotal, ParticipantTotals } from "./view";

/** The totals of a goal in thousandths, millimetres and milliseconds. */
export type TotalRow = {
  goalUuid: string;
  action: string;
  amount: number;
  distance: number;
  duration: number;
  listProgress: string[] | null;
};

/** The rows of one participant, as `task_totals` and `task_action_totals`. */
export function totalsOf(rows: readonly TotalRow[]): ParticipantTotals {
  // Actions are user text, and "constructor" is a possible one.
  const goalTotals: ParticipantTotals["goalTotals"] = Object.create(null);
  const actionTotals: Record<string, ActionTotal> = Object.create(null);
  for (const { goalUuid, action, amount, distance, duration, listProgress } of rows) {
    goalTotals[goalUuid] = { amount, distance, duration, listProgress: listProgress ?? [] };
    const sum = actionTotals[action] ?? { amount: 0, distance: 0, duration: 0 };
    actionTotals[action] = {
      amount: sum.amount + amount,
      distance: sum.distance + distance,
      duration: sum.duration + duration,
    };
  }
  return { goalTotals, actionTotals };
}

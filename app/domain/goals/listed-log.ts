// A log in a list that may hold logs of other people or of a goal that is gone. Pure.
import type { Reader } from "~/domain/numbers";
import type { Log, LogShown } from "./logs";
import { decimalText, logMeasures } from "./measure-text";

/**
 * The log's measures, `elapsed` in milliseconds. The unit of an amount is its goal's; where that goal is gone, the log's
 * title has it, and where it is hidden from the reader, the amount has none.
 */
export function measuresOf(log: LogShown, elapsed: number, reader: Reader): string {
  if (log.goal || !log.sessionGoalUuid || !log.amount)
    return logMeasures(log, log.goal?.unit ?? "", elapsed, reader);
  const others = logMeasures({ ...log, amount: null }, "", elapsed, reader);
  return [decimalText(log.amount, reader), others].filter(Boolean).join(" · ");
}

/** True for the logs under this name among those of a goal; a session's goal has the logs of others too. */
export const isOwnLogOn =
  (goal: { sessionId: number | null }, username: string) =>
  (log: Pick<Log, "username">): boolean =>
    goal.sessionId === null || log.username === username;

// The turn holder of a running session, and permissions to contribute to its text (T-15, A-08). Pure.

import { hasTurns } from "~/domain/schedule/part-kinds";
import { type Part, partsInOrder, type Schedule } from "~/domain/schedule/shape";
import { turnAt } from "~/domain/schedule/timer-pieces";
import type { Instant } from "~/domain/time";
import { SESSION_STATUS, type SessionStatus } from "./status";

/** The running and paused parts. */
export const activeParts = (schedule: Schedule): Part[] =>
  partsInOrder(schedule).filter((part) => part.state === "running" || part.state === "paused");

/** The participant whose turn it is, or null. */
export const turnHolder = (active: readonly Part[], now: Instant): string | null =>
  active.map((part) => turnAt(part, now)?.username).find((username) => username !== undefined) ?? null;

export type ContributionVerdict = "may" | "not-running" | "not-their-turn" | "not-taken";

/**
 * Whether this participant may contribute now, or the reason why not: the turn holder may, and without turns
 * everybody in a part that takes contributions.
 */
export function contributionVerdict(
  username: string,
  status: SessionStatus,
  active: readonly Part[],
  now: Instant,
): ContributionVerdict {
  if (status !== SESSION_STATUS.running) return "not-running";
  const turns = active.filter(hasTurns);
  if (turns.length > 0)
    return turns.some((part) => turnAt(part, now)?.username === username) ? "may" : "not-their-turn";
  return active.some((part) => part.mayEditContent) ? "may" : "not-taken";
}

/**
 * True if the texts may be edited now: by the host until the end, by admins before the start and where the part allows
 * it.
 */
export const mayEditNow = (
  rights: { canRun: boolean; canHost: boolean },
  status: SessionStatus,
  active: readonly Part[],
  permission: "mayEditContent" | "mayEditPrompt",
): boolean => {
  switch (status) {
    case SESSION_STATUS.waiting:
      return rights.canRun;
    case SESSION_STATUS.running:
      return rights.canHost || (rights.canRun && active.some((part) => part[permission]));
    case SESSION_STATUS.ended:
      return false;
    default:
      return status satisfies never;
  }
};

// The sentences of the schedule's refusals and problems (V-21 to V-26, T-07, T-09), by their codes.

import { SESSION_LENGTH } from "./length";

const SENTENCES = {
  "no-part": "This timer no longer exists.",
  "no-group": "This group of timers no longer exists.",
  "same-part": "There is already a timer with this id.",
  "same-group": "There is already a group with this id.",
  "part-begun": "This timer has already started.",
  "group-begun": "This group of timers has already started.",
  "before-begun": "A timer cannot be put before one that has already started.",
  "part-running": "This timer is running. Please finish it first.",
  "group-running": "A timer of this group is running. Please finish it first.",
  "running-removed": "A timer that is running cannot be removed. Please finish it first.",
  "already-running": "This timer is already running.",
  "not-running": "This timer is not running.",
  "no-round": "This timer has no turns.",
  "not-speaker": "It is not your turn.",
  "not-paused": "This timer is not paused.",
  "part-over": "This timer has ended.",
  "reset-first": "This timer has ended. Reset it to run it again.",
  "too-many-turns": "Too many people take turns in another timer. Please finish that one first.",
  "less-left": "There is less time left than that. You can finish this timer instead.",
  "less-later": "There is less time than that in a later one.",
  "part-too-long": "A timer lasts at most 30 days.",
  "changed-too-often": "This timer was changed too often.",
  "no-part-start": "Please set the start date of this timer first.",
  "ends-before-start": "A timer cannot end before it starts.",
  "no-duration": "The duration cannot be 0",
  "interval-duration": "An interval timer lasts as long as its intervals.",
  "not-whole-duration": "A duration is in whole seconds.",
  "not-whole-seconds": "Please give whole seconds.",
  "no-sets": "A group runs at least once.",
  "linked-start": "In a linked group each timer starts when the one before it ends.",
  "linked-before": (number: number) =>
    `Timer #${number} starts before the previous timer ends, so it cannot be linked.`,
  "auto-unlinked": "Auto started events must be linked.",
  "no-session-start":
    "Please set the challenge start date. The challenge start date must be set if any timer dates are set.",
  "before-session": (number: number) =>
    `The start date of timer #${number} must not occur before the challenge's start date.`,
  overlap: "Parts cannot overlap. The start dates must not occur before the previous timer's end date.",
  "session-length": SESSION_LENGTH,
} as const;
export type ScheduleCode = keyof typeof SENTENCES;

/** `number`: the number of the timer in its session, from 1, where the sentence names it. */
export function scheduleSentence({ code, number }: { code: ScheduleCode; number?: number | null }): string {
  const sentence = SENTENCES[code];
  return typeof sentence === "string" ? sentence : sentence(number ?? 1);
}

/** Each sentence of a refusal or problem; V-25 has a second one that names the timer. */
export const scheduleSentences = (problem: { code: ScheduleCode; number?: number | null }): string[] => [
  scheduleSentence(problem),
  ...(problem.code === "overlap" && problem.number
    ? [`Timer #${problem.number} must not start before the previous timer's end.`]
    : []),
];

/** The problem with its sentences as one text. */
export const withSentence = <P extends { code: ScheduleCode; number: number | null }>(problem: P) => ({
  ...problem,
  sentence: scheduleSentences(problem).join(" "),
});

// The sentences about a session that is over, to a person who came: how long and with whom, and their line (R-99). Pure.
import { describeWork } from "~/domain/duration-text";
import type { Instant, Seconds } from "~/domain/time";

/** `names`: as the reader sees them; `others`: how many more came, all of them where the reader sees no names. */
export type Company = { seconds: Seconds; names: string[]; others: number };

/** The reader's answer to "What will you do?", and whether they ticked it (R-84). */
export type OwnLine = { text: string; isDone: boolean };
export const tickText = ({ isDone }: OwnLine): string => (isDone ? "Done" : "Not ticked");

/** The next date of the series. `canJoin`: a press takes a seat. */
export type NextDate = {
  path: string;
  startedAt: Instant;
  isJoined: boolean;
  canJoin: boolean;
  needsCode: boolean;
  isFree: boolean;
};

/** More people are counted instead of named. */
const MAX_NAMED = 3;

export const companyOf = (seconds: Seconds, allNames: readonly string[], seesNames = true): Company => {
  const names = seesNames ? allNames.slice(0, MAX_NAMED) : [];
  return { seconds, names, others: allNames.length - names.length };
};

/** Whole minutes, at least one, in seconds: what a log of the time counts. */
export const loggedSpan = (presentSeconds: Seconds): Seconds =>
  (Math.max(1, Math.round(presentSeconds / 60)) * 60) as Seconds;

/** Whether the time may be logged in one press: to a goal, unless it is logged already, or a timer of the reader's ran. */
export const canLogTime = (own: {
  goals: readonly unknown[];
  loggedTo: object | null | undefined;
  logs: readonly { isTimed: boolean }[];
}): boolean => own.goals.length > 0 && !own.loggedTo && !own.logs.some(({ isTimed }) => isTimed);

/** "You sat 48 minutes with Anna and Boris" */
export const satText = ({ seconds, names, others }: Company): string =>
  `You sat ${describeWork(loggedSpan(seconds))} ${names.length + others === 0 ? "on your own" : `with ${listOf(names, others)}`}`;

function listOf(names: readonly string[], others: number): string {
  const entries = others > 0 ? [...names, `${others} ${others === 1 ? "other" : "others"}`] : names;
  return entries.length === 1
    ? String(entries[0])
    : `${entries.slice(0, -1).join(", ")} and ${entries.at(-1)}`;
}

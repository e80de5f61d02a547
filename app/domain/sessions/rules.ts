// The rules of the session form that a browser can check (V-20 to V-27). The server checks these and more.
import { parseDuration } from "~/domain/duration-parse";
import type { Rule, Rules } from "~/domain/field-rules";
import { type Reader, readNumber } from "~/domain/numbers";
import type { ProblemWithSentence } from "~/domain/schedule/problems";
import type { Seconds } from "~/domain/time";
import { SESSION_SENTENCES, sessionDurationProblem } from "./limits";

const NO_LIMIT = "Please give a whole number of participants, or leave it empty.";
/** The typed limit; null without one. */
export function readParticipantLimit(input: string, locale: string): number | null | { problem: string } {
  if (input.trim() === "") return null;
  const limit = readNumber(input, locale);
  const isLimit = limit !== null && Number.isInteger(limit) && limit >= 0 && limit < 1e7;
  return isLimit ? limit : { problem: NO_LIMIT };
}
const participantLimitRule =
  (locale: string): Rule =>
  (input) => {
    const limit = readParticipantLimit(input, locale);
    return typeof limit === "object" && limit !== null ? limit.problem : null;
  };

/** The timers of the form: their total length and their problems. */
export type TimersTyped = { length: Seconds; problems: readonly Pick<ProblemWithSentence, "sentence">[] };

/** An empty duration means the length of the timers; a started session has no duration field. */
export const sessionRules = ({ length, problems }: TimersTyped, { locale }: Reader, hasStarted = false) =>
  ({
    title: (input) => (input.trim() === "" ? SESSION_SENTENCES.noTitle : null),
    duration: (input) => {
      if (hasStarted) return null;
      const span = parseDuration(input);
      return span.error ?? sessionDurationProblem(span.seconds ?? length);
    },
    participantLimit: participantLimitRule(locale),
    schedule: () => [...new Set(problems.map(({ sentence }) => sentence))],
  }) satisfies Rules;

// The rules of the session form that a browser can check (V-20 to V-27). The server checks these and more.
import { parseDuration } from "~/domain/duration-parse";
import type { Rule, Rules } from "~/domain/field-rules";
import type { ScheduleProblem } from "~/domain/schedule/problems";
import type { Seconds } from "~/domain/time";
import { SESSION_SENTENCES, sessionDurationProblem } from "./limits";

export const participantLimitRule: Rule = (typed) =>
  /^\d{0,7}$/.test(typed.trim()) ? null : "Please give a whole number of participants, or leave it empty.";

/** The timers of the form: their total length and their problems. */
export type TimersTyped = { length: Seconds; problems: readonly Pick<ScheduleProblem, "sentence">[] };

/** An empty duration means the length of the timers; a started session has no duration field. */
export const sessionRules = ({ length, problems }: TimersTyped, hasStarted = false) =>
  ({
    title: (typed) => (typed.trim() === "" ? SESSION_SENTENCES.noTitle : null),
    duration: (typed) => {
      if (hasStarted) return null;
      const read = parseDuration(typed);
      return read.error ?? sessionDurationProblem(read.seconds ?? length);
    },
    participantLimit: participantLimitRule,
    schedule: () => [...new Set(problems.map(({ sentence }) => sentence))],
  }) satisfies Rules;

// What the browser can say of the session form before it is sent: the documented sentences, at their fields (V-20 to
// V-27). The server says the same, and more.
import { parseDuration } from "~/domain/duration-parse";
import { type ScheduleProblem, sessionDurationProblem } from "~/domain/schedule-problems";
import { SESSION_SENTENCES } from "~/domain/sessions";

export type FormErrors = Record<string, string[] | undefined>;

export type SessionTyped = {
  title: string;
  duration: string;
  participantLimit: string;
  /** Seconds all timers take; an empty duration is as long as they. */
  timersLength: number;
  problems: readonly ScheduleProblem[];
};

/** Errors by field; `schedule` stands for the timers. Pure. */
export function sessionFormErrors(typed: SessionTyped): FormErrors {
  const errors: FormErrors = {};
  if (typed.title.trim() === "") errors.title = [SESSION_SENTENCES.noTitle];
  const read = parseDuration(typed.duration);
  const duration = read.error ?? sessionDurationProblem(read.seconds ?? typed.timersLength);
  if (duration) errors.duration = [duration];
  const limit = typed.participantLimit.trim();
  if (limit !== "" && !/^\d{1,7}$/.test(limit))
    errors.participantLimit = ["Please give a whole number of participants, or leave it empty."];
  const sentences = [...new Set(typed.problems.map((problem) => problem.sentence))];
  if (sentences.length > 0) errors.schedule = sentences;
  return errors;
}

export const sentencesIn = (errors: FormErrors): string[] => [
  ...new Set(Object.values(errors).flatMap((list) => list ?? [])),
];

/** A failed post's errors by the form's own field names. Pure. */
export function errorsOfAnswer(error: Record<string, string[] | null> | null | undefined): FormErrors {
  const errors: FormErrors = {};
  for (const [name, list] of Object.entries(error ?? {})) {
    // Parts are the domain's word for what the form calls the schedule.
    const field = name === "parts" || name.startsWith("rows") ? "schedule" : name;
    errors[field] = [...(errors[field] ?? []), ...(list ?? [])];
  }
  return errors;
}

// The schema of a session's fields, for calls and forms (V-20, V-21, A-09). It uses zod, so only the server imports it.
import { z } from "zod";
import type { GoalDraft } from "~/domain/goals/goals";
import { ScheduleInput } from "~/domain/schedule/input";
import { SCOPES } from "~/domain/series/form";
import { SLOW_MODES } from "~/domain/sessions/chat";
import { manyLines, oneLine } from "~/domain/text-fields";
import type { Instant, Seconds } from "~/domain/time";
import { SESSION_LIMITS, SESSION_SENTENCES } from "./limits";

const text = (most: number) =>
  manyLines().max(most, `Please write at most ${most.toLocaleString("en")} characters.`);
const link = oneLine()
  .max(2000)
  .transform((input, ctx) => {
    if (input === "") return "";
    const url = /^[a-z][a-z0-9+.-]*:/i.test(input) ? input : `https://${input}`;
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
    ctx.addIssue({ code: "custom", message: "Please give an address that begins with https://" });
    return z.NEVER;
  });
/** An https address, never completed or corrected (G-38). */
const meetingLink = oneLine()
  .max(SESSION_LIMITS.meetingLink, `Please keep the link under ${SESSION_LIMITS.meetingLink} characters.`)
  .refine(
    (url) => url === "" || (URL.canParse(url) && new URL(url).protocol === "https:"),
    "Please give an address that begins with https://",
  );
const instantMs = z.number().transform((ms) => ms as Instant);
const id = z.number().int().positive();

/** Every field of a session; missing ones stay unchanged, or come from the activity. */
const fields = {
  title: oneLine(SESSION_SENTENCES.noTitle)
    .min(1, SESSION_SENTENCES.noTitle)
    .max(SESSION_LIMITS.title, `Please keep the title under ${SESSION_LIMITS.title} characters.`),
  content: text(SESSION_LIMITS.content).optional(),
  prompt: text(SESSION_LIMITS.prompt).optional(),
  hutId: id.nullish(),
  startedAt: instantMs.nullish(),
  endedAt: instantMs.nullish(),
  duration: z
    .number("Please set the challenge duration.")
    .int("Please give a duration in whole seconds.")
    .transform((value) => value as Seconds)
    .nullish(),
  isManuallyStarted: z.boolean().optional(),
  isTemplate: z.boolean().optional(),
  participantLimit: z
    .number("Please give a number of participants.")
    .int("Please give a whole number of participants.")
    .min(0, "Please give a number from 0 up.")
    .max(1_000_000, "Please give a smaller number.")
    .nullish(),
  donationLink: link.optional(),
  meetingLink: meetingLink.optional(),
  joinCode: oneLine()
    .max(SESSION_LIMITS.joinCode, `A code has at most ${SESSION_LIMITS.joinCode} characters.`)
    .optional(),
  isFree: z.boolean().optional(),
  /** Seats for guests; 0: none (H-17). */
  guestLimit: z
    .number("Please give a number of guests.")
    .int("Please give a whole number of guests.")
    .min(0, "Please give a number from 0 up.")
    .max(1_000_000, "Please give a smaller number.")
    .optional(),
  needsHost: z.boolean().optional(),
  slowMode: z.literal([...SLOW_MODES], "Please choose 0, 5, 15 or 60 seconds.").optional(),
  category: oneLine().max(60).nullish(),
  difficulty: z.literal([3, 4, 6], "Please choose a difficulty: 3, 4 or 6.").optional(),
  schedule: ScheduleInput.optional(),
  goals: z
    .array(z.custom<GoalDraft>())
    .max(SESSION_LIMITS.goals, `At most ${SESSION_LIMITS.goals} goals, please.`)
    .optional(),
};

export const SessionInput = z.object({
  ...fields,
  /** Created by the client, so that a repeat creates one session. */
  uuid: z.uuid().optional(),
  /** Without a hut, only for people with a seat; by default as its activity. */
  isPrivate: z.boolean().optional(),
  activityId: id.nullish(),
  activitySlug: oneLine().max(200).nullish(),
  /** The slug of a book whose next passage is the prompt (H-06). */
  promptBook: oneLine().max(200).nullish(),
});
export type SessionInput = z.output<typeof SessionInput> & {
  /** The hut of the session that is repeated, which no caller can send. */
  repeatedHutId?: number | null | undefined;
};

/** The session that a series repeats. */
export type SeriesTemplate = SessionInput & {
  /** Each date gets a call of its own, whatever site the installation names by then (J-01). */
  hasOwnCalls?: boolean | undefined;
};

/** The changed fields of a session, or of the upcoming sessions of a series. */
export const SessionFields = z.object({
  ...fields,
  title: fields.title.optional(),
  /** A private session without a hut may become public. */
  isPrivate: z.literal(false).optional(),
});
export type SessionFields = z.output<typeof SessionFields>;
export const SessionChange = SessionFields.extend({
  session: id,
  /** People who wait keep their places when the code changes. */
  keepsWaiting: z.boolean().optional(),
  /** The version from which the edit began. */
  since: instantMs.optional(),
});
export type SessionChange = z.output<typeof SessionChange>;

/** A change of a session that may belong to a series (G-10). */
export const ScopedChange = SessionChange.extend({
  scope: z.enum(SCOPES, "Please choose this, later or all.").optional(),
});
export type ScopedChange = z.output<typeof ScopedChange>;

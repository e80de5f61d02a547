// Activities: their inputs and rules. Pure.
import { z } from "zod";
import type { GoalDraft } from "~/domain/goals/goals";
import { DIFFICULTIES } from "~/domain/list-terms";
import { numberIn } from "~/domain/number-fields";
import { ScheduleInput } from "~/domain/schedule/input";
import { SESSION_LIMITS } from "~/domain/sessions/limits";
import { manyLines, oneLine } from "~/domain/text-fields";
import { type Instant, seconds } from "~/domain/time";

const NO_TITLE = "Please set the challenge title.";
const INVALID_DIFFICULTY = "Please choose Easy, Normal or Difficult.";
const INVALID_DURATION = "Please set a duration from 5 minutes to 30 days.";

const fields = {
  title: oneLine(NO_TITLE).min(1, NO_TITLE).max(200, "Please keep the title under 200 characters."),
  content: manyLines().max(200_000, "Please keep the description under 200,000 characters."),
  category: oneLine().max(60).nullable(),
  difficulty: numberIn(
    z
      .number(INVALID_DIFFICULTY)
      .refine((value) => DIFFICULTIES.some((difficulty) => difficulty.value === value), INVALID_DIFFICULTY),
  ),
  hutId: z.number().int().positive().nullable(),
  /** Seconds. */
  duration: z
    .number(INVALID_DURATION)
    .int()
    .min(300, INVALID_DURATION)
    .max(2_592_000, INVALID_DURATION)
    .transform(seconds),
  /** Maximum number of followers; null or 0 means no limit. */
  participantLimit: z
    .number()
    .int()
    .min(0, "Please give a number of places, or leave it empty.")
    .max(1_000_000)
    .nullable(),
  isManuallyStarted: z.boolean(),
  isTemplate: z.boolean(),
  schedule: ScheduleInput,
  /** Copied into each session of the activity. */
  goals: z
    .array(z.custom<GoalDraft>())
    .max(SESSION_LIMITS.goals, `At most ${SESSION_LIMITS.goals} goals, please.`),
};

export const ActivityInput = z.object({
  ...fields,
  content: fields.content.default(""),
  category: fields.category.default(null),
  difficulty: fields.difficulty.default(4),
  hutId: fields.hutId.default(null),
  duration: fields.duration.optional(),
  participantLimit: fields.participantLimit.default(null),
  isManuallyStarted: z.boolean().default(false),
  isTemplate: z.boolean().default(false),
  /** Without a hut, only its owner and followers see it. */
  isPrivate: z.boolean().optional(),
  schedule: ScheduleInput.optional(),
  goals: fields.goals.optional(),
});
export type ActivityInput = z.output<typeof ActivityInput>;

export const ActivityChange = z
  .object(fields)
  .partial()
  // A private activity without a hut may become public.
  .extend({ slug: oneLine(), isPrivate: z.boolean().optional() });
export type ActivityChange = z.output<typeof ActivityChange>;

export type ActivityFacts = { followersCount: number; participantLimit: number | null };
/** U-37: the activity accepts another follower. */
export const hasPlaces = ({ followersCount, participantLimit }: ActivityFacts): boolean =>
  !participantLimit || followersCount < participantLimit;

/** An activity as a card in a list. */
export type ActivityCard = {
  id: number;
  slug: string;
  title: string;
  summary: string;
  difficulty: number;
  isTemplate: boolean;
  duration: number;
  participantLimit: number | null;
  followersCount: number;
  openSessionsCount: number;
  hutId: number | null;
  hutSlug: string | null;
  categoryTitle: string | null;
  isJoined: boolean;
  createdAt: Instant;
};

// The forms of an activity.
import { z } from "zod";
import { ActivityInput } from "~/domain/activities/activities";
import type { PlainRow } from "~/domain/schedule/rows";
import { SESSION_LIMITS } from "~/domain/sessions/limits";
import { oneLine } from "~/domain/text-fields";
import {
  checkbox,
  optionalLines,
  optionalText,
  readTimers,
  timerRows,
  typedNumber,
  typedSpan,
} from "~/forms/fields";
import { goalRowsForm } from "~/forms/goals/goals";

export const ActivityChoice = z.object({ slug: oneLine() });

const LIMIT_SENTENCE = "Please give a number of places, or leave it empty.";
const fields = z
  .object({
    slug: optionalText,
    // The title is checked here too, so that its error appears together with those of the fields below.
    title: optionalText.pipe(ActivityInput.shape.title),
    content: optionalLines,
    category: oneLine().nullish().default(null),
    difficulty: oneLine().default("4"),
    hutId: z.coerce.number().int().positive().nullish().default(null),
    duration: typedSpan,
    participantLimit: typedNumber(z.number().int(LIMIT_SENTENCE).min(0, LIMIT_SENTENCE).nullable()),
    isManuallyStarted: checkbox,
    isTemplate: checkbox,
    isPrivate: checkbox,
    schedule: optionalLines,
    rows: timerRows,
    // The form contains every goal.
    goals: goalRowsForm(SESSION_LIMITS.goals).default([]),
  })
  .transform(({ rows, schedule, duration, ...typed }, ctx) => ({
    ...typed,
    duration: duration ?? undefined,
    schedule:
      schedule === "" && rows.length === 0
        ? undefined
        : readTimers(schedule, rows as PlainRow[], (path, message) =>
            ctx.addIssue({ code: "custom", path: [...path], message }),
          ),
  }));

export const ActivityFormInput = fields.pipe(ActivityInput as never) as unknown as z.ZodType<ActivityInput>;
export const ActivityFormChange = fields.pipe(
  ActivityInput.extend(ActivityChoice.shape) as never,
) as unknown as z.ZodType<ActivityInput & { slug: string }>;

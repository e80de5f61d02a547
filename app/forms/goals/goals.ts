// The forms of a goal, with and without JavaScript. They share their rules with the JSON calls (wire/goals/input.ts).
import { z } from "zod";
import type { GoalDraft } from "~/domain/goals/goals";
import { oneLine } from "~/domain/text-fields";
import { checkbox, since, typedDistance, typedNumber, typedSpan } from "~/forms/fields";
import {
  type FieldNotation,
  goalFields,
  isBlankButton,
  isBlankItem,
  isBlankTimer,
  isWithout,
  type Row,
  tooMany,
} from "~/wire/goals/input";
import { target } from "~/wire/goals/measures";
import { localId } from "~/wire/goals/record-fields";
import { id } from "~/wire/values";

const formKinds: FieldNotation = {
  span: typedSpan,
  amount: typedNumber(target),
  distance: typedDistance(target),
  // An empty field is no number.
  number: (rule) => typedNumber(z.preprocess((value) => value ?? undefined, rule)),
  flag: checkbox,
  // A form began before the newest ticks, so it sends none.
  tick: checkbox.transform(() => undefined),
  // The form parser drops empty values.
  clearable: (field, empty = null) => z.preprocess((value) => value || empty, field),
  list: (row, most, isBlank) =>
    z.preprocess(
      (rows) => rows ?? [],
      z
        .array(
          z.preprocess(
            (value) => (typeof value !== "object" || value === null || isBlank(value as Row) ? null : value),
            row.nullable(),
          ),
        )
        .transform((rows) => rows.filter((sentRow) => sentRow !== null))
        .refine((rows) => rows.length <= most, tooMany(most)),
    ) as never,
  object: (fields) => z.object(fields) as never,
};

/** The fields with a control; all others keep their values. */
const SHOWN = {
  uuid: true,
  title: true,
  link: true,
  content: true,
  action: true,
  unit: true,
  amount: true,
  distance: true,
  actionDuration: true,
  timers: true,
  items: true,
  quickLogButtons: true,
  completionsRequired: true,
  tags: true,
  recurrence: true,
  remindAt: true,
} as const;

/** The goal form, with or without JavaScript. Every shown field is present, even if empty; lines make a checklist. */
export const goalForm = z.preprocess(
  (form) => ({ ...(form as Row), recurrence: recurrenceForm(form as Row) }),
  z
    .object(goalFields(formKinds, true))
    .pick(SHOWN)
    .transform((fields): GoalDraft => ({ ...fields, isList: (fields.items ?? []).length > 0 })),
);

/** A new goal defaults to an amount of 1 unless it has another target (K-03). A unit without an amount implies one. */
const withFirstAmount = (draft: GoalDraft): GoalDraft => {
  const hasOtherTarget = Boolean(draft.actionDuration) || (draft.distance ?? null) !== null;
  return draft.amount === null && (!hasOtherTarget || draft.unit) ? { ...draft, amount: undefined } : draft;
};
/** The form of a new goal. */
export const newGoalForm = goalForm.transform(withFirstAmount);

const hasFilledRow = (rows: unknown, isBlank: (row: Row) => boolean) =>
  Array.isArray(rows) && rows.some((row) => row && !isBlank(row as Row));
const isBlankGoal = (row: Row) =>
  isWithout(row, [
    "title",
    "amount",
    "unit",
    "actionDuration",
    "distance",
    "content",
    "link",
    "tags",
    "every",
  ]) &&
  !hasFilledRow(row.items, isBlankItem) &&
  !hasFilledRow(row.quickLogButtons, isBlankButton) &&
  !hasFilledRow(row.timers, isBlankTimer);

/**
 * Goals as rows of a larger form. A row contains every field it shows, even if empty; other fields keep their values.
 */
export const goalRowsForm = (most: number) =>
  formKinds.list(
    goalForm.transform((draft) => (draft.uuid ? draft : withFirstAmount(draft))),
    most,
    isBlankGoal,
  );

/** Joins the three fields of a recurrence into one value. */
function recurrenceForm(form: Record<string, unknown>) {
  const every = form.every;
  if (every === "day") return { every };
  if (every === "weekdays") {
    const days = form.weekdays;
    return { every, weekdays: Array.isArray(days) ? days : days === undefined ? [] : [days] };
  }
  if (every === "week") return { every, times: form.times };
  return null;
}

export const GoalChoice = z.object({ goal: id });
export const GoalChange = z.intersection(GoalChoice.extend({ since }), goalForm);
const uuids = z
  .union([z.array(localId), localId.transform((uuid) => [uuid])])
  .optional()
  .transform((list) => list ?? []);
export const TickInput = GoalChoice.extend({
  ticked: uuids,
  /** The ticks that the page showed; without this field it showed none. */
  base: uuids,
}).transform(({ goal, ticked, base }) => ({ goalId: goal, items: ticked, base }));
export const SkipDayInput = GoalChoice.extend({
  day: oneLine(),
  isSkipped: z.preprocess((value) => value === "1", z.boolean()),
});

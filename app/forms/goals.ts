// The forms of a goal: text as people write it, with and without JavaScript. The rules are those of calls
// (wire/goal-input.ts).
import { z } from "zod";
import type { GoalDraft } from "~/domain/goals";
import {
  draftOfGoal,
  goalFields,
  isBlankButton,
  isBlankItem,
  isBlankTimer,
  isWithout,
  type Kinds,
  type Row,
  TOO_MANY,
} from "~/wire/goal-input";
import { localId, target } from "~/wire/measures";
import { id } from "~/wire/values";
import { checkbox, typedNumber, typedSpan } from "./fields";

const formKinds: Kinds = {
  span: typedSpan,
  amount: typedNumber(target),
  flag: checkbox,
  list: (row, most, isBlank) =>
    z
      .array(
        z.preprocess(
          (value) => (typeof value !== "object" || value === null || isBlank(value as Row) ? null : value),
          row.nullable(),
        ),
      )
      .transform((rows) => rows.filter((one) => one !== null))
      .refine((rows) => rows.length <= most, TOO_MANY(most)) as never,
};

/** What the form does not show stays as it is. */
const UNSHOWN = {
  duration: true,
  sets: true,
  is_interval: true,
  per_participant: true,
  edit_content: true,
  edit_summary: true,
  started_at: true,
  ended_at: true,
} as const;

/** What a form shows of a goal, if only as nothing: null, for a form's reader takes "" as nothing said. */
function shownFields(form: Row) {
  const items = Array.isArray(form.items) ? form.items : [];
  return {
    link: form.link || null,
    content: form.content || null,
    unit: form.unit || null,
    action: form.action || null,
    completions_required: form.completions_required || "1",
    items,
    is_list: items.some((row) => row && !isBlankItem(row as Row)) ? "1" : "",
    timers: form.timers ?? [],
    quick_log_buttons: form.quick_log_buttons ?? [],
    tags: form.tags || [],
    recurrence: recurrenceForm(form),
  };
}

/** The goal form, as a browser posts it with or without JavaScript: all it shows is there, if only as nothing. */
export const goalForm = z.preprocess(
  (raw) => {
    const form = raw as Row;
    return { ...form, ...shownFields(form) };
  },
  z.object(goalFields(formKinds, true)).omit(UNSHOWN).transform(draftOfGoal),
);

const anyFilled = (rows: unknown, isBlank: (row: Row) => boolean) =>
  Array.isArray(rows) && rows.some((row) => row && !isBlank(row as Row));
const isBlankGoal = (row: Row) =>
  isWithout(row, [
    "title",
    "amount",
    "unit",
    "action_duration",
    "distance",
    "content",
    "link",
    "tags",
    "every",
  ]) &&
  !anyFilled(row.items, isBlankItem) &&
  !anyFilled(row.quick_log_buttons, isBlankButton) &&
  !anyFilled(row.timers, isBlankTimer);

/** Goals as rows of a larger form. What a row shows it says, if only as nothing; the rest of a goal stays as it is. */
export const goalRowsForm = (most: number) =>
  formKinds.list(
    z.preprocess(
      (row) => ({ ...(row as Row), ...shownFields(row as Row) }),
      z
        .object(goalFields(formKinds, true))
        .omit(UNSHOWN)
        .transform((said): GoalDraft => {
          const asksNothing = said.amount === null && !said.action_duration && said.distance === null;
          // A new one asks for once, unless it asks for something else (K-03).
          return draftOfGoal(asksNothing && !said.uuid ? { ...said, amount: undefined } : said);
        }),
    ),
    most,
    isBlankGoal,
  );

/** Three fields of the form, one value. */
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
export const GoalChange = z.intersection(GoalChoice, goalForm);
export const TickInput = GoalChoice.extend({
  ticked: z
    .union([z.array(localId), localId.transform((uuid) => [uuid])])
    .optional()
    .transform((uuids) => uuids ?? []),
}).transform(({ goal, ticked }) => ({ goalId: goal, items: ticked }));
export const SkipDayInput = GoalChoice.extend({
  day: z.string(),
  isSkipped: z.preprocess((value) => value === "1", z.boolean()),
});

// What a call or a form may say of a goal. Both use the documents' names (`quick_log_buttons`, `x`); they differ in how
// a span, an amount and a flag are written, so those kinds are parameters.
import { z } from "zod";
import { parseDuration } from "~/domain/duration-text";
import {
  GOAL_LIMITS,
  type GoalDraft,
  NEW_BUTTON,
  type Recurrence,
  tidyTags,
  timerSpan,
} from "~/domain/goals";
import { type Seconds, seconds } from "~/domain/time";
import { LONGEST_SPAN, localId, markdown, ownId, span, target, words } from "./measures";
import { flag, instantIn } from "./values";

type Kinds = {
  span: z.ZodType<Seconds | null | undefined>;
  amount: z.ZodType<number | null | undefined>;
  flag: z.ZodType<boolean | undefined>;
  /** A list; a form leaves out its empty rows, and keeps the numbers of the others for their errors. */
  list<S extends z.ZodType>(row: S, most: number, isBlank: (row: Row) => boolean): z.ZodType<z.output<S>[]>;
};
type Row = Record<string, unknown>;
const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
const hasNone = (row: Row, names: readonly string[]) => names.every((name) => isEmpty(row[name]));
const isBlankInterval = (row: Row) => hasNone(row, ["title", "duration"]);
const isBlankTimer = (row: Row) =>
  hasNone(row, ["title", "duration"]) &&
  (Array.isArray(row.timers) ? row.timers : []).every((interval) => isBlankInterval(interval as Row));
const isBlankItem = (row: Row) => hasNone(row, ["title", "link"]);
const isBlankButton = (row: Row) => hasNone(row, ["title", "amount", "distance", "duration"]);

const ZERO = "The duration cannot be 0";
const TOO_MANY = (most: number) => `At most ${most}, please.`;
const count = (most: number) =>
  z.preprocess(
    (value) => (value === "" || value === null ? undefined : value),
    z.coerce
      .number("Please give a whole number.")
      .int("Please give a whole number.")
      .min(1, "Please give a number from 1 up.")
      .max(most, TOO_MANY(most))
      .optional(),
  );

/** `https://…`, or nothing; a bare host gets its scheme. */
const link = words(2000).transform((value, ctx) => {
  if (!value) return value;
  const full = /^[a-z][a-z0-9+.-]*:/i.test(value) ? value : `https://${value}`;
  if (URL.canParse(full) && /^https?:$/.test(new URL(full).protocol)) return full;
  ctx.addIssue({ code: "custom", message: "Please give an address that begins with https://" });
  return z.NEVER;
});

const required = (sentence: string, most: number) =>
  z.string(sentence).trim().min(1, sentence).max(most, `Please write at most ${most} characters.`);

export const GOAL_TITLE = "Please give your goal a title.";

const recurrence: z.ZodType<Recurrence | null | undefined> = z
  .discriminatedUnion(
    "every",
    [
      z.object({ every: z.literal("day") }),
      z.object({
        every: z.literal("weekdays"),
        weekdays: z
          .array(z.coerce.number().int().min(0).max(6))
          .transform((days) => [...new Set(days)].sort())
          .refine((days) => days.length > 0, "Please choose at least one day of the week."),
      }),
      z.object({
        every: z.literal("week"),
        times: z.coerce.number("How often a week? From 1 to 7.").int().min(1).max(7),
      }),
    ],
    "Please choose how often this goal begins anew.",
  )
  .nullish();

/** The fields of a goal; with `isNew` a title must be there. */
export function goalFields(kinds: Kinds, isNew: boolean) {
  const spanAbove0 = kinds.span.transform((value, ctx) => {
    if (value) return value;
    ctx.addIssue({ code: "custom", message: ZERO });
    return z.NEVER;
  });
  const interval = z.object({
    title: words(GOAL_LIMITS.title).transform((title) => title ?? ""),
    duration: spanAbove0,
  });
  const sets = count(GOAL_LIMITS.sets).transform((value) => value ?? 1);
  const timer = z
    .object({
      uuid: localId,
      title: words(GOAL_LIMITS.title).transform((title) => title ?? ""),
      duration: kinds.span,
      is_interval: kinds.flag,
      sets,
      timers: kinds.list(interval, GOAL_LIMITS.timers, isBlankInterval).nullish(),
    })
    .transform(({ uuid, title, duration, is_interval, sets, timers }, ctx) => {
      const intervals = timers ?? [];
      const isInterval = is_interval || intervals.length > 0;
      const shape = { uuid, title, isInterval, sets, timers: isInterval ? intervals : [] };
      const length = timerSpan({ ...shape, duration: duration ?? seconds(0) });
      if (length === 0) ctx.addIssue({ code: "custom", path: ["duration"], message: ZERO });
      if (length > LONGEST_SPAN)
        ctx.addIssue({ code: "custom", path: ["duration"], message: "That is too long." });
      return { ...shape, duration: length };
    });
  const item = z
    .object({
      uuid: localId,
      title: required("Please write what is to be done.", 500),
      link,
      x: kinds.flag,
    })
    .transform(({ uuid, title, link, x }) => ({ uuid, title, link: link ?? "", isChecked: x ?? false }));
  const button = z
    .object({
      uuid: localId,
      title: words(GOAL_LIMITS.title),
      content: markdown,
      action: words(GOAL_LIMITS.word),
      amount: kinds.amount,
      distance: kinds.amount,
      duration: kinds.span,
      status: z.coerce
        .number()
        .pipe(z.literal([1, 2, 3], "Please choose 1 (start), 2 (done) or 3 (to do)."))
        .nullish(),
      completions_required: count(1_000_000),
      order: z.coerce.number().int().min(0).max(1000).nullish(),
    })
    .transform((given) => ({ ...given, completionsRequired: given.completions_required }));
  const buttons = kinds
    .list(button, GOAL_LIMITS.buttons, isBlankButton)
    .transform((all) =>
      all.map((given, order) => ({
        uuid: given.uuid,
        title: given.title ?? "",
        content: given.content ?? "",
        action: given.action ?? "",
        amount: given.amount === undefined ? NEW_BUTTON.amount : given.amount,
        distance: given.distance ?? null,
        duration: given.duration ?? null,
        status: given.status ?? NEW_BUTTON.status,
        completionsRequired: given.completionsRequired ?? NEW_BUTTON.completionsRequired,
        order: given.order ?? order,
      })),
    )
    .transform((all) => all.sort((a, b) => a.order - b.order));
  const title = required(GOAL_TITLE, GOAL_LIMITS.title);
  const at = z.preprocess((value) => (value === "" ? null : value), instantIn.nullish());
  return {
    uuid: ownId,
    title: isNew ? title : title.optional(),
    link,
    content: markdown,
    action: words(GOAL_LIMITS.word),
    unit: words(GOAL_LIMITS.word),
    amount: kinds.amount,
    distance: kinds.amount,
    duration: kinds.span,
    action_duration: kinds.span,
    sets: count(GOAL_LIMITS.sets),
    timers: kinds.list(timer, GOAL_LIMITS.timers, isBlankTimer).nullish(),
    is_interval: kinds.flag,
    is_list: kinds.flag,
    items: kinds.list(item, GOAL_LIMITS.items, isBlankItem).nullish(),
    quick_log_buttons: buttons.nullish(),
    completions_required: count(1_000_000),
    per_participant: kinds.flag,
    edit_content: kinds.flag,
    edit_summary: kinds.flag,
    started_at: at,
    ended_at: at,
    // The text first: a form's reader would make a list of one of it.
    tags: z
      .union([
        z
          .string()
          .max(1000)
          .transform((text) => text.split(",")),
        z.array(z.string().max(200)),
      ])
      .transform(tidyTags)
      .refine((tags) => tags.every((tag) => tag.length <= 40), "A tag has at most 40 characters.")
      .nullish(),
    recurrence,
  };
}

type Said = z.output<z.ZodObject<ReturnType<typeof goalFields>>>;

/** The same in our words. */
export const draftOfGoal = (said: Partial<Said>): GoalDraft => ({
  uuid: said.uuid,
  title: said.title,
  link: said.link,
  content: said.content,
  action: said.action,
  unit: said.unit,
  amount: said.amount,
  distance: said.distance,
  duration: said.duration,
  actionDuration: said.action_duration,
  sets: said.sets,
  timers: said.timers ?? undefined,
  isInterval: said.is_interval,
  isList: said.is_list,
  items: said.items ?? undefined,
  quickLogButtons: said.quick_log_buttons ?? undefined,
  completionsRequired: said.completions_required,
  isPerParticipant: said.per_participant,
  mayEditContent: said.edit_content,
  mayEditSummary: said.edit_summary,
  startedAt: said.started_at,
  endedAt: said.ended_at,
  tags: said.tags ?? undefined,
  recurrence: said.recurrence,
});

const wireKinds: Kinds = {
  span,
  amount: target,
  flag: flag.nullish().transform((value) => value ?? undefined),
  list: (row, most) => z.array(row).max(most, TOO_MANY(most)),
};
export const wireGoalFields = (isNew: boolean) => goalFields(wireKinds, isNew);

// ---- forms: text as people write it

/** "1h 30m" → seconds; empty clears (T-17). */
export const typedSpan = z
  .string()
  .optional()
  .transform((typed, ctx): Seconds | null => {
    const read = parseDuration(typed ?? "");
    if (read.seconds !== undefined) return read.seconds;
    if (read.empty) return null;
    ctx.addIssue({ code: "custom", message: read.error ?? "Please give a duration." });
    return z.NEVER;
  });
/** Strips all but digits, dot and minus (V-11); the wire's rules decide the rest. */
export const typedNumber = <T>(rule: z.ZodType<T>) =>
  z.preprocess((typed) => (typeof typed === "string" ? typed.replace(/[^\d.-]/g, "") : null), rule);
const ticked = z.preprocess((value) => value === "on" || value === "1", z.boolean());

const formKinds: Kinds = {
  span: typedSpan,
  amount: typedNumber(target),
  flag: ticked,
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

/** The goal form, as a browser posts it with or without JavaScript: all it shows is there, if only as nothing. */
export const goalForm = z.preprocess(
  (raw) => {
    const form = raw as Row;
    const items = Array.isArray(form.items) ? form.items : [];
    return {
      ...form,
      link: form.link ?? "",
      content: form.content ?? "",
      unit: form.unit ?? "",
      action: form.action ?? "",
      items,
      is_list: items.some((row) => !isBlankItem(row as Row)) ? "1" : "",
      timers: form.timers ?? [],
      quick_log_buttons: form.quick_log_buttons ?? [],
      tags: form.tags ?? "",
      recurrence: recurrenceForm(form),
    };
  },
  z.object(goalFields(formKinds, true)).omit(UNSHOWN).transform(draftOfGoal),
);

const isBlankGoal = (row: Row) => hasNone(row, ["title", "amount", "unit", "action_duration", "distance"]);

/** Goals as rows of a larger form, each with the few fields a row shows; what it does not show stays as it is. */
export const goalRowsForm = (most: number) =>
  formKinds.list(
    z
      .object(goalFields(formKinds, true))
      .pick({ uuid: true, title: true, amount: true, unit: true, action_duration: true, distance: true })
      .transform((said): GoalDraft => {
        const asksNothing = said.amount === null && !said.action_duration && said.distance === null;
        // A new one asks for once, unless it asks for something else (K-03).
        return draftOfGoal(asksNothing && !said.uuid ? { ...said, amount: undefined } : said);
      }),
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

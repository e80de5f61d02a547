// The goal fields of calls and of forms. Their notation of spans, amounts and flags, the meaning of a missing field and
// the names of fields differ, so they are parameters.
import { z } from "zod";
import {
  type DraftItem,
  GOAL_LIMITS,
  type GoalDraft,
  type GoalTimer,
  NEW_BUTTON,
  type QuickLogButton,
  type Recurrence,
  tidyTags,
  timerSpan,
} from "~/domain/goals/goals";
import { minuteOfText } from "~/domain/notices/quiet-hours";
import { choiceIn, numberIn } from "~/domain/number-fields";
import { oneLine } from "~/domain/text-fields";
import { type Seconds, seconds } from "~/domain/time";
import { flag, instantIn, ownId } from "~/wire/values";
import { LONGEST_SPAN, span, target, targetMiles } from "./measures";
import { outsideName } from "./names";
import { localId } from "./record-fields";
import { markdown, oneLineText } from "./texts";

/** The notation of fields: `wireNotation` is that of calls, and forms have their own. */
export type FieldNotation = {
  span: z.ZodType<Seconds | null | undefined>;
  amount: z.ZodType<number | null | undefined>;
  /** In millimetres. */
  distance: z.ZodType<number | null | undefined>;
  /** A number that is neither a span, an amount nor a distance; `rule` checks it. */
  number<T>(rule: z.ZodType<T>): z.ZodType<T>;
  flag: z.ZodType<boolean | undefined>;
  /** The tick of a line; undefined keeps it. */
  tick: z.ZodType<boolean | undefined>;
  /** An optional field: missing means unchanged in a call and empty in a form. */
  clearable<S extends z.ZodType>(field: S, empty?: unknown): z.ZodType<z.output<S>>;
  /** A list; a form drops empty rows, and keeps the indexes of the others for their errors. */
  list<S extends z.ZodType>(
    row: S,
    most: number,
    isBlank: (row: Row) => boolean,
  ): z.ZodType<z.output<S>[] | undefined>;
  /** An object with inside names in the code; a call translates them. */
  object<S extends z.ZodRawShape>(fields: S): z.ZodType<z.output<z.ZodObject<S>>>;
};
export type Row = Record<string, unknown>;
const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
export const isWithout = (row: Row, names: readonly string[]) => names.every((name) => isEmpty(row[name]));
const isBlankInterval = (row: Row) => isWithout(row, ["title", "duration"]);
export const isBlankTimer = (row: Row) =>
  isWithout(row, ["title", "duration"]) &&
  (Array.isArray(row.timers) ? row.timers : []).every((interval) => isBlankInterval(interval as Row));
export const isBlankItem = (row: Row) => isWithout(row, ["title", "link"]);
export const isBlankButton = (row: Row) => isWithout(row, ["title", "amount", "distance", "duration"]);

const ZERO = "The duration cannot be 0";
export const tooMany = (most: number) => `At most ${most}, please.`;
const count = (most: number) =>
  numberIn(
    z
      .number("Please give a whole number.")
      .int("Please give a whole number.")
      .min(1, "Please give a number from 1 up.")
      .max(most, tooMany(most))
      .optional(),
  );

/** `https://…` or empty; a bare host gets its scheme. */
const link = oneLineText(2000).transform((value, ctx) => {
  if (!value) return value;
  const url = /^[a-z][a-z0-9+.-]*:/i.test(value) ? value : `https://${value}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  ctx.addIssue({ code: "custom", message: "Please give an address that begins with https://" });
  return z.NEVER;
});

const requiredText = (sentence: string, most: number) =>
  oneLine(sentence).min(1, sentence).max(most, `Please write at most ${most} characters.`);

const A_WEEKDAY = "Please give each weekday as a number from 0 to 6.";
const TIMES_A_WEEK = "How often a week? From 1 to 7.";
const AN_ORDER = "Please give a position from 0 to 1,000.";
const GOAL_TITLE = "Please give your goal a title.";

const recurrence: z.ZodType<Recurrence | null | undefined> = z
  .discriminatedUnion(
    "every",
    [
      z.object({ every: z.literal("day") }),
      z.object({
        every: z.literal("weekdays"),
        weekdays: z
          .array(numberIn(z.number(A_WEEKDAY).int(A_WEEKDAY).min(0, A_WEEKDAY).max(6, A_WEEKDAY)))
          .transform((days) => [...new Set(days)].sort())
          .refine((days) => days.length > 0, "Please choose at least one day of the week."),
      }),
      z.object({
        every: z.literal("week"),
        times: numberIn(z.number(TIMES_A_WEEK).int(TIMES_A_WEEK).min(1, TIMES_A_WEEK).max(7, TIMES_A_WEEK)),
      }),
    ],
    "Please choose how often this goal starts over.",
  )
  .nullish();

/** The fields of a goal; `isNew` requires a title. */
export function goalFields(notation: FieldNotation, isNew: boolean) {
  const spanAbove0 = notation.span.transform((value, ctx) => {
    if (value) return value;
    ctx.addIssue({ code: "custom", message: ZERO });
    return z.NEVER;
  });
  const interval = z.object({
    title: oneLineText(GOAL_LIMITS.title).transform((title) => title ?? ""),
    duration: spanAbove0,
  });
  const sets = notation.number(count(GOAL_LIMITS.sets)).transform((value) => value ?? 1);
  const timer = notation
    .object({
      uuid: localId,
      title: oneLineText(GOAL_LIMITS.title).transform((title) => title ?? ""),
      duration: notation.span,
      isInterval: notation.flag,
      sets,
      timers: notation.list(interval, GOAL_LIMITS.timers, isBlankInterval),
    })
    .transform(({ uuid, title, duration, sets, timers: intervals = [], ...fields }, ctx): GoalTimer => {
      const isInterval = fields.isInterval || intervals.length > 0;
      const shape = { uuid, title, isInterval, sets, timers: isInterval ? intervals : [] };
      const length = timerSpan({ ...shape, duration: duration ?? seconds(0) });
      if (length === 0) ctx.addIssue({ code: "custom", path: ["duration"], message: ZERO });
      if (length > LONGEST_SPAN)
        ctx.addIssue({ code: "custom", path: ["duration"], message: "That is too long." });
      return { ...shape, duration: length };
    });
  const item = notation
    .object({
      uuid: localId,
      title: requiredText("Please write what is to be done.", 500),
      link,
      isChecked: notation.tick,
    })
    .transform(({ link = "", ...line }): DraftItem => ({ ...line, link }));
  const button = notation.object({
    uuid: localId,
    title: oneLineText(GOAL_LIMITS.title),
    content: markdown,
    action: oneLineText(GOAL_LIMITS.word),
    amount: notation.amount,
    distance: notation.distance,
    duration: notation.span,
    status: choiceIn([1, 2, 3], "Please choose 1 (start), 2 (done) or 3 (to do).").nullish(),
    completionsRequired: notation.number(count(1_000_000)),
    order: numberIn(z.number(AN_ORDER).int(AN_ORDER).min(0, AN_ORDER).max(1000, AN_ORDER)).nullish(),
  });
  const buttons = notation.list(button, GOAL_LIMITS.buttons, isBlankButton).transform((sentButtons) =>
    sentButtons
      ?.map(
        (sentButton, order): QuickLogButton => ({
          uuid: sentButton.uuid,
          title: sentButton.title ?? "",
          content: sentButton.content ?? "",
          action: sentButton.action ?? "",
          amount: sentButton.amount === undefined ? NEW_BUTTON.amount : sentButton.amount,
          distance: sentButton.distance ?? null,
          duration: sentButton.duration ?? null,
          status: sentButton.status ?? NEW_BUTTON.status,
          completionsRequired: sentButton.completionsRequired ?? NEW_BUTTON.completionsRequired,
          order: sentButton.order ?? order,
        }),
      )
      .sort((a, b) => a.order - b.order),
  );
  const title = requiredText(GOAL_TITLE, GOAL_LIMITS.title);
  const optionalInstant = z.preprocess((value) => (value === "" ? null : value), instantIn.nullish());
  return {
    uuid: ownId,
    title: isNew ? title : title.optional(),
    link: notation.clearable(link),
    content: notation.clearable(markdown),
    action: notation.clearable(oneLineText(GOAL_LIMITS.word)),
    unit: notation.clearable(oneLineText(GOAL_LIMITS.word)),
    amount: notation.amount,
    distance: notation.distance,
    duration: notation.span,
    actionDuration: notation.span,
    sets: notation.number(count(GOAL_LIMITS.sets)),
    timers: notation.list(timer, GOAL_LIMITS.timers, isBlankTimer),
    isInterval: notation.flag,
    isList: notation.flag,
    items: notation.list(item, GOAL_LIMITS.items, isBlankItem),
    quickLogButtons: buttons,
    completionsRequired: notation.clearable(notation.number(count(1_000_000)), "1"),
    isPerParticipant: notation.flag,
    mayEditContent: notation.flag,
    mayEditSummary: notation.flag,
    startedAt: optionalInstant,
    endedAt: optionalInstant,
    // The text comes first, because a form parser would make a list of it.
    tags: notation.clearable(
      z
        .union([
          oneLine()
            .max(1000)
            .transform((text) => text.split(",")),
          z.array(oneLine().max(200)),
        ])
        .transform(tidyTags)
        .refine((tags) => tags.every((tag) => tag.length <= 40), "A tag has at most 40 characters.")
        .nullish()
        .transform((tags) => (tags === null ? [] : tags)),
      [],
    ),
    recurrence,
    remindAt: notation.clearable(
      oneLine()
        .nullish()
        .transform((text, ctx): number | null | undefined => {
          if (text === undefined) return undefined;
          if (text === null || text === "") return null;
          const minute = minuteOfText(text);
          if (minute === null)
            ctx.addIssue({ code: "custom", message: "Please give a time as hours and minutes, like 07:30." });
          return minute;
        }),
    ),
  } satisfies { [Name in Exclude<keyof GoalDraft, "position" | "partGroupId">]: z.ZodType<GoalDraft[Name]> };
}

const wireNotation: FieldNotation = {
  span,
  amount: target,
  distance: targetMiles,
  number: (rule) => rule,
  flag: flag.optional(),
  tick: flag.optional(),
  clearable: (field) => field as never,
  list: (row, most) =>
    z
      .array(row)
      .max(most, tooMany(most))
      .nullish()
      .transform((rows) => (rows === null ? [] : rows)),
  object: (fields) => {
    const names = Object.keys(fields).map((name) => [name, outsideName(name)] as const);
    const shape = Object.fromEntries(names.map(([name, outside]) => [outside, fields[name]]));
    return z
      .object(shape as z.ZodRawShape)
      .transform((row) =>
        Object.fromEntries(
          names.flatMap(([name, outside]) => (outside in row ? [[name, row[outside]]] : [])),
        ),
      ) as never;
  },
};

/** A goal in a call; `isNew` requires a title. */
export const wireGoal = (isNew: boolean): z.ZodType<GoalDraft> =>
  wireNotation.object(goalFields(wireNotation, isNew));

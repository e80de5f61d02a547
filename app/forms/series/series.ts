// The forms of a series: the fields of its rule, and the changes of its page.
import { z } from "zod";
import { parseFormDate } from "~/domain/date-text";
import { isDay } from "~/domain/days";
import { readNumber } from "~/domain/numbers";
import { RULE_DAYS, type RuleTyped } from "~/domain/series/form";
import { oneLine } from "~/domain/text-fields";
import { mayBeNamed } from "~/domain/time";
import { checkbox, optionalText } from "~/forms/fields";
import { reader } from "~/forms/reading";
import { readGuests } from "~/forms/sessions/sessions";
import { id } from "~/wire/values";

const shortText = oneLine().max(40).optional().catch(undefined);
/** A number in the reader's notation, as plain digits. Other text stays, and the rule refuses it. */
const typedCount = shortText.transform((text) => {
  const count = text === undefined ? null : readNumber(text, reader().locale);
  return count === null ? text : String(count);
});

const ruleFields = {
  every: z.enum(["DAILY", "WEEKLY", "MONTHLY"]).default("WEEKLY").catch("WEEKLY"),
  interval: typedCount,
  monthly: z.enum(["date", "weekday", "last"]).default("date").catch("date"),
  count: typedCount,
  until: shortText,
  startedAt: shortText,
  timeZone: oneLine().max(100).optional().catch(undefined),
};
const days = Object.fromEntries(RULE_DAYS.map((day) => [day, checkbox]));
/** Missing fields take the defaults of a weekly series. */
const typedRule = (fields: z.output<z.ZodObject<typeof ruleFields>>): RuleTyped => {
  const checkboxes = fields as unknown as Record<string, boolean>;
  return {
    every: fields.every,
    interval: fields.interval?.trim() || "1",
    days: RULE_DAYS.filter((day) => checkboxes[day]),
    monthly: fields.monthly,
    count: fields.count?.trim() ?? "",
    until: fields.until?.trim() ?? "",
    startedAt: fields.startedAt ?? "",
    timeZone: fields.timeZone ?? "",
  };
};

/** The fields as the page's address carries them. */
export const RuleQuery = z
  .object({
    series: id.optional().catch(undefined),
    /** True if the page shows the form of another rule for a series. */
    change: checkbox,
    session: id.optional().catch(undefined),
    ...ruleFields,
    ...days,
  })
  .transform(
    (query): RuleQuery => ({
      series: query.series ?? 0,
      change: query.change,
      session: query.session,
      isStartTyped: query.startedAt !== undefined,
      typed: typedRule(query),
    }),
  );
type RuleQuery = {
  series: number;
  change: boolean;
  session: number | undefined;
  isStartTyped: boolean;
  typed: RuleTyped;
};

/** The form of a new series. Every field counts as typed, whether or not the page has shown its dates. */
export const NewSeriesInput = z
  .object({ session: id, ...ruleFields, ...days })
  .transform(({ session, ...fields }) => ({ session, typed: typedRule(fields) }));
/** Another rule for a series. */
export const RuleInput = z
  .object({ series: id, ...ruleFields, ...days })
  .transform(({ series, ...fields }) => ({ series, typed: typedRule(fields) }));
export const SeriesChoice = z.object({ series: id });
/** `isFree`: whether joining was free when the page was loaded. */
export const TurnChoice = SeriesChoice.extend({
  isFree: z.enum(["0", "1"]).optional(),
  takesGuests: checkbox,
  guestLimit: optionalText,
}).transform(({ series, isFree, ...guests }, ctx) => ({
  series,
  isFree: isFree === undefined ? undefined : isFree === "1",
  guestLimit: readGuests(guests, (path, message) =>
    ctx.addIssue({ code: "custom", path: [...path], message }),
  ),
}));
const PERSON = "Please give a username.";
export const HostChoice = SeriesChoice.extend({ username: oneLine(PERSON).min(1, PERSON).max(60) });
export const PlaceInput = HostChoice.extend({ place: z.coerce.number().int().min(0).max(99) });
const day = oneLine().refine(isDay, "Please choose a day of the series.");
export const DayChoice = SeriesChoice.extend({ day });
export const MoveInput = DayChoice.extend({ startedAt: oneLine(), timeZone: oneLine().max(100) }).transform(
  ({ startedAt, timeZone, ...dayChoice }, ctx) => {
    const newStart = parseFormDate(startedAt, timeZone);
    if (newStart !== null && mayBeNamed(newStart)) return { ...dayChoice, startedAt: newStart };
    ctx.addIssue({
      code: "custom",
      path: ["startedAt"],
      message: "Please give a date and time, such as 2026-11-21 09:30.",
    });
    return z.NEVER;
  },
);
export const StandingInput = SeriesChoice.extend({ joinCode: oneLine().max(100).optional() });

/** Chooses a series by the address of its page. */
export const PlaceChoice = z.object({ series: oneLine().max(100) });
export const PlaceStandingInput = PlaceChoice.extend({ joinCode: oneLine().max(100).optional() });

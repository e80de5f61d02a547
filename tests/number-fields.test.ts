// Every field that takes a number, with the writings of many locales.
import { parseWithZod } from "@conform-to/zod/v4";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { DISTANCE_UNITS, type DistanceUnit, keptDistance } from "~/domain/distances";
import { distanceField } from "~/domain/goals/measure-text";
import { NOT_A_NUMBER, numberField } from "~/domain/numbers";
import { ActivityFormInput } from "~/forms/activities/activities";
import { newGoalForm } from "~/forms/goals/goals";
import { LogByHandInput, LogChange } from "~/forms/goals/logs";
import { FreeTokensInput } from "~/forms/payments/tokens";
import { readAs } from "~/forms/reading";
import { RuleQuery } from "~/forms/series/series";
import { SessionFormInput, SessionLogInput } from "~/forms/sessions/sessions";

type Field = {
  schema: z.ZodType;
  /** The other fields of the form. */
  beside: Record<string, string>;
  name: string;
  /** The stored value, in thousandths where fractions may be given, and in millimetres for a distance. */
  stored: (parsed: never) => unknown;
  isWhole?: true;
  /** The sentence for an unreadable text, where it is another than usual. */
  refusal?: string;
};

const goal = { title: "Walk" };
const button = { ...goal, "quickLogButtons[0].title": "One", "quickLogButtons[0].status": "2" };
const timer = { ...goal, "timers[0].title": "Focus", "timers[0].duration": "25m" };
type Goal = {
  amount: number;
  distance: number;
  completionsRequired: number;
  timers: { sets: number }[];
  quickLogButtons: { amount: number; distance: number; completionsRequired: number }[];
};
const FIELDS: Record<string, Field> = {
  "amount of a goal": { schema: newGoalForm, beside: goal, name: "amount", stored: (of: Goal) => of.amount },
  "distance of a goal": {
    schema: newGoalForm,
    beside: goal,
    name: "distance",
    stored: (of: Goal) => of.distance,
  },
  "times of a goal": {
    schema: newGoalForm,
    beside: goal,
    name: "completionsRequired",
    stored: (of: Goal) => of.completionsRequired,
    isWhole: true,
  },
  "sets of a timer": {
    schema: newGoalForm,
    beside: timer,
    name: "timers[0].sets",
    stored: (of: Goal) => of.timers[0]?.sets,
    isWhole: true,
  },
  "amount of a button": {
    schema: newGoalForm,
    beside: button,
    name: "quickLogButtons[0].amount",
    stored: (of: Goal) => of.quickLogButtons[0]?.amount,
  },
  "distance of a button": {
    schema: newGoalForm,
    beside: button,
    name: "quickLogButtons[0].distance",
    stored: (of: Goal) => of.quickLogButtons[0]?.distance,
  },
  "times of a button": {
    schema: newGoalForm,
    beside: button,
    name: "quickLogButtons[0].completionsRequired",
    stored: (of: Goal) => of.quickLogButtons[0]?.completionsRequired,
    isWhole: true,
  },
  "amount of an activity's goal": {
    schema: ActivityFormInput,
    beside: { title: "Run", "goals[0].title": "Walk" },
    name: "goals[0].amount",
    stored: (of: { goals: Goal[] }) => of.goals[0]?.amount,
  },
  "followers of an activity": {
    schema: ActivityFormInput,
    beside: { title: "Run" },
    name: "participantLimit",
    stored: (of: { participantLimit: number }) => of.participantLimit,
    isWhole: true,
  },
  "places of a session": {
    schema: SessionFormInput,
    beside: { title: "Run", hasPeople: "on", startMode: "manual", duration: "1h" },
    name: "participantLimit",
    stored: (of: { participantLimit: number }) => of.participantLimit,
    isWhole: true,
    refusal: "Please give a whole number of participants, or leave it empty.",
  },
  "guests of a session": {
    schema: SessionFormInput,
    beside: { title: "Run", hasPeople: "on", takesGuests: "on", startMode: "manual", duration: "1h" },
    name: "guestLimit",
    stored: (of: { guestLimit: number }) => of.guestLimit,
    isWhole: true,
    refusal: "Please give a whole number of guests.",
  },
  ...Object.fromEntries(
    ["amount", "distance"].flatMap((name) => [
      [
        `${name} of a log by hand`,
        { schema: LogByHandInput, beside: { goal: "1" }, name, stored: (of: Goal) => of[name as "amount"] },
      ],
      [
        `${name} of an edited log`,
        { schema: LogChange, beside: { log: "1" }, name, stored: (of: Goal) => of[name as "amount"] },
      ],
      [
        `${name} of a log in a session`,
        {
          schema: SessionLogInput,
          beside: { session: "1", part: "a" },
          name,
          stored: (of: Goal) => of[name as "amount"],
        },
      ],
    ]),
  ),
  "gift of tokens": {
    schema: FreeTokensInput,
    beside: {},
    name: "amount",
    stored: (of: { amount: number }) => Math.round(of.amount * 1000),
  },
  "interval of a rule": {
    schema: RuleQuery,
    beside: {},
    name: "interval",
    stored: (of: { typed: { interval: string } }) => of.typed.interval,
    isWhole: true,
  },
  "sessions of a rule": {
    schema: RuleQuery,
    beside: {},
    name: "count",
    stored: (of: { typed: { count: string } }) => of.typed.count,
    isWhole: true,
  },
};

const isDistance = ({ name }: Field) => name.endsWith("distance");

const LOCALES =
  "en-US en-GB en-IN en-ZA de-DE de-AT de-CH fr-FR fr-CH it-IT es-ES es-MX pt-BR pt-PT nl-NL pl-PL cs-CZ sk-SK hu-HU ro-RO bg-BG ru-RU uk-UA el-GR tr-TR sv-SE nb-NO da-DK fi-FI lv-LV lt-LT he-IL ar-EG fa-IR hi-IN bn-BD th-TH ja-JP ko-KR zh-CN".split(
    " ",
  );

/** 200 writings: five values, as each of 40 locales writes them in groups, in digits of another script now and then. */
const WRITINGS = LOCALES.flatMap((locale, index) =>
  [2, 2.5, 0.125, 12, 1234.5].map((value, n) => {
    const numberingSystem = ["latn", "arab", "deva", "fullwide"][(index + n) % 4] ?? "latn";
    const options = { maximumFractionDigits: 3, useGrouping: index % 2 === 0, numberingSystem };
    return { locale, value, typed: new Intl.NumberFormat(locale, options).format(value) };
  }),
);

const post = ({ schema, beside, name }: Field, typed: string, locale: string, unit: DistanceUnit = "km") => {
  const form = new FormData();
  for (const [key, value] of Object.entries({ ...beside, [name]: typed })) form.set(key, value);
  return readAs({ locale, unit }, () =>
    schema === RuleQuery
      ? { status: "success", value: schema.parse(Object.fromEntries(form)), error: null }
      : parseWithZod(form, { schema }),
  ) as { status?: string; value?: never; error: Record<string, string[]> | null };
};

test.each(Object.entries(FIELDS))("R-78 the %s is what 200 writings mean, or a sentence", (_, field) => {
  expect(WRITINGS).toHaveLength(200);
  let taken = 0;
  for (const { locale, value, typed } of WRITINGS) {
    const posted = post(field, typed, locale);
    if (posted.status !== "success") {
      const isAllowed = field.isWhole && (!Number.isInteger(value) || value > 1000);
      expect(isAllowed, `${locale} ${typed} ${JSON.stringify(posted.error)}`).toBe(true);
      expect(posted.error?.[field.name]?.[0], `${locale} ${typed}`).toMatch(/\w/);
      continue;
    }
    taken += 1;
    const meant =
      field.schema === RuleQuery
        ? String(value)
        : field.isWhole
          ? value
          : Math.round(value * (isDistance(field) ? 1_000_000 : 1000));
    expect(field.stored(posted.value as never), `${locale} ${typed}`).toBe(meant);
  }
  expect(taken).toBeGreaterThanOrEqual(80);
});

test.each(Object.entries(FIELDS).filter(([, { schema }]) => schema !== RuleQuery))(
  "R-78 an unreadable %s is a sentence, and never empty",
  (_, field) => {
    for (const typed of ["1e3", "abc", "1/2", "-", "1,2,3", "5²"]) {
      const posted = post(field, typed, "en-US");
      expect([typed, posted.error?.[field.name]]).toEqual([typed, [field.refusal ?? NOT_A_NUMBER]]);
    }
  },
);

test("R-78 no field that takes a number is missing here", () => {
  const sources = import.meta.glob<string>("../app/{components,routes}/**/*.tsx", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const named = Object.values(sources).flatMap((source) =>
    [...source.matchAll(/<NumberField\s[\s\S]*?\/>/g)].map(
      ([text]) => /(?:field\(\s*|name=)"(\w+)"/.exec(text)?.[1],
    ),
  );
  const listed = Object.values(FIELDS).map(({ name }) => name.split(".").at(-1));
  expect(new Set(named)).toEqual(new Set(listed));
});

test.each(Object.entries(FIELDS).filter(([, field]) => isDistance(field)))(
  "H-07 the %s, printed into its own field and posted, stays the stored one in either unit",
  (_, field) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000_000_000 }),
        fc.constantFrom(...LOCALES),
        fc.constantFrom(...DISTANCE_UNITS),
        (stored, locale, unit) => {
          const posted = post(field, distanceField(stored, { locale, unit }), locale, unit);
          const given = field.stored(posted.value as never) as number;
          return keptDistance(stored, given) === stored;
        },
      ),
      { numRuns: 200 },
    );
  },
);

test.each(Object.entries(FIELDS).filter(([, field]) => !field.isWhole && !isDistance(field)))(
  "R-78 the %s with three places, printed into its own field and posted, stays the same",
  (_, field) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), fc.constantFrom(...LOCALES), (stored, locale) => {
        const posted = post(field, numberField(stored / 1000, locale), locale);
        return field.stored(posted.value as never) === stored;
      }),
      { numRuns: 200 },
    );
  },
);

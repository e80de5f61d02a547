// The form of a new series: the first form shows the dates of a rule, the second saves it (G-06).
import { Form } from "@remix-run/react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { NumberField } from "~/components/form/number-field";
import { Section } from "~/components/layout/page";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { Field, FieldGroup } from "~/components/ui/field";
import { Select, TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { formatDay } from "~/domain/days";
import { RULE_DAYS, type RuleTyped } from "~/domain/series/form";
import { RULE_REFUSED } from "~/domain/series/rule";
import type { RuleDraft, SeriesDraft, SeriesPreview } from "~/domain/series/view";
import { useActionForm } from "~/hooks/use-action-form";
import { useShell } from "~/hooks/use-shell";

const EVERY = [
  { value: "DAILY", label: "Days" },
  { value: "WEEKLY", label: "Weeks" },
  { value: "MONTHLY", label: "Months" },
];
const MONTHLY = [
  { value: "date", label: "On the same date" },
  { value: "weekday", label: "On the same weekday of the month, such as the second Tuesday" },
  { value: "last", label: "On the last such weekday of the month" },
];
const NAMES = {
  mo: "Monday",
  tu: "Tuesday",
  we: "Wednesday",
  th: "Thursday",
  fr: "Friday",
  sa: "Saturday",
  su: "Sunday",
} as const;
/** Weeks begin on Monday. */
const WEEK = [...RULE_DAYS.slice(1), ...RULE_DAYS.slice(0, 1)];

export function NewSeries({ draft }: { draft: SeriesDraft }) {
  const { typed, session, startedAt, isStartTyped, preview, rule } = draft;
  return (
    <Section title={`Repeat “${session.title}”`}>
      <RuleForm typed={typed} hidden={{ session: session.id }} />
      {startedAt === null ? (
        isStartTyped && <Notice tone="warning">Please choose the first start.</Notice>
      ) : preview === null ? (
        <Notice tone="error">{RULE_REFUSED}</Notice>
      ) : (
        <SaveForm
          key={`${rule} ${startedAt}`}
          about={{ session: session.id, rule, timeZone: typed.timeZone, startedAt }}
          preview={preview}
        />
      )}
    </Section>
  );
}

/** Another rule for a series: its dates first, then the form that saves it (G-10). */
export function OtherRule({ draft }: { draft: RuleDraft & { isAsked: boolean } }) {
  const { typed, startedAt, preview, rule, isAsked } = draft;
  return (
    <details open={isAsked}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">Change the rule</summary>
      <div className="flex flex-col gap-4 py-2">
        <RuleForm typed={typed} hidden={{ change: "on" }} />
        {isAsked &&
          (startedAt === null || preview === null ? (
            <Notice tone="error">{RULE_REFUSED}</Notice>
          ) : (
            <SaveRule
              key={`${rule} ${startedAt}`}
              about={{ rule, timeZone: typed.timeZone, startedAt }}
              preview={preview}
            />
          ))}
      </div>
    </details>
  );
}

function SaveRule({ about, preview }: { about: Omit<About, "session">; preview: SeriesPreview }) {
  const form = useActionForm({ intent: "rule", about, leaves: true });
  return (
    <ActionForm form={form} className="flex flex-col gap-4 border-t border-line pt-6">
      <p className="font-semibold">{preview.words}</p>
      <DateList label="The new dates" dates={preview.dates} timeZone={preview.timeZone} />
      <p className="text-sm text-soft">
        Sessions on other days are cancelled, and everybody who paid gets their token back.
      </p>
      <SubmitRow form={form} variant="primary">
        Use this rule
      </SubmitRow>
    </ActionForm>
  );
}

function RuleForm({ typed, hidden }: { typed: RuleTyped; hidden: Record<string, string | number> }) {
  return (
    <Form method="get" preventScrollReset className="group flex flex-col gap-4">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First start">
          <TextInput type="datetime-local" name="startedAt" defaultValue={typed.startedAt} />
        </Field>
        <Field label="Time zone" hint="The local time stays the same over clock changes.">
          <TextInput name="timeZone" defaultValue={typed.timeZone} autoComplete="off" />
        </Field>
        <NumberField
          name="interval"
          label="Repeat every"
          hint="From 1 to 12."
          isWhole
          defaultValue={typed.interval}
        />
        <Field label="Days, weeks or months">
          <Select name="every" options={EVERY} defaultValue={typed.every} />
        </Field>
      </div>
      <div className="hidden group-has-[[value=WEEKLY]:checked]:block">
        <FieldGroup legend="On these days">
          <div className="flex flex-wrap gap-x-4">
            {WEEK.map((day) => (
              <Checkbox key={day} name={day} label={NAMES[day]} defaultChecked={typed.days.includes(day)} />
            ))}
          </div>
        </FieldGroup>
      </div>
      <div className="hidden group-has-[[value=MONTHLY]:checked]:block">
        <Field label="Day of the month">
          <Select name="monthly" options={MONTHLY} defaultValue={typed.monthly} />
        </Field>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          name="count"
          label="Ends after so many sessions"
          hint="Up to 500; empty for no end."
          isWhole
          defaultValue={typed.count}
        />
        <Field label="Or ends on" hint="Empty for no end.">
          <TextInput type="date" name="until" defaultValue={typed.until} />
        </Field>
      </div>
      <Button type="submit" className="self-start">
        Show the dates
      </Button>
    </Form>
  );
}

type About = { session: number; rule: string; timeZone: string; startedAt: number };

function SaveForm({ about, preview }: { about: About; preview: SeriesPreview }) {
  const form = useActionForm({ intent: "create", about, leaves: true });
  return (
    <ActionForm form={form} className="flex flex-col gap-4 border-t border-line pt-6">
      <p className="font-semibold">{preview.words}</p>
      <DateList label="The next dates" dates={preview.dates} timeZone={preview.timeZone} />
      <SubmitRow form={form} variant="primary" size="lg">
        Make this series
      </SubmitRow>
      <p className="text-sm text-soft">
        Sessions are created 28 days ahead. Each costs 1 token when it is created: your own spot as the host.
      </p>
    </ActionForm>
  );
}

function DateList({ label, dates, timeZone }: { label: string; dates: readonly number[]; timeZone: string }) {
  return (
    <ul aria-label={label} className="flex flex-col gap-1 tabular">
      {dates.map((at) => (
        <li key={at}>
          <SeriesTime at={at} timeZone={timeZone} />
        </li>
      ))}
    </ul>
  );
}

/** A date of a series in the series' own zone. */
export function SeriesTime({ at, timeZone }: { at: number; timeZone: string }) {
  const { locale } = useShell();
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(at);
  return (
    <time dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      {formatDay(at as never, timeZone, locale)}, {time}
    </time>
  );
}

// The form of a series' rule, which shows the dates before it makes or changes the series (G-06, G-10).
import { useSubmit } from "@remix-run/react";
import type { MouseEvent, ReactNode } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { NumberField } from "~/components/form/number-field";
import { Section } from "~/components/layout/page";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { Field, FieldGroup } from "~/components/ui/field";
import { Select, TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { formatMoment } from "~/domain/days";
import { FIRST_START, problemsOfTyped, RULE_DAYS } from "~/domain/series/form";
import type { RuleDraft, SeriesDraft } from "~/domain/series/view";
import { instant } from "~/domain/time";
import { type ActionFormState, useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";

const UNITS = [
  { value: "DAILY", label: "Days" },
  { value: "WEEKLY", label: "Weeks" },
  { value: "MONTHLY", label: "Months" },
];
const MONTHLY_RULES = [
  { value: "date", label: "On the same date" },
  { value: "weekday", label: "On the same weekday of the month, such as the second Tuesday" },
  { value: "last", label: "On the last such weekday of the month" },
];
const DAY_NAMES = {
  mo: "Monday",
  tu: "Tuesday",
  we: "Wednesday",
  th: "Thursday",
  fr: "Friday",
  sa: "Saturday",
  su: "Sunday",
} as const;
/** Weeks begin on Monday. */
const MONDAY_FIRST = [...RULE_DAYS.slice(1), ...RULE_DAYS.slice(0, 1)];

export function NewSeries({ draft }: { draft: SeriesDraft }) {
  const { session } = draft;
  const form = useActionForm({ intent: "create", hiddenFields: { session: session.id }, redirects: true });
  return (
    <Section title={`Repeat “${session.title}”`}>
      <RuleForm form={form} draft={draft} previewParams={{ session: session.id }} label="The next dates">
        <SubmitRow form={form} variant="primary" size="lg">
          Make this series
        </SubmitRow>
        <p className="text-sm text-soft">
          Sessions are created 28 days ahead. Each costs 1 token when it is created: your own spot as the
          host.
        </p>
      </RuleForm>
    </Section>
  );
}

/** Changes the rule of a series (G-10). */
export function OtherRule({ draft }: { draft: RuleDraft & { isAsked: boolean } }) {
  const form = useActionForm({ intent: "rule", hiddenFields: { change: "on" }, redirects: true });
  return (
    <details open={draft.isAsked || form.isFailed}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">Change the rule</summary>
      <div className="py-2">
        <RuleForm
          form={form}
          draft={{ ...draft, isStartTyped: draft.isAsked }}
          previewParams={{ change: "on" }}
          label="The new dates"
        >
          <p className="text-sm text-soft">
            Sessions on other days are cancelled, and everybody who paid gets their token back.
          </p>
          <SubmitRow form={form} variant="primary">
            Use this rule
          </SubmitRow>
        </RuleForm>
      </div>
    </details>
  );
}

type RuleFormProps = {
  form: ActionFormState;
  draft: RuleDraft & { isStartTyped: boolean };
  /** The parameters of the page that shows the dates, beside the fields. */
  previewParams: Record<string, string | number>;
  label: string;
  children: ReactNode;
};

function RuleForm({ form, draft, previewParams, label, children }: RuleFormProps) {
  const { typed, startedAt, isStartTyped, preview } = draft;
  const submit = useSubmit();
  const problems = isStartTyped ? problemsOfTyped(typed) : {};
  const field = (name: "interval" | "count" | "until", ownValue: string) => {
    const fieldProps = form.field(name, ownValue);
    return { ...fieldProps, error: fieldProps.error.length > 0 ? fieldProps.error : (problems[name] ?? []) };
  };
  const isChecked = (day: keyof typeof DAY_NAMES) =>
    form.isFailed ? form.shownValue(day) !== "" : typed.days.includes(day);
  const start = form.field("startedAt", typed.startedAt);
  const zone = form.field("timeZone", typed.timeZone);
  const untilField = field("until", typed.until);
  const showDates = (event: MouseEvent<HTMLButtonElement>) => {
    const { form: element } = event.currentTarget;
    if (!element) return;
    event.preventDefault();
    const params = new FormData(element);
    for (const name of [...form.unseen, "series"]) params.delete(name);
    for (const [name, value] of Object.entries(previewParams)) params.set(name, String(value));
    submit(params, { method: "get", preventScrollReset: true });
  };
  return (
    <ActionForm form={form} className="group flex flex-col gap-4">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field
          label="First start"
          error={start.error.length > 0 ? start.error : isStartTyped && startedAt === null ? FIRST_START : []}
        >
          <TextInput type="datetime-local" name="startedAt" defaultValue={start.defaultValue} />
        </Field>
        <Field label="Time zone" hint="The local time stays the same over clock changes." error={zone.error}>
          <TextInput name="timeZone" defaultValue={zone.defaultValue} autoComplete="off" />
        </Field>
        <NumberField
          {...field("interval", typed.interval)}
          label="Repeat every"
          hint="From 1 to 12."
          isWhole
        />
        <Field label="Days, weeks or months">
          <Select name="every" options={UNITS} defaultValue={form.shownValue("every", typed.every)} />
        </Field>
      </div>
      <div className="hidden group-has-[[value=WEEKLY]:checked]:block">
        <FieldGroup legend="On these days">
          <div className="flex flex-wrap gap-x-4">
            {MONDAY_FIRST.map((day) => (
              <Checkbox key={day} name={day} label={DAY_NAMES[day]} defaultChecked={isChecked(day)} />
            ))}
          </div>
        </FieldGroup>
      </div>
      <div className="hidden group-has-[[value=MONTHLY]:checked]:block">
        <Field label="Day of the month">
          <Select
            name="monthly"
            options={MONTHLY_RULES}
            defaultValue={form.shownValue("monthly", typed.monthly)}
          />
        </Field>
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <NumberField
          {...field("count", typed.count)}
          label="Ends after so many sessions"
          hint="Up to 500; empty for no end."
          isWhole
        />
        <Field label="Or ends on" hint="Empty for no end." error={untilField.error}>
          <TextInput type="date" name="until" defaultValue={untilField.defaultValue} />
        </Field>
      </div>
      {/* Without JavaScript the button loads the page with these fields as its parameters. */}
      <Button type="submit" formMethod="get" className="self-start" onClick={showDates}>
        Show the dates
      </Button>
      {form.errorsOf("rule").map((sentence) => (
        <Notice key={sentence} tone="error" isLive>
          {sentence}
        </Notice>
      ))}
      {preview && (
        <div className="flex flex-col gap-2">
          <p className="font-semibold">{preview.ruleText}</p>
          <DateList label={label} dates={preview.dates} timeZone={preview.timeZone} />
        </div>
      )}
      {children}
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

/** A date of a series, in the time zone of the series. */
export function SeriesTime({ at, timeZone }: { at: number; timeZone: string }) {
  const { locale } = useShell();
  return (
    <time dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      {formatMoment(instant(at), { timeZone, locale })}
    </time>
  );
}

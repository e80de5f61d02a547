// The lists of the goal form: checklist lines, timers with their intervals, quick-log buttons. Each row carries the uuid
// of what it changes, so that ticks and logs keep to it.
import { NumberField, SpanField, spanField } from "~/components/my/measure-fields";
import type { TypedForm } from "~/components/my/use-my-form";
import { Field } from "~/components/ui/field";
import { Select, TextInput } from "~/components/ui/inputs";
import {
  type ChecklistItem,
  GOAL_LIMITS,
  type GoalTimer,
  NEW_BUTTON,
  type QuickLogButton,
} from "~/domain/goals";
import { decimalField } from "~/domain/measure-text";
import { FormRows } from "./form-rows";

/** The name of a field, in a form or in a row of one. */
const named = (form: TypedForm, name: string): string => `${form.under ?? ""}${name}`;
const Uuid = ({ name, uuid }: { name: string; uuid: string | undefined }) =>
  uuid === undefined ? null : <input type="hidden" name={`${name}.uuid`} value={uuid} />;

/** Whatever was typed before the page came again stands in for what is kept, without JavaScript. */
function kept<T>(form: TypedForm, name: string, values: readonly T[]): (T | null)[] {
  if (!form.typedAll) return [...values];
  const typed: unknown = form.typedAll[name];
  const rows: unknown[] = Array.isArray(typed) ? typed : [];
  // Those left empty at the end come anew by themselves.
  const count = rows.findLastIndex((row) => row !== undefined) + 1;
  return rows.slice(0, count).map((_, index) => values[index] ?? null);
}

export function ChecklistRows({ items, form }: { items: readonly ChecklistItem[]; form: TypedForm }) {
  return (
    <FormRows values={kept(form, "items", items)} noun="line" addLabel="Add a line" spare={3}>
      {(item, index) => {
        const name = `items[${index}]`;
        return (
          <div className="grid gap-2 sm:grid-cols-[3fr_2fr]">
            <Uuid name={named(form, name)} uuid={item?.uuid} />
            {item?.isChecked && <input type="hidden" name={named(form, `${name}.x`)} value="1" />}
            <Field
              label="What is to be done"
              isLabelHidden={index > 0}
              error={form.errorsOf(`${name}.title`)}
            >
              <TextInput
                name={named(form, `${name}.title`)}
                defaultValue={form.shown(`${name}.title`, item?.title ?? "")}
                maxLength={500}
                autoComplete="off"
              />
            </Field>
            <Field label="Link" isLabelHidden={index > 0} error={form.errorsOf(`${name}.link`)}>
              <TextInput
                name={named(form, `${name}.link`)}
                defaultValue={form.shown(`${name}.link`, item?.link ?? "")}
                inputMode="url"
                autoComplete="off"
                autoCapitalize="none"
              />
            </Field>
          </div>
        );
      }}
    </FormRows>
  );
}

export function TimerRows({ timers, form }: { timers: readonly GoalTimer[]; form: TypedForm }) {
  return (
    <FormRows values={kept(form, "timers", timers)} noun="timer" addLabel="Add a timer">
      {(timer, index) => {
        const name = `timers[${index}]`;
        return (
          <div className="flex flex-col gap-3">
            <Uuid name={named(form, name)} uuid={timer?.uuid} />
            <div className="grid grid-cols-2 gap-3 sm:grid-cols-[2fr_1fr_1fr]">
              <Field label="Timer" className="max-sm:col-span-2" error={form.errorsOf(`${name}.title`)}>
                <TextInput
                  name={named(form, `${name}.title`)}
                  defaultValue={form.shown(`${name}.title`, timer?.title ?? "")}
                  maxLength={GOAL_LIMITS.title}
                  autoComplete="off"
                />
              </Field>
              <SpanField
                name={named(form, `${name}.duration`)}
                label="Duration"
                hint={timer?.isInterval ? "Its intervals decide." : ""}
                defaultValue={form.shown(
                  `${name}.duration`,
                  timer?.isInterval ? "" : spanField(timer?.duration),
                )}
                error={form.errorsOf(`${name}.duration`)}
                placeholder="25m"
              />
              <NumberField
                name={named(form, `${name}.sets`)}
                label="Sets"
                defaultValue={form.shown(`${name}.sets`, String(timer?.sets ?? 1))}
                error={form.errorsOf(`${name}.sets`)}
              />
            </div>
            <details open={timer?.isInterval || form.hasErrorsUnder(`${name}.timers`)}>
              <summary className="min-h-11 cursor-pointer py-2 text-sm font-semibold text-soft">
                Intervals that run in order, for each set
              </summary>
              <IntervalRows timer={name} intervals={timer?.timers ?? []} form={form} />
            </details>
          </div>
        );
      }}
    </FormRows>
  );
}

function IntervalRows({
  timer,
  intervals,
  form,
}: {
  timer: string;
  intervals: GoalTimer["timers"];
  form: TypedForm;
}) {
  return (
    <FormRows values={intervals} noun="interval" addLabel="Add an interval" spare={2}>
      {(interval, index) => {
        const row = `${timer}.timers[${index}]`;
        return (
          <div className="grid grid-cols-[2fr_1fr] gap-2">
            <Field label="Interval" isLabelHidden={index > 0} error={form.errorsOf(`${row}.title`)}>
              <TextInput
                name={named(form, `${row}.title`)}
                defaultValue={form.shown(`${row}.title`, interval?.title ?? "", timer)}
                placeholder={index % 2 === 0 ? "Work" : "Rest"}
                maxLength={GOAL_LIMITS.title}
                autoComplete="off"
              />
            </Field>
            <SpanField
              name={named(form, `${row}.duration`)}
              label="Duration"
              isLabelHidden={index > 0}
              placeholder={index % 2 === 0 ? "25m" : "5m"}
              defaultValue={form.shown(`${row}.duration`, spanField(interval?.duration), timer)}
              error={form.errorsOf(`${row}.duration`)}
            />
          </div>
        );
      }}
    </FormRows>
  );
}

const PRESSED = [
  { value: 1, label: "Starts a timer" },
  { value: 2, label: "Logs it as done" },
  { value: 3, label: "Puts it on the to-do list" },
];

export function ButtonRows({ buttons, form }: { buttons: readonly QuickLogButton[]; form: TypedForm }) {
  return (
    <FormRows values={kept(form, "quick_log_buttons", buttons)} noun="button" addLabel="Add a button">
      {(button, index) => {
        const name = `quick_log_buttons[${index}]`;
        const shown = (field: string, own: string) => form.shown(`${name}.${field}`, own);
        return (
          <div className={`grid grid-cols-2 gap-3 ${form.under ? "" : "sm:grid-cols-4"}`}>
            <Uuid name={named(form, name)} uuid={button?.uuid} />
            {button && <input type="hidden" name={named(form, `${name}.action`)} value={button.action} />}
            {button && <input type="hidden" name={named(form, `${name}.content`)} value={button.content} />}
            <Field label="Button" className="col-span-2" error={form.errorsOf(`${name}.title`)}>
              <TextInput
                name={named(form, `${name}.title`)}
                defaultValue={shown("title", button?.title ?? "")}
                placeholder="One glass"
                maxLength={GOAL_LIMITS.title}
                autoComplete="off"
              />
            </Field>
            <Field label="When pressed" className="col-span-2" error={form.errorsOf(`${name}.status`)}>
              <Select
                name={named(form, `${name}.status`)}
                defaultValue={shown("status", String(button?.status ?? NEW_BUTTON.status))}
                options={PRESSED}
              />
            </Field>
            <NumberField
              name={named(form, `${name}.amount`)}
              label="Amount"
              placeholder="1"
              defaultValue={shown("amount", button ? decimalField(button.amount) : "")}
              error={form.errorsOf(`${name}.amount`)}
            />
            <SpanField
              name={named(form, `${name}.duration`)}
              label="Duration"
              placeholder="30m"
              defaultValue={shown("duration", spanField(button?.duration))}
              error={form.errorsOf(`${name}.duration`)}
            />
            <NumberField
              name={named(form, `${name}.distance`)}
              label="Miles"
              defaultValue={shown("distance", decimalField(button?.distance ?? null))}
              error={form.errorsOf(`${name}.distance`)}
            />
            <NumberField
              name={named(form, `${name}.completions_required`)}
              label="Completions"
              defaultValue={shown("completions_required", String(button?.completionsRequired ?? 1))}
              error={form.errorsOf(`${name}.completions_required`)}
            />
          </div>
        );
      }}
    </FormRows>
  );
}

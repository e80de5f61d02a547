// The lists of the goal form: checklist lines, timers with their intervals, quick-log buttons. Each row contains the
// uuid of its entry, so that ticks and logs still refer to it.
import { NumberField } from "~/components/form/number-field";
import { TextRow } from "~/components/form/rows";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import { type ChecklistItem, GOAL_LIMITS, type GoalTimer, type QuickLogButton } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { decimalField, distanceField } from "~/domain/goals/measure-text";
import { numberField } from "~/domain/numbers";
import type { TypedFields } from "~/hooks/form/typed-fields";
import { useReader } from "~/hooks/use-shell";
import { FormRows } from "./form-rows";
import { SpanField, spanField } from "./span-field";

const Uuid = ({ row, uuid }: { row: TypedFields; uuid: string | undefined }) =>
  uuid === undefined ? null : <input type="hidden" name={row.full("uuid")} value={uuid} />;

/** Without JavaScript, the typed values replace the stored ones after a refused post. */
function typedOrStored<T>(form: TypedFields, name: string, values: readonly T[]): (T | null)[] {
  const typedRows = form.typedRows(name);
  if (!typedRows) return [...values];
  // FormRows adds the empty rows at the end.
  const count = typedRows.findLastIndex((row) => row !== undefined) + 1;
  return typedRows.slice(0, count).map((_, index) => values[index] ?? null);
}

export function ChecklistRows({ items, form }: { items: readonly ChecklistItem[]; form: TypedFields }) {
  return (
    <FormRows values={typedOrStored(form, "items", items)} noun="line" addLabel="Add a line" spare={3}>
      {(item, index) => {
        const row = form.row(`items[${index}].`);
        return (
          <div className="grid gap-2 sm:grid-cols-[3fr_2fr]">
            <Uuid row={row} uuid={item?.uuid} />
            <TextRow
              {...row.field("title", item?.title)}
              label="What is to be done"
              isLabelHidden={index > 0}
              maxLength={500}
            />
            <TextRow
              {...row.field("link", item?.link)}
              label="Link"
              isLabelHidden={index > 0}
              inputMode="url"
              autoCapitalize="none"
            />
          </div>
        );
      }}
    </FormRows>
  );
}

export function TimerRows({ timers, form }: { timers: readonly GoalTimer[]; form: TypedFields }) {
  const { locale } = useReader();
  return (
    <FormRows values={typedOrStored(form, "timers", timers)} noun="timer" addLabel="Add a timer">
      {(timer, index) => {
        const row = form.row(`timers[${index}].`);
        return (
          <div className="flex flex-col gap-3">
            <Uuid row={row} uuid={timer?.uuid} />
            <div className="field-grid grid-cols-2 gap-3 sm:grid-cols-[2fr_1fr_1fr]">
              <TextRow
                {...row.field("title", timer?.title)}
                label="Timer"
                className="max-sm:col-span-2"
                maxLength={GOAL_LIMITS.title}
              />
              <SpanField
                {...row.field("duration", timer?.isInterval ? "" : spanField(timer?.duration))}
                label="Duration"
                hint={timer?.isInterval ? "Its intervals decide." : ""}
                placeholder="25m"
              />
              <NumberField
                {...row.field("sets", numberField(timer?.sets ?? 1, locale))}
                label="Sets"
                isWhole
              />
            </div>
            <details open={timer?.isInterval || row.hasErrorsUnder("timers")}>
              <summary className="min-h-11 cursor-pointer py-2 text-sm font-semibold text-soft">
                Intervals that run in order, for each set
              </summary>
              <IntervalRows
                timerName={form.full(`timers[${index}]`)}
                intervals={timer?.timers ?? []}
                form={row}
              />
            </details>
          </div>
        );
      }}
    </FormRows>
  );
}

type IntervalRowsProps = {
  /**
   * The full field name of the timer. A refused form that has the timer but no intervals was emptied of them, so their
   * stored values do not show.
   */
  timerName: string;
  intervals: GoalTimer["timers"];
  form: TypedFields;
};

function IntervalRows({ timerName, intervals, form }: IntervalRowsProps) {
  return (
    <FormRows values={intervals} noun="interval" addLabel="Add an interval" spare={2}>
      {(interval, index) => {
        const row = form.row(`timers[${index}].`);
        return (
          <div className="grid gap-2 sm:grid-cols-[2fr_1fr]">
            <TextRow
              {...row.field("title", interval?.title, timerName)}
              label="Interval"
              isLabelHidden={index > 0}
              placeholder={index % 2 === 0 ? "Work" : "Rest"}
              maxLength={GOAL_LIMITS.title}
            />
            <SpanField
              {...row.field("duration", spanField(interval?.duration), timerName)}
              label="Duration"
              isLabelHidden={index > 0}
              placeholder={index % 2 === 0 ? "25m" : "5m"}
            />
          </div>
        );
      }}
    </FormRows>
  );
}

const PRESS_OPTIONS = [
  { value: LOG_STATUS.done, label: "Counts at once" },
  { value: LOG_STATUS.active, label: "Starts a timer" },
  { value: LOG_STATUS.paused, label: "Puts it on the to-do list" },
];

type ButtonRowsProps = { buttons: readonly QuickLogButton[]; form: TypedFields; isNarrow: boolean };

export function ButtonRows({ buttons, form, isNarrow }: ButtonRowsProps) {
  const reader = useReader();
  return (
    <FormRows values={typedOrStored(form, "quickLogButtons", buttons)} noun="button" addLabel="Add a button">
      {(button, index) => {
        const row = form.row(`quickLogButtons[${index}].`);
        const { error, ...status } = row.field("status", String(button?.status ?? LOG_STATUS.done));
        return (
          <div className={`field-grid grid-cols-2 gap-3 ${isNarrow ? "" : "sm:grid-cols-4"}`}>
            <Uuid row={row} uuid={button?.uuid} />
            {button && <input type="hidden" name={row.full("action")} value={button.action} />}
            {button && <input type="hidden" name={row.full("content")} value={button.content} />}
            <TextRow
              {...row.field("title", button?.title)}
              label="Button"
              className="col-span-2"
              placeholder="One glass"
              maxLength={GOAL_LIMITS.title}
            />
            <Field label="When pressed" className="col-span-2" error={error}>
              <Select {...status} options={PRESS_OPTIONS} />
            </Field>
            <NumberField
              {...row.field("amount", button ? decimalField(button.amount, reader) : "")}
              label="Amount"
              placeholder="1"
            />
            <SpanField
              {...row.field("duration", spanField(button?.duration))}
              label="Duration"
              placeholder="30m"
            />
            <NumberField
              {...row.field("distance", distanceField(button?.distance ?? null, reader))}
              label={reader.unit === "km" ? "Kilometres" : "Miles"}
            />
            <NumberField
              {...row.field(
                "completionsRequired",
                numberField(button?.completionsRequired ?? 1, reader.locale),
              )}
              label="Times"
              isWhole
            />
          </div>
        );
      }}
    </FormRows>
  );
}

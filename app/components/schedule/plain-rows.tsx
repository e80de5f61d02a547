// The timers of a form without JavaScript: a list of rows, which the server applies.
import { Checkbox } from "~/components/ui/choices";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { formatDuration } from "~/domain/duration-text";
import { partsInOrder, type Schedule } from "~/domain/schedule/shape";

export type TypedRow = { title?: string; duration?: string; isAutoStart?: string } | undefined;

const EMPTY_ROWS = 5;

/** The fields have names such as `rows[0].title`, which scheduleFromRows (domain) reads. */
export function PlainRows({
  schedule,
  typedRows,
}: {
  schedule: Schedule;
  typedRows?: readonly TypedRow[] | undefined;
}) {
  const parts = partsInOrder(schedule);
  const rows = [...parts, ...Array.from({ length: EMPTY_ROWS }, () => null)];
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft">
        Write durations like “1h 30m” or “5m”. Empty rows are ignored, and clearing a row removes its timer.
      </p>
      {rows.map((part, index) => (
        <fieldset
          key={part?.id ?? `new-${index}`}
          className="grid gap-x-3 gap-y-1 sm:grid-cols-[minmax(0,1fr)_9rem_auto]"
        >
          <legend className="sr-only">Timer {index + 1}</legend>
          {part && <input type="hidden" name={`rows[${index}].id`} value={part.id} />}
          <Field label={`Timer ${index + 1}, title`}>
            <TextInput
              name={`rows[${index}].title`}
              defaultValue={typedRows?.[index]?.title ?? part?.title}
              maxLength={200}
            />
          </Field>
          <Field label="Duration">
            <TextInput
              name={`rows[${index}].duration`}
              defaultValue={typedRows?.[index]?.duration ?? (part ? formatDuration(part.duration) : "")}
              readOnly={part ? part.intervals.length > 0 : false}
              placeholder="5m"
            />
          </Field>
          {!part && (
            <Checkbox
              name={`rows[${index}].isAutoStart`}
              label="Starts automatically"
              defaultChecked={typedRows ? typedRows[index]?.isAutoStart !== undefined : true}
              className="self-end"
            />
          )}
        </fieldset>
      ))}
    </div>
  );
}

// The schedule as a form field: a hidden value that the part editor (a chunk of its own) sets, and without JavaScript a
// list of rows that the server applies.
import { lazy, Suspense, useEffect, useState } from "react";
import { Field, FieldErrors, sentencesOf } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Skeleton } from "~/components/ui/skeleton";
import { formatDuration } from "~/domain/duration-text";
import type { ScheduleProblem } from "~/domain/schedule-problems";
import { partsInOrder, type Schedule } from "~/domain/schedule-shape";
import type { Seconds } from "~/domain/time";
import { Checkbox } from "../ui/choices";
import type { EditorPlan } from "./editor-state";

const PartEditor = lazy(() => import("./part-editor"));
const EMPTY_ROWS = 5;

export type ScheduleFieldProps = {
  /** The hidden field's name. */
  name?: string;
  defaultValue: Schedule;
  plan: EditorPlan;
  onChange?: (schedule: Schedule, length: Seconds, problems: readonly ScheduleProblem[]) => void;
  error?: string[] | undefined;
  /** Without JavaScript: the typed rows of a refused form. */
  typedRows?: readonly unknown[] | undefined;
};

type TypedRow = { title?: string; duration?: string; isAutoStart?: string } | undefined;

export function ScheduleField({
  name = "schedule",
  defaultValue,
  plan,
  onChange,
  error,
  typedRows,
}: ScheduleFieldProps) {
  const [schedule, setSchedule] = useState(defaultValue);
  const [isAlive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  // Takes the focus when the schedule as a whole is invalid.
  const wrong = sentencesOf(error).length > 0 ? { tabIndex: -1, "data-wrong": true } : {};
  return (
    <div className="flex flex-col gap-3" {...wrong}>
      <input type="hidden" name={name} value={JSON.stringify(schedule)} />
      {isAlive ? (
        <Suspense fallback={<Waiting />}>
          <PartEditor
            initial={defaultValue}
            plan={plan}
            onChange={(next, length, problems) => {
              setSchedule(next);
              onChange?.(next, length, problems);
            }}
          />
        </Suspense>
      ) : (
        <Waiting />
      )}
      <noscript>
        <PlainRows schedule={defaultValue} typed={typedRows as readonly TypedRow[] | undefined} />
      </noscript>
      <FieldErrors error={error} />
    </div>
  );
}

const Waiting = () => (
  <div className="needs-script flex min-h-40 flex-col gap-3" aria-hidden="true">
    <Skeleton className="h-6 w-48" />
    <Skeleton className="h-24 w-full" />
  </div>
);

/** Named `rows[0].title` and so on; scheduleFromRows (domain) reads them. */
function PlainRows({ schedule, typed }: { schedule: Schedule; typed?: readonly TypedRow[] | undefined }) {
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
              defaultValue={typed?.[index]?.title ?? part?.title}
              maxLength={200}
            />
          </Field>
          <Field label="Duration">
            <TextInput
              name={`rows[${index}].duration`}
              defaultValue={typed?.[index]?.duration ?? (part ? formatDuration(part.duration) : "")}
              readOnly={part ? part.intervals.length > 0 : false}
              placeholder="5m"
            />
          </Field>
          {!part && (
            <Checkbox
              name={`rows[${index}].isAutoStart`}
              label="Starts automatically"
              defaultChecked={typed ? typed[index]?.isAutoStart !== undefined : true}
              className="self-end"
            />
          )}
        </fieldset>
      ))}
    </div>
  );
}

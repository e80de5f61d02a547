// The intervals of an interval timer, which run in order, several times (T-14).
import { useState } from "react";
import { DurationInput } from "~/components/form/duration-input";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { formatDuration } from "~/domain/duration-text";
import { keepNumber, NUMBER_LENGTH, numberField, numberText, readNumber } from "~/domain/numbers";
import { type Interval, intervalsDuration, type Part, SCHEDULE_LIMITS } from "~/domain/schedule/shape";
import { seconds } from "~/domain/time";
import { useReader } from "~/hooks/use-shell";
import { newId, usePartEditor } from "./editor-context";

const DEFAULT_INTERVALS: readonly [string, number][] = [
  ["Work", 40],
  ["Rest", 20],
];

export function IntervalFields({ part }: { part: Part }) {
  const { dispatch } = usePartEditor();
  const setIntervals = (intervals: Interval[], sets = part.sets) =>
    dispatch({ type: "set-intervals", partId: part.id, intervals, sets });
  const { intervals } = part;

  if (intervals.length === 0)
    return (
      <Button
        className="self-start"
        onClick={() =>
          setIntervals(
            DEFAULT_INTERVALS.map(([title, span]) => ({ id: newId(), title, duration: seconds(span) })),
          )
        }
      >
        <Icon name="repeat" />
        Make it an interval timer
      </Button>
    );

  const changeInterval = (index: number, changes: Partial<Interval>) =>
    setIntervals(
      intervals.map((interval, otherIndex) =>
        otherIndex === index ? { ...interval, ...changes } : interval,
      ),
    );
  const moveInterval = (index: number, by: -1 | 1) => {
    const interval = intervals[index];
    if (interval) setIntervals(intervals.toSpliced(index, 1).toSpliced(index + by, 0, interval));
  };
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3">
      <legend className="px-1 font-semibold">Intervals</legend>
      <ol className="flex flex-col gap-3">
        {intervals.map((interval, index) => {
          const name = `Interval ${index + 1}`;
          return (
            <li
              key={interval.id}
              className="grid grid-cols-[minmax(0,1fr)_6rem] gap-x-2 gap-y-1 sm:grid-cols-[minmax(0,1fr)_7rem_auto]"
            >
              <Field label={`${name}, title`} isLabelHidden>
                <TextInput
                  value={interval.title}
                  maxLength={SCHEDULE_LIMITS.title}
                  placeholder={name}
                  onChange={(event) => changeInterval(index, { title: event.target.value })}
                />
              </Field>
              <DurationInput
                label={`${name}, duration`}
                isLabelHidden
                hasPresets={false}
                value={interval.duration}
                onChange={(span) => changeInterval(index, { duration: seconds(span ?? 0) })}
              />
              <div className="col-span-2 flex justify-end sm:col-span-1">
                <Button
                  size="icon"
                  variant="ghost"
                  aria-label={`Move ${name} up`}
                  disabled={index === 0}
                  onClick={() => moveInterval(index, -1)}
                >
                  <Icon name="arrow-up" />
                </Button>
                <Button
                  size="icon"
                  variant="ghost"
                  aria-label={`Move ${name} down`}
                  disabled={index === intervals.length - 1}
                  onClick={() => moveInterval(index, 1)}
                >
                  <Icon name="arrow-down" />
                </Button>
                <Button
                  size="icon"
                  variant="ghost"
                  aria-label={`Remove ${name}`}
                  onClick={() => setIntervals(intervals.toSpliced(index, 1))}
                >
                  <Icon name="delete" />
                </Button>
              </div>
            </li>
          );
        })}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          disabled={intervals.length >= SCHEDULE_LIMITS.intervals}
          onClick={() =>
            setIntervals([
              ...intervals,
              { id: newId(), title: "", duration: intervals.at(-1)?.duration ?? seconds(30) },
            ])
          }
        >
          <Icon name="plus" />
          Add an interval
        </Button>
        <SetsField value={part.sets} onChange={(sets) => setIntervals(intervals, sets)} />
        <p className="tabular self-center text-sm text-soft">
          {formatDuration(intervalsDuration(intervals, 1))} × {part.sets} ={" "}
          <strong className="text-ink">{formatDuration(part.duration)}</strong>
        </p>
      </div>
    </fieldset>
  );
}

/** The number of repeats. A number outside the limits changes nothing, and the field says so. */
export function SetsField({ value, onChange }: { value: number; onChange: (sets: number) => void }) {
  const { locale } = useReader();
  const [text, setText] = useState<string | null>(null);
  const parsed = text === null ? value : readNumber(text, locale);
  const isAllowed = (sets: number | null): sets is number =>
    sets !== null && Number.isInteger(sets) && sets >= 1 && sets <= SCHEDULE_LIMITS.sets;
  return (
    <Field
      label="Sets"
      className="w-28"
      hint={text !== null && isAllowed(parsed) ? `Read as ${numberText(parsed, locale)}.` : ""}
      error={isAllowed(parsed) ? "" : `Please give a whole number from 1 to ${SCHEDULE_LIMITS.sets}.`}
    >
      <TextInput
        inputMode="numeric"
        autoComplete="off"
        className="tabular"
        maxLength={NUMBER_LENGTH}
        value={text ?? numberField(value, locale)}
        onChange={(event) => {
          const typedText = keepNumber(event.target.value);
          setText(typedText);
          const sets = readNumber(typedText, locale);
          if (isAllowed(sets)) onChange(sets);
        }}
        onBlur={() => {
          if (isAllowed(parsed)) setText(null);
        }}
      />
    </Field>
  );
}

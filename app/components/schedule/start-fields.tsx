// The start and end of a part: relative to the previous part, or at a date (T-02 to T-07).

import { DateTimeInput } from "~/components/form/date-time-input";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import {
  AFTER_PREVIOUS,
  type PartPlace,
  type RelativeStart,
  START_OF,
  type StartOf,
  TIME_FROM,
  type TimeFrom,
} from "~/domain/schedule/shape";
import { plusSeconds } from "~/domain/time";
import { Button } from "../ui/button";
import { usePartEditor } from "./editor-context";

const START_LABELS: Record<StartOf, string> = {
  "after-previous-ends": "After the previous event ends",
  "before-previous-ends": "Before the previous event ends",
  "after-previous-starts": "After the previous event starts",
};
const OFFSET_LABELS: Record<TimeFrom, string> = {
  0: "Immediately",
  300: "5 minutes",
  1800: "30 minutes",
  3600: "1 hour",
  86400: "1 day",
};
const AT_DATE = "at-date";
const NO_DATE = "no-date";

export function StartFields({ place }: { place: PartPlace }) {
  const { state, dispatch, timeZone } = usePartEditor();
  const { part, group, index } = place;
  const { plan } = state;
  const followsPrevious = group.isLinked && index > 0;
  if (followsPrevious && !part.isUndated)
    return (
      <div className="flex flex-col gap-3">
        <p className="text-sm text-soft">Linked: starts when the timer before it ends.</p>
        {part.startedAt !== null && <EndField place={place} />}
      </div>
    );

  const rule = part.relativeStart;
  const value =
    part.isUndated || (rule === null && part.startedAt === null) ? NO_DATE : (rule?.startOf ?? AT_DATE);
  const chooseStart = (option: string) => {
    const partId = part.id;
    if (option === NO_DATE) return dispatch({ type: "clear-start", partId });
    if (option === AT_DATE) {
      const at = part.startedAt ?? (plan.sessionStart === null ? null : plusSeconds(plan.sessionStart, 0));
      return at === null
        ? dispatch({ type: "set-relative-start", partId, relativeStart: null })
        : dispatch({ type: "set-start", partId, at });
    }
    const startOf = START_OF.find((point) => point === option) ?? "after-previous-ends";
    return dispatch({
      type: "set-relative-start",
      partId,
      relativeStart: { startOf, timeFrom: rule?.timeFrom ?? 0 },
    });
  };
  const setRule = (change: Partial<RelativeStart>) =>
    dispatch({
      type: "set-relative-start",
      partId: part.id,
      relativeStart: { ...(rule ?? AFTER_PREVIOUS), ...change },
    });
  const isFirst = place.number === 1;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Starts">
        <Select value={value} onChange={(event) => chooseStart(event.target.value)}>
          {START_OF.map((point) => (
            <option
              key={point}
              value={point}
              disabled={point === "before-previous-ends" && (group.isLinked || isFirst)}
            >
              {isFirst
                ? START_LABELS[point]
                    .replace("the previous event", "the session")
                    .replace("session ends", "session starts")
                : START_LABELS[point]}
            </option>
          ))}
          {!plan.isManuallyStarted && <option value={AT_DATE}>At a date and time</option>}
          {!plan.isManuallyStarted && <option value={NO_DATE}>No date yet</option>}
        </Select>
      </Field>
      {rule && !part.isUndated && (
        <Field label="By how much">
          <Select
            value={rule.timeFrom}
            onChange={(event) => {
              const timeFrom = TIME_FROM.find((option) => option === Number(event.target.value));
              if (timeFrom !== undefined) setRule({ timeFrom });
            }}
            options={TIME_FROM.map((option) => ({ value: option, label: OFFSET_LABELS[option] }))}
          />
        </Field>
      )}
      {value === AT_DATE && (
        <Field label="Start" hint={`In ${timeZone.replaceAll("_", " ")}`}>
          <DateTimeInput
            value={part.startedAt}
            timeZone={timeZone}
            onChange={(at) => {
              if (at !== null) dispatch({ type: "set-start", partId: part.id, at });
            }}
            onClear={() => dispatch({ type: "clear-start", partId: part.id })}
          />
        </Field>
      )}
      {part.startedAt !== null && <EndField place={place} />}
      {value === NO_DATE && (
        <div className="flex flex-col gap-1 text-sm text-soft sm:col-span-2">
          <p>It starts when the host starts it.</p>
          {!plan.isManuallyStarted && (
            <Field label="Or set a start">
              <DateTimeInput
                value={null}
                timeZone={timeZone}
                onChange={(at) => {
                  if (at !== null) dispatch({ type: "set-start", partId: part.id, at });
                }}
              />
            </Field>
          )}
        </div>
      )}
    </div>
  );
}

/** Changing the end sets the duration (T-05). */
function EndField({ place: { part } }: { place: PartPlace }) {
  const { dispatch, timeZone } = usePartEditor();
  if (part.intervals.length > 0) return null;
  return (
    <Field label="End" hint="Changes the duration.">
      <div className="flex gap-2">
        <DateTimeInput
          value={part.endedAt}
          min={part.startedAt}
          timeZone={timeZone}
          onChange={(at) => {
            if (at !== null) dispatch({ type: "set-end", partId: part.id, at });
          }}
        />
        <Button
          variant="ghost"
          className="shrink-0"
          onClick={() => dispatch({ type: "clear-start", partId: part.id })}
        >
          Clear dates
        </Button>
      </div>
    </Field>
  );
}

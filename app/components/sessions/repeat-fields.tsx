// The sentence "Repeats …" of a new session: how often, until when, the next dates and the cost (R-86).
import clsx from "clsx";
import { useState } from "react";
import { FieldErrors } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import { Time } from "~/components/ui/time";
import { weekdayName } from "~/domain/days";
import { countAhead, REPEAT_COUNTS, REPEATS, type Repeat, startsOf } from "~/domain/series/repeat";
import { type Instant, instant } from "~/domain/time";
import { useHydrated } from "~/hooks/use-hydrated";
import { useShell } from "~/hooks/use-shell";

const MAX_SHOWN_DATES = 4;
const DAYS_AHEAD = 28;

type Props = {
  startedAt: Instant | null;
  /** While it says "never", it takes a third of the row beside other fields. */
  isBeside: boolean;
  fieldValue: (name: string) => string;
  errors: string[];
  onChange: () => void;
};

export function RepeatFields({ startedAt, isBeside, fieldValue, errors, onChange }: Props) {
  const { timeZone, now } = useShell();
  const isHydrated = useHydrated();
  const [every, setEvery] = useState(fieldValue("repeatEvery"));
  const [repeatCount, setRepeatCount] = useState(fieldValue("repeatCount"));
  const repeat = REPEATS.find((option) => option === every) ?? null;
  const count = repeatCount === "" ? null : Number(repeatCount);
  const isDated = isHydrated && repeat !== null && startedAt !== null;
  const dates = isDated
    ? startsOf(repeat, startedAt, timeZone, Math.min(count ?? MAX_SHOWN_DATES, MAX_SHOWN_DATES))
    : [];
  const sessionsAtOnce = isDated
    ? countAhead(repeat, startedAt, timeZone, { now: instant(now), count, days: DAYS_AHEAD })
    : null;
  return (
    <div
      className={clsx(
        "group/repeat col-span-full flex flex-col gap-2",
        isBeside && "sm:has-[[name=repeatEvery]>[value='']:checked]:col-span-1",
      )}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">Repeats</span>
        <Select
          name="repeatEvery"
          aria-label="Repeats"
          className="w-auto! max-w-full"
          options={[
            { value: "", label: "never" },
            ...REPEATS.map((option) => ({
              value: option,
              label: repeatText(option, isHydrated ? startedAt : null, timeZone),
            })),
          ]}
          value={every}
          onChange={(event) => {
            setEvery(event.target.value);
            onChange();
          }}
        />
        {isDated && (
          <span>
            at <Time at={startedAt} look="time" />
          </span>
        )}
        <Select
          name="repeatCount"
          aria-label="Until"
          className="w-auto! max-w-full group-has-[[name=repeatEvery]>[value='']:checked]/repeat:hidden"
          options={[
            { value: "", label: "until I stop" },
            ...REPEAT_COUNTS.map((times) => ({ value: String(times), label: `for ${times} sessions` })),
          ]}
          value={repeatCount}
          onChange={(event) => {
            setRepeatCount(event.target.value);
            onChange();
          }}
        />
      </p>
      {errors.length > 0 && <FieldErrors id="repeat-error" error={errors} />}
      {dates.length > 0 && (
        <ul aria-label="The next dates" className="flex flex-wrap gap-2">
          {dates.map((at) => (
            <li key={at} className="tabular rounded-full bg-sunken px-3 py-1 text-sm">
              <Time at={at} look="weekday" />
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-soft group-has-[[name=repeatEvery]>[value='']:checked]/repeat:hidden">
        {sessionsAtOnce === null
          ? `Each session costs 1 token: your own spot as the host. Those of the next ${DAYS_AHEAD} days are made at once.`
          : `Costs ${sessionsAtOnce === 1 ? "1 token" : `${sessionsAtOnce} tokens`} now, for the sessions of the next ${DAYS_AHEAD} days${count === sessionsAtOnce ? "" : ", and 1 for each later one"}.`}
      </p>
    </div>
  );
}

const REPEAT_TEXTS: Record<Repeat, string> = {
  week: "every week",
  fortnight: "every other week",
  day: "every day",
  weekdays: "from Monday to Friday",
  month: "every month on this date",
};

/** With the weekday of a known start: "every Thursday". */
function repeatText(repeat: Repeat, startedAt: Instant | null, timeZone: string): string {
  if (startedAt === null || (repeat !== "week" && repeat !== "fortnight")) return REPEAT_TEXTS[repeat];
  return `every ${repeat === "week" ? "" : "other "}${weekdayName(startedAt, timeZone)}`;
}

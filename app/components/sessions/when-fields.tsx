// The start and length of a session: at a date in the user's time zone, or when the host starts it (T-10).
import clsx from "clsx";
import { DateTimeInput, zoneName } from "~/components/form/date-time-input";
import { DurationInput } from "~/components/form/duration-input";
import { Button } from "~/components/ui/button";
import { Radio } from "~/components/ui/choices";
import { Field, FieldGroup } from "~/components/ui/field";
import { Time } from "~/components/ui/time";
import { roundUpToHour } from "~/domain/date-text";
import { formatDuration } from "~/domain/duration-text";
import { type Instant, instant } from "~/domain/time";
import { useHydrated } from "~/hooks/use-hydrated";
import { useShell } from "~/hooks/use-shell";

export type When = { isManual: boolean; startedAt: Instant | null; duration: number | null };

type WhenFieldsProps = {
  when: When;
  /** The typed duration, readable or not. */
  typedDuration: string;
  onChange: (change: Partial<When>) => void;
  timersLength: number;
  /** The duration then follows the timers, and needs no presets. */
  hasTimers: boolean;
  errorsOf: (name: string) => string[];
  /** The start of a started session is fixed. */
  hasStarted: boolean;
};

export function WhenFields(props: WhenFieldsProps) {
  const { when, typedDuration, onChange, timersLength, hasTimers, errorsOf, hasStarted } = props;
  const { timeZone, locale, now } = useShell();
  const isHydrated = useHydrated();
  const { isManual, startedAt, duration } = when;
  return (
    <>
      <input type="hidden" name="timeZone" value={timeZone} />
      {hasStarted && startedAt !== null && (
        <p className="col-span-full">
          Started <Time at={startedAt} look="full" />. The start cannot be changed any more.
        </p>
      )}
      {!hasStarted && (
        <div className="col-span-full">
          <FieldGroup legend="Start" isLabelHidden>
            <div className="flex flex-wrap gap-x-6">
              <Radio
                name="startMode"
                value="date"
                label="At a date and time"
                checked={!isManual}
                onChange={() =>
                  onChange({ isManual: false, startedAt: startedAt ?? roundUpToHour(instant(now), timeZone) })
                }
              />
              <Radio
                name="startMode"
                value="manual"
                label="When the host starts it"
                checked={isManual}
                onChange={() => onChange({ isManual: true })}
              />
            </div>
          </FieldGroup>
        </div>
      )}
      {!hasStarted && (
        <Field
          label="Start date"
          hint={`In ${zoneName(timeZone, now, locale)}.${isManual ? " There is no date with a manual start." : ""}`}
          error={errorsOf("startedAt")}
          className="col-span-full min-[22rem]:max-sm:col-span-4 sm:col-span-1"
        >
          <DateTimeInput
            name="startedAt"
            value={isManual && isHydrated ? null : startedAt}
            timeZone={timeZone}
            isDisabled={isManual && isHydrated}
            onChange={(at) => onChange({ startedAt: at })}
          />
        </Field>
      )}
      <div
        className={clsx(
          "flex flex-col gap-1",
          hasTimers ? "max-[22rem]:col-span-full col-span-2 sm:col-span-1" : "col-span-full sm:col-span-2",
        )}
      >
        <DurationInput
          name="duration"
          label="Duration"
          value={duration}
          refusedText={typedDuration}
          isDisabled={hasStarted}
          hasPresets={!hasTimers}
          error={errorsOf("duration")}
          hint={timersLength > 0 ? `Timers: ${formatDuration(timersLength)}.` : "From 5 minutes to 1 month."}
          onChange={(seconds) => onChange({ duration: seconds })}
        />
        {!hasStarted && timersLength > 0 && duration !== timersLength && (
          <Button
            variant="ghost"
            className="needs-script self-start"
            onClick={() => onChange({ duration: Math.max(300, timersLength) })}
          >
            As long as the timers
          </Button>
        )}
      </div>
    </>
  );
}

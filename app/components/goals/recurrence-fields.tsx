// The recurrence of a goal: three plain fields that make one value.
import { Checkbox } from "~/components/ui/choices";
import { Field, FieldGroup } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import type { Recurrence } from "~/domain/goals/goals";
import { WEEKDAYS } from "~/domain/goals/recurrence";
import type { TypedFields } from "~/hooks/form/typed-fields";
import { useFieldValue } from "~/hooks/form/use-field-value";
import { useHydrated } from "~/hooks/use-hydrated";

/** Weeks begin on Monday. */
const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 0];

export function RecurrenceFields({ recurrence, form }: { recurrence: Recurrence | null; form: TypedFields }) {
  const isHydrated = useHydrated();
  const kindField = useFieldValue(form.shownValue("every", recurrence?.every ?? ""));
  // Without JavaScript all fields are shown; only those of the chosen kind count.
  const shows = (kind: string) => !isHydrated || kindField.value === kind;
  const weekdays = form.checkedValues(
    "weekdays",
    recurrence?.every === "weekdays" ? recurrence.weekdays.map(String) : [],
  );
  return (
    <>
      <Field
        label="Starts over"
        hint="At midnight in your time zone. A missed day uses up a freeze instead of ending your streak, and you earn new freezes."
        error={form.errorsOf("recurrence")}
      >
        <Select
          name={form.full("every")}
          defaultValue={kindField.value}
          {...kindField.props}
          options={[
            { value: "", label: "Never, once is enough" },
            { value: "day", label: "Every day" },
            { value: "weekdays", label: "On chosen days of the week" },
            { value: "week", label: "A number of times a week" },
          ]}
        />
      </Field>
      {shows("weekdays") && (
        <FieldGroup legend="On these days" error={form.errorsOf("recurrence.weekdays")}>
          <div className="flex flex-wrap gap-x-5">
            {MONDAY_FIRST.map((day) => (
              <Checkbox
                key={day}
                name={form.full("weekdays")}
                value={day}
                label={WEEKDAYS[day]}
                defaultChecked={weekdays.includes(String(day))}
              />
            ))}
          </div>
        </FieldGroup>
      )}
      {shows("week") && (
        <Field label="Times a week" error={form.errorsOf("recurrence.times")}>
          <Select
            name={form.full("times")}
            defaultValue={form.shownValue(
              "times",
              String(recurrence?.every === "week" ? recurrence.times : 3),
            )}
            options={[1, 2, 3, 4, 5, 6, 7].map((value) => ({ value, label: String(value) }))}
          />
        </Field>
      )}
    </>
  );
}

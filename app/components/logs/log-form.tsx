// Logs by hand, and editing one: what was done, how much, how long, when.
import { Fold } from "~/components/goals/form-rows";
import { CancelEdit } from "~/components/my/cancel-edit";
import { NumberField, SpanField, spanField } from "~/components/my/measure-fields";
import { MyFormProblems, useMyForm } from "~/components/my/use-my-form";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Select, TextArea, TextInput } from "~/components/ui/inputs";
import type { Day } from "~/domain/days";
import type { Goal } from "~/domain/goals";
import { LOG_STATUS, type LogShown } from "~/domain/logs";
import { decimalField } from "~/domain/measure-text";
import { SECOND } from "~/domain/time";

type NewProps = {
  goal: Pick<Goal, "id" | "unit" | "action">;
  today: Day;
  /** Of the log to be made: sending the form twice makes one. */
  newUuid: string;
  onDone?: () => void;
};

export function LogByHand({ goal, today, newUuid, onDone }: NewProps) {
  const form = useMyForm("log.create", {
    about: { goal: goal.id },
    uuid: newUuid,
    isClearedWhenDone: true,
    ...(onDone ? { onDone } : {}),
  });
  return (
    <Fold title="Log by hand" isOpen={form.isFailed}>
      <form.Form {...form.formProps} className="flex flex-col gap-4" aria-label="Log by hand">
        {form.hidden}
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
          <NumberField
            name="amount"
            label={goal.unit ? `Amount (${goal.unit})` : "Amount"}
            defaultValue={form.shown("amount", "")}
            placeholder="1"
            error={form.errorsOf("amount")}
          />
          <SpanField
            name="duration"
            label="Duration"
            defaultValue={form.shown("duration", "")}
            error={form.errorsOf("duration")}
          />
          <NumberField
            name="distance"
            label="Distance (miles)"
            defaultValue={form.shown("distance", "")}
            error={form.errorsOf("distance")}
          />
          <Field label="Day" error={form.errorsOf("day")}>
            <TextInput type="date" name="day" max={today} defaultValue={form.shown("day", today)} />
          </Field>
          <Field label="Status">
            <Select
              name="status"
              defaultValue={form.shown("status", String(LOG_STATUS.done))}
              options={[
                { value: LOG_STATUS.done, label: "Done" },
                { value: LOG_STATUS.paused, label: "To do" },
              ]}
            />
          </Field>
        </div>
        <Field label="Title" error={form.errorsOf("title")}>
          <TextInput name="title" defaultValue={form.shown("title", "")} maxLength={200} autoComplete="off" />
        </Field>
        <Field label="How did it go?" error={form.errorsOf("content")}>
          <TextArea name="content" rows={2} defaultValue={form.shown("content", "")} />
        </Field>
        <MyFormProblems form={form} />
        <Button type="submit" variant="primary" className="self-start" isLoading={form.isBusy}>
          Log it
        </Button>
      </form.Form>
    </Fold>
  );
}

type EditProps = { log: LogShown; takesFocus: boolean; onDone: () => void; onCancel: () => void };

export function LogEditForm({ log, takesFocus, onDone, onCancel }: EditProps) {
  const form = useMyForm("log.update", { about: { log: log.id }, takesFocus, onDone });
  const rests = log.isTimed && (log.status === LOG_STATUS.done || log.status === LOG_STATUS.stopped);
  const span = rests ? Math.round(log.elapsedDuration / SECOND) : log.duration;
  return (
    <form.Form {...form.formProps} className="flex flex-col gap-4" aria-label="Edit log">
      {form.hidden}
      <Field label="Title" error={form.errorsOf("title")}>
        <TextInput
          name="title"
          defaultValue={form.shown("title", log.title)}
          maxLength={200}
          autoComplete="off"
        />
      </Field>
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <NumberField
          name="amount"
          label="Amount"
          defaultValue={form.shown("amount", decimalField(log.amount))}
          error={form.errorsOf("amount")}
        />
        <SpanField
          name="duration"
          label={log.isTimed && !rests ? "Planned duration" : "Duration"}
          hint={rests ? "Replaces what was measured." : ""}
          defaultValue={form.shown("duration", spanField(span))}
          error={form.errorsOf("duration")}
        />
        <NumberField
          name="distance"
          label="Distance (miles)"
          defaultValue={form.shown("distance", decimalField(log.distance))}
          error={form.errorsOf("distance")}
        />
      </div>
      <Field label="How did it go?" error={form.errorsOf("content")}>
        <TextArea name="content" rows={2} defaultValue={form.shown("content", log.content)} />
      </Field>
      <MyFormProblems form={form} />
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          Save
        </Button>
        <CancelEdit onCancel={onCancel} />
      </div>
    </form.Form>
  );
}

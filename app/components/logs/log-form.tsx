// The forms for a manual log and for editing a log.
import { MarkdownAreaRow } from "~/components/editor/formatting-end";
import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Fold } from "~/components/goals/form-rows";
import { CancelEdit } from "~/components/my/cancel-edit";
import { NumberField, SpanField, spanField } from "~/components/my/measure-fields";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import type { Day } from "~/domain/days";
import type { Goal } from "~/domain/goals";
import { LOG_STATUS } from "~/domain/log-state";
import type { LogShown } from "~/domain/logs";
import { decimalField } from "~/domain/measure-text";
import { SECOND } from "~/domain/time";
import { useActionForm } from "~/hooks/use-action-form";

type NewProps = {
  goal: Pick<Goal, "id" | "unit" | "action">;
  today: Day;
  /** The uuid of a new log, so that a repeated submit creates one. */
  newUuid: string;
  onDone?: () => void;
};

export function LogByHand({ goal, today, newUuid, onDone }: NewProps) {
  const form = useActionForm({
    intent: "log.create",
    about: { goal: goal.id },
    uuid: newUuid,
    clearsWhenDone: true,
    ...(onDone ? { onDone } : {}),
  });
  return (
    <Fold title="Log by hand" isOpen={form.isFailed}>
      <ActionForm form={form} className="flex flex-col gap-4" aria-label="Log by hand">
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
          <NumberField
            {...form.field("amount")}
            label={goal.unit ? `Amount (${goal.unit})` : "Amount"}
            placeholder="1"
          />
          <SpanField {...form.field("duration")} label="Duration" />
          <NumberField {...form.field("distance")} label="Distance (miles)" />
          <TextRow {...form.field("day", today)} label="Day" type="date" max={today} />
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
        <TextRow {...form.field("title")} label="Title" maxLength={200} />
        <MarkdownAreaRow {...form.field("content")} label="How did it go?" rows={2} />
        <SubmitRow form={form} variant="primary">
          Log it
        </SubmitRow>
      </ActionForm>
    </Fold>
  );
}

type EditProps = { log: LogShown; takesFocus: boolean; onDone: () => void; onCancel: () => void };

export function LogEditForm({ log, takesFocus, onDone, onCancel }: EditProps) {
  const form = useActionForm({ intent: "log.update", about: { log: log.id }, takesFocus, onDone });
  const rests = log.isTimed && (log.status === LOG_STATUS.done || log.status === LOG_STATUS.stopped);
  const span = rests ? Math.round(log.elapsedDuration / SECOND) : log.duration;
  return (
    <ActionForm form={form} className="flex flex-col gap-4" aria-label="Edit log">
      <TextRow {...form.field("title", log.title)} label="Title" maxLength={200} />
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <NumberField {...form.field("amount", decimalField(log.amount))} label="Amount" />
        <SpanField
          {...form.field("duration", spanField(span))}
          label={log.isTimed && !rests ? "Planned duration" : "Duration"}
          hint={rests ? "Replaces the measured time." : ""}
        />
        <NumberField {...form.field("distance", decimalField(log.distance))} label="Distance (miles)" />
      </div>
      <MarkdownAreaRow {...form.field("content", log.content)} label="How did it go?" rows={2} />
      <FormErrors form={form} />
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          Save
        </Button>
        <CancelEdit onCancel={onCancel} />
      </div>
    </ActionForm>
  );
}

// The form for a manual log.

import { MarkdownAreaRow } from "~/components/editor/formatting-end";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { NumberField } from "~/components/form/number-field";
import { TextRow } from "~/components/form/rows";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import type { Day } from "~/domain/days";
import type { Goal } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { distanceLabel } from "~/domain/goals/measure-text";
import { toast } from "~/hooks/toasts";
import { useActionForm } from "~/hooks/use-action-form";
import { useReader } from "~/hooks/use-shell";
import { Fold } from "./form-rows";
import { SpanField } from "./span-field";

type NewProps = {
  goal: Pick<Goal, "id" | "unit" | "action">;
  today: Day;
  /** The uuid of a new log, so that a repeated submit creates one. */
  newUuid: string;
  onDone?: () => void;
};

export function LogByHand({ goal, today, newUuid, onDone }: NewProps) {
  const reader = useReader();
  const form = useActionForm({
    intent: "log.create",
    about: { goal: goal.id },
    uuid: newUuid,
    draft: `log by hand ${goal.id}`,
    clearsWhenDone: true,
    onSuccess: (result, sentence) => toast.logged((result as { log: { id: number } }).log.id, sentence ?? ""),
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
          <NumberField {...form.field("distance")} label={distanceLabel(reader)} />
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

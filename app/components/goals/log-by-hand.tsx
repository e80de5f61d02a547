// The form for a manual log. Without a network, a log that is done waits in the outbox (W-05).

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
import { useActionForm } from "~/hooks/form/use-action-form";
import { queueForm } from "~/hooks/outbox/form";
import { toast } from "~/hooks/toasts";
import { useReader } from "~/hooks/use-shell";
import { Fold } from "./fold";
import { queuedLogOf } from "./queued-log";
import { SpanField } from "./span-field";

type Props = {
  goal: Pick<Goal, "id" | "unit" | "action" | "title">;
  today: Day;
  /** The uuid of a new log, so that a repeated submit creates one. */
  newUuid: string;
  onDone?: () => void;
};

export function LogByHand({ goal, today, newUuid, onDone }: Props) {
  const reader = useReader();
  const form = useActionForm({
    handleHere: () => queueForm(form.element.current, queuedLogOf(goal, today, reader), onDone),
    intent: "log.create",
    hiddenFields: { goal: goal.id },
    uuid: newUuid,
    draft: `log by hand ${goal.id}`,
    clearsWhenDone: true,
    onSuccess: (result, sentence) => toast.logged((result as { log: { id: number } }).log.id, sentence ?? ""),
    ...(onDone ? { onDone } : {}),
  });
  return (
    <Fold title="Log by hand" isOpen={form.isFailed}>
      <ActionForm form={form} className="flex flex-col gap-4" aria-label="Log by hand">
        <div className="field-grid grid-cols-2 gap-4 sm:grid-cols-3">
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
              defaultValue={form.shownValue("status", String(LOG_STATUS.done))}
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

// The form that logs progress by hand in a session: amount, duration, distance, a comment.

import { ActionForm, FormErrors } from "~/components/form/action-form";
import { NumberField } from "~/components/form/number-field";
import { TextRow } from "~/components/form/rows";
import { SpanField } from "~/components/goals/span-field";
import { Button } from "~/components/ui/button";
import type { Goal } from "~/domain/goals/goals";
import { distanceLabel } from "~/domain/goals/measure-text";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useNewUuid } from "~/hooks/form/use-new-uuid";
import { toast } from "~/hooks/toasts";
import { useReader } from "~/hooks/use-shell";

type LogByHandProps = {
  goal: Pick<Goal, "uuid" | "unit" | "title">;
  takesFocus: boolean;
  onDone: () => void;
};

export function LogByHand({ goal, takesFocus, onDone }: LogByHandProps) {
  const reader = useReader();
  const [uuid] = useNewUuid();
  const form = useActionForm({
    intent: "task.log",
    hiddenFields: { part: goal.uuid },
    uuid,
    draft: `log by hand ${goal.uuid}`,
    takesFocus,
    onDone,
    onSuccess: (result, sentence) => toast.logged((result as { log: { id: number } }).log.id, sentence ?? ""),
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-4" aria-label={`Log by hand for ${goal.title}`}>
      <div className="grid gap-3 sm:grid-cols-3">
        <NumberField
          {...form.field("amount")}
          label={goal.unit ? `Amount (${goal.unit})` : "Amount"}
          placeholder="1"
        />
        <SpanField {...form.field("duration")} label="Duration" placeholder="30m" />
        <NumberField {...form.field("distance")} label={distanceLabel(reader)} />
      </div>
      <TextRow {...form.field("title")} label="What did you do?" maxLength={200} />
      <FormErrors form={form} />
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          Log it
        </Button>
        <Button onClick={onDone} className="needs-script">
          Cancel
        </Button>
      </div>
    </ActionForm>
  );
}

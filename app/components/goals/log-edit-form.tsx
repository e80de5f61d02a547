// The form that edits a log in its row.

import { MarkdownAreaRow } from "~/components/editor/formatting-end";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { CancelEditButton } from "~/components/form/cancel-edit";
import { NumberField } from "~/components/form/number-field";
import { TextRow } from "~/components/form/rows";
import { Button } from "~/components/ui/button";
import { dayAt } from "~/domain/days";
import { LOG_STATUS } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { decimalField, distanceField, distanceLabel } from "~/domain/goals/measure-text";
import { instant, SECOND } from "~/domain/time";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useReader, useShell } from "~/hooks/use-shell";
import { SpanField, spanField } from "./span-field";

type EditProps = { log: LogShown; takesFocus: boolean; onDone: () => void; onCancel: () => void };

export function LogEditForm({ log, takesFocus, onDone, onCancel }: EditProps) {
  const reader = useReader();
  const { now, timeZone } = useShell();
  const today = dayAt(instant(now), timeZone);
  const form = useActionForm({ intent: "log.update", hiddenFields: { log: log.id }, takesFocus, onDone });
  const isMeasured = log.isTimed && (log.status === LOG_STATUS.done || log.status === LOG_STATUS.stopped);
  const span = isMeasured ? Math.round(log.elapsedDuration / SECOND) : log.duration;
  return (
    <ActionForm form={form} className="flex flex-col gap-4" aria-label="Edit log">
      <TextRow {...form.field("title", log.title)} label="Title" maxLength={200} />
      <div className="field-grid grid-cols-2 gap-4 sm:grid-cols-3">
        <NumberField {...form.field("amount", decimalField(log.amount, reader))} label="Amount" />
        <SpanField
          {...form.field("duration", spanField(span))}
          label={log.isTimed && !isMeasured ? "Planned duration" : "Duration"}
          hint={isMeasured ? "Replaces the measured time." : ""}
        />
        <TextRow {...form.field("day", log.day)} label="Day" type="date" max={today} />
        <NumberField
          {...form.field("distance", distanceField(log.distance, reader))}
          label={distanceLabel(reader)}
        />
      </div>
      <MarkdownAreaRow {...form.field("content", log.content)} label="How did it go?" rows={2} />
      <FormErrors form={form} />
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          Save
        </Button>
        <CancelEditButton onCancel={onCancel} />
      </div>
    </ActionForm>
  );
}

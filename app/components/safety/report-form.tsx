// The form of a report, on its page and in its dialog.
import { useId } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { TextAreaRow } from "~/components/form/rows";
import { Radio } from "~/components/ui/choices";
import { FieldErrors, RequiredStar } from "~/components/ui/field";
import { Notice } from "~/components/ui/notice";
import type { ReportTarget } from "~/domain/safety/report-targets";
import { MAX_REPORT_CHARS, REPORT_REASONS, REPORTED } from "~/domain/safety/reports";
import { useActionForm } from "~/hooks/form/use-action-form";
import { reportPath } from "./report-link";

type Props = { target: ReportTarget; onDone?: () => void };

export function ReportForm({ target, onDone }: Props) {
  const id = useId();
  const { kind, id: targetId } = target;
  const form = useActionForm({
    intent: "report",
    action: reportPath(target),
    hiddenFields: { kind, id: targetId },
    draft: `report ${kind} ${targetId}`,
    ...(onDone ? { onDone } : {}),
  });
  const reason = form.field("reason");
  if (form.result?.ok)
    return (
      <Notice tone="success" isLive>
        {REPORTED}
      </Notice>
    );
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <fieldset aria-describedby={reason.error.length > 0 ? `${id}-error` : undefined}>
        <legend className="mb-1 font-semibold">
          What is wrong?
          <RequiredStar />
        </legend>
        {Object.entries(REPORT_REASONS).map(([name, label]) => (
          <Radio
            key={name}
            name={reason.name}
            value={name}
            label={label}
            required
            defaultChecked={reason.defaultValue === name}
          />
        ))}
        <FieldErrors id={`${id}-error`} error={reason.error} />
      </fieldset>
      <TextAreaRow
        {...form.field("text")}
        label="More about it (optional)"
        hint={`Up to ${MAX_REPORT_CHARS.toLocaleString("en")} characters. The person you report never learns who reported.`}
        rows={3}
        maxLength={MAX_REPORT_CHARS}
      />
      <SubmitRow form={form} variant="primary">
        Send report
      </SubmitRow>
    </ActionForm>
  );
}

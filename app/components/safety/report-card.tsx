// Cards of the moderation queue: a reported target with its stored text, its reports, its author's earlier
// decisions and the form that decides it, and an appeal.
import { useId } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { SelectRow, TextAreaRow } from "~/components/form/rows";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import {
  actLabel,
  KIND_NAMES,
  MAX_DECISION_REASON_CHARS,
  type QueuedAppeal,
  type QueuedTarget,
  REPORT_REASONS,
} from "~/domain/safety/reports";
import { useActionForm } from "~/hooks/form/use-action-form";

const ReportedText = ({ text }: { text: string }) =>
  text === "" ? null : (
    <blockquote className="line-clamp-6 border-s-4 border-line ps-3 wrap-anywhere whitespace-pre-wrap">
      {text}
    </blockquote>
  );

export function ReportCard({ target }: { target: QueuedTarget }) {
  const { kind, id, author, kept: evidence, path, acts, reports, earlier } = target;
  const titleId = useId();
  const form = useActionForm({ intent: "decide", hiddenFields: { kind, id } });
  return (
    <Card as="li" className="flex flex-col gap-4">
      <h2 id={titleId} className="text-lg wrap-anywhere">
        <TextLink to={path} className="inline-block first-letter:uppercase">
          {KIND_NAMES[kind]}
        </TextLink>{" "}
        of <TextLink to={`/${author}`}>{author}</TextLink>
      </h2>
      <ReportedText text={evidence} />
      <ul aria-label="Reports" className="flex flex-col gap-2">
        {reports.map((report) => (
          <li key={report.reporter}>
            <p className="flex flex-wrap items-baseline gap-x-2">
              <strong>{REPORT_REASONS[report.reason]}</strong>
              <span className="text-sm text-soft">
                {report.reporter} · <Time at={report.createdAt} show="relative" />
              </span>
            </p>
            {report.text && <p className="wrap-anywhere whitespace-pre-wrap">{report.text}</p>}
          </li>
        ))}
      </ul>
      {earlier.length > 0 && (
        <ul aria-label={`Earlier, of ${author}`} className="flex flex-col gap-1 text-sm text-soft">
          {earlier.map(({ at, what, reason }) => (
            <li key={`${at} ${what}`}>
              <Time at={at} look="date" /> {what} {reason}
            </li>
          ))}
        </ul>
      )}
      <ActionForm form={form} className="flex flex-col gap-3" aria-labelledby={titleId}>
        <SelectRow {...form.field("act", "dismiss")} label="What to do">
          {acts.map((act) => (
            <option key={act} value={act}>
              {actLabel(act, target, path)}
            </option>
          ))}
        </SelectRow>
        <TextAreaRow
          {...form.field("reason")}
          label="Reason"
          hint={kind === "person" ? "" : "The author reads it, unless you dismiss."}
          isRequired
          rows={2}
          maxLength={MAX_DECISION_REASON_CHARS}
        />
        <SubmitRow form={form} variant="primary">
          Decide
        </SubmitRow>
      </ActionForm>
    </Card>
  );
}

export function AppealCard({ appeal }: { appeal: QueuedAppeal }) {
  const title = useId();
  const form = useActionForm({ intent: "answer", hiddenFields: { id: appeal.id } });
  return (
    <Card as="li" className="flex flex-col gap-4">
      <h2 id={title} className="text-lg wrap-anywhere">
        Appeal of <TextLink to={`/${appeal.author}`}>{appeal.author}</TextLink>
      </h2>
      <p className="wrap-anywhere whitespace-pre-wrap">{appeal.appeal}</p>
      <div className="flex flex-col gap-2 text-sm text-soft">
        <p className="wrap-anywhere">
          <Time at={appeal.decidedAt} look="date" /> {appeal.sentence} {appeal.reason}
        </p>
        <ReportedText text={appeal.kept} />
      </div>
      <ActionForm form={form} className="flex flex-col gap-3" aria-labelledby={title}>
        <SelectRow {...form.field("isGranted", "0")} label="Answer">
          <option value="0">The decision stays</option>
          <option value="1">Grant the appeal</option>
        </SelectRow>
        <TextAreaRow
          {...form.field("reason")}
          label="Reason"
          hint={
            appeal.act === "remove"
              ? "The text was erased for good; granting says that it should not have been."
              : ""
          }
          isRequired
          rows={2}
          maxLength={MAX_DECISION_REASON_CHARS}
        />
        <SubmitRow form={form} variant="primary">
          Answer
        </SubmitRow>
      </ActionForm>
    </Card>
  );
}

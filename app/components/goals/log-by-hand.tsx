// The form for a manual log. Without a network, a log that is done waits in the outbox (W-05).

import { MarkdownAreaRow } from "~/components/editor/formatting-end";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { NumberField } from "~/components/form/number-field";
import { TextRow } from "~/components/form/rows";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import type { Day } from "~/domain/days";
import { milesOut, millimetresOf } from "~/domain/distances";
import { parseDuration } from "~/domain/duration-parse";
import type { Goal } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { amountText, distanceLabel, withPlus } from "~/domain/goals/measure-text";
import { NOT_A_NUMBER, type Reader, readNumber } from "~/domain/numbers";
import { useActionForm } from "~/hooks/form/use-action-form";
import { queueForm } from "~/hooks/outbox/form";
import type { QueuedAct } from "~/hooks/outbox/sending";
import { toast } from "~/hooks/toasts";
import { useReader } from "~/hooks/use-shell";
import { storeQuickLog } from "~/wire/paths";
import { Fold } from "./fold";
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

/** The call that stores the typed log, or the sentence about a field that cannot be read. */
const queuedLogOf =
  (goal: Props["goal"], today: Day, reader: Reader) =>
  (textOf: (name: string) => string): QueuedAct | string => {
    if (textOf("status") !== String(LOG_STATUS.done))
      return "Only a log that is done can wait for the connection.";
    const [amount, distance] = ["amount", "distance"].map((name) =>
      textOf(name).trim() === "" ? null : (readNumber(textOf(name), reader.locale) ?? Number.NaN),
    ) as [number | null, number | null];
    if (Number.isNaN(amount) || Number.isNaN(distance)) return NOT_A_NUMBER;
    const span = parseDuration(textOf("duration"));
    if (span.error) return span.error;
    const day = textOf("day") || today;
    const title = textOf("title");
    const summary = amount === null ? title : withPlus(amountText(amount * 1000, goal.unit, reader));
    return {
      call: storeQuickLog,
      body: {
        goal_id: goal.id,
        uuid: crypto.randomUUID(),
        status: LOG_STATUS.done,
        amount,
        distance: distance === null ? null : milesOut(millimetresOf(distance * 1000, reader.unit)),
        duration: span.seconds ?? null,
        title,
        content: textOf("content"),
      },
      about: goal.title,
      words: summary || "A log",
      day,
    };
  };

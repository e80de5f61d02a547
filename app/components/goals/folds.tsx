// The rarely used fields of a goal, in folds: recurrence, checklist, timers, buttons, details, tags and more.
import { RichTextField } from "~/components/editor/rich-text-field";
import { NumberField } from "~/components/form/number-field";
import { TextRow } from "~/components/form/rows";
import { describeRecurrence } from "~/domain/goals/recurrence";
import { textOfMinute } from "~/domain/notices/quiet-hours";
import { numberField } from "~/domain/numbers";
import { GOAL_ANCHORS } from "~/domain/tour-anchors";
import { useReader } from "~/hooks/use-shell";
import { DistanceField, type GoalFieldsProps } from "./fields";
import { Fold } from "./fold";
import { ButtonRows, ChecklistRows, TimerRows } from "./form-lists";
import { RecurrenceFields } from "./recurrence-fields";

type Props = GoalFieldsProps & {
  tags: readonly string[];
  /** Goals of sessions and activities have no reminder. */
  hasReminder?: boolean;
};

export function GoalFolds({ goal, tags, form, isRow = false, hasReminder = false }: Props) {
  const { locale } = useReader();
  const look = isRow ? "row" : "chip";
  const countText = (list: readonly unknown[] | undefined) =>
    list && list.length > 0 ? String(list.length) : "";
  const recurrenceText = goal?.recurrence ? describeRecurrence(goal.recurrence) : "";
  const content = form.field("content", goal?.content);
  return (
    <div
      data-tour={GOAL_ANCHORS.additionalGoalFeatures}
      className={isRow ? "flex flex-col gap-4" : "flex flex-wrap gap-2"}
    >
      <Fold
        look={look}
        title="Repeats"
        hint={recurrenceText}
        isOpen={["recurrence", "remindAt"].some(form.hasErrorsUnder)}
      >
        <RecurrenceFields recurrence={goal?.recurrence ?? null} form={form} />
        {hasReminder && (
          <TextRow
            {...form.field("remindAt", goal?.remindAt == null ? "" : textOfMinute(goal.remindAt))}
            label="Remind me at"
            hint="In your time zone, on the days above, until the goal is done. Leave it empty for no reminder."
            type="time"
          />
        )}
      </Fold>
      <Fold look={look} title="Checklist" hint={countText(goal?.items)} isOpen={form.hasErrorsUnder("items")}>
        <ChecklistRows items={goal?.items ?? []} form={form} />
      </Fold>
      <Fold
        look={look}
        title="Timers and intervals"
        hint={countText(goal?.timers)}
        isOpen={form.hasErrorsUnder("timers")}
      >
        <TimerRows timers={goal?.timers ?? []} form={form} />
      </Fold>
      <Fold
        look={look}
        title="Quick-log buttons"
        hint={countText(goal?.quickLogButtons)}
        isOpen={form.hasErrorsUnder("quickLogButtons")}
      >
        <ButtonRows buttons={goal?.quickLogButtons ?? []} form={form} isNarrow={isRow} />
      </Fold>
      <Fold
        look={look}
        title="Details"
        isOpen={(!isRow && content.defaultValue !== "") || form.hasErrorsUnder("content")}
      >
        <RichTextField
          {...content}
          label="Details"
          hint="Why, and how?"
          rows={3}
          saved={goal?.content ?? ""}
          loadsOnFocus
          isDrafted
          imageOwner="goal"
        />
      </Fold>
      <Fold
        look={look}
        title="Tags and more"
        hint={tags.join(", ")}
        isOpen={["tags", "link", "distance", "completionsRequired"].some(form.hasErrorsUnder)}
      >
        <TextRow
          {...form.field("tags", tags.join(", "))}
          label="Tags"
          hint="Separate tags with commas."
          maxLength={500}
          autoCapitalize="none"
        />
        <TextRow
          {...form.field("link", goal?.link)}
          label="Link"
          inputMode="url"
          placeholder="https://"
          autoCapitalize="none"
        />
        <NumberField
          {...form.field("completionsRequired", numberField(goal?.completionsRequired ?? 1, locale))}
          label="Times"
          isWhole
          hint="The target must be reached so many times."
        />
        {goal?.distance == null && <DistanceField goal={goal} form={form} />}
      </Fold>
    </div>
  );
}

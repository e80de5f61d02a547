// What few need of a goal, folded away: how it repeats, its checklist, timers and buttons, its details, tags and more.
import { RichTextField } from "~/components/editor/rich-text-field";
import type { MyForm } from "~/components/my/use-my-form";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import type { Goal } from "~/domain/goals";
import { describeRecurrence } from "~/domain/recurrence";
import { GOAL_ANCHORS } from "~/domain/tour-anchors";
import { Fold } from "./form-rows";
import { CompletionsField } from "./goal-fields";
import { ButtonRows, ChecklistRows, TimerRows } from "./goal-form-rows";
import { RecurrenceFields } from "./recurrence-fields";

type Props = { goal: Goal | null; tags: readonly string[]; form: MyForm; draftKey: string };

export function GoalFolds({ goal, tags, form, draftKey }: Props) {
  const counted = (list: readonly unknown[] | undefined) =>
    list && list.length > 0 ? String(list.length) : "";
  const content = form.shown("content", goal?.content ?? "");
  return (
    <div data-tour={GOAL_ANCHORS.additionalGoalFeatures} className="flex flex-wrap gap-2">
      <Fold
        look="chip"
        title="Repeats"
        hint={goal?.recurrence ? describeRecurrence(goal.recurrence) : ""}
        isOpen={form.hasErrorsUnder("recurrence")}
      >
        <RecurrenceFields recurrence={goal?.recurrence ?? null} form={form} />
      </Fold>
      <Fold look="chip" title="Checklist" hint={counted(goal?.items)} isOpen={form.hasErrorsUnder("items")}>
        <ChecklistRows items={goal?.items ?? []} form={form} />
      </Fold>
      <Fold look="chip" title="Timers" hint={counted(goal?.timers)} isOpen={form.hasErrorsUnder("timers")}>
        <TimerRows timers={goal?.timers ?? []} form={form} />
      </Fold>
      <Fold
        look="chip"
        title="Quick-log buttons"
        hint={counted(goal?.quickLogButtons)}
        isOpen={form.hasErrorsUnder("quick_log_buttons")}
      >
        <ButtonRows buttons={goal?.quickLogButtons ?? []} form={form} />
      </Fold>
      <Fold look="chip" title="Details" isOpen={content !== "" || form.hasErrorsUnder("content")}>
        <RichTextField
          name="content"
          label="Details"
          hint="Why, and how?"
          rows={3}
          defaultValue={content}
          saved={goal?.content ?? ""}
          error={form.errorsOf("content")}
          draftKey={draftKey}
          loadsOnFocus
          about="goal"
        />
      </Fold>
      <Fold
        look="chip"
        title="Tags and more"
        hint={tags.join(", ")}
        isOpen={["tags", "link", "completions_required"].some(form.hasErrorsUnder)}
      >
        <Field label="Tags" hint="With commas between them." error={form.errorsOf("tags")}>
          <TextInput
            name="tags"
            defaultValue={form.shown("tags", tags.join(", "))}
            maxLength={500}
            autoComplete="off"
            autoCapitalize="none"
          />
        </Field>
        <Field label="Link" error={form.errorsOf("link")}>
          <TextInput
            name="link"
            inputMode="url"
            defaultValue={form.shown("link", goal?.link ?? "")}
            placeholder="https://"
            autoComplete="off"
            autoCapitalize="none"
          />
        </Field>
        <CompletionsField goal={goal} form={form} hint="How many times over, until it is complete." />
      </Fold>
    </div>
  );
}

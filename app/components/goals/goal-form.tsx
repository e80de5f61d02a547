// The form of a goal, to make one and to change one. Title first; what few need is folded away. Posts to the page it
// stands on, whose action knows `goal.create` and `goal.update`.
import { useNavigate } from "@remix-run/react";
import type { ReactNode } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { type MyForm, MyFormProblems, useMyForm } from "~/components/my/use-my-form";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { toast } from "~/components/ui/toasts";
import type { Goal } from "~/domain/goals";
import { describeRecurrence } from "~/domain/recurrence";
import { GOAL_ANCHORS } from "~/domain/tour-anchors";
import { Fold } from "./form-rows";
import { CompletionsField, Measures, TitleField } from "./goal-fields";
import { ButtonRows, ChecklistRows, TimerRows } from "./goal-form-rows";
import { RecurrenceFields } from "./recurrence-fields";

export const GOAL_CREATED = "Goal created successfully!";

type Props = {
  /** Null: a new one. */
  goal: Goal | null;
  tags?: readonly string[];
  /** Of the goal to be made: sending the form twice makes one. */
  newUuid?: string;
  onDone?: () => void;
  takesFocus?: boolean;
  cancel?: ReactNode;
};

type Made = { goal: { id: number } };

export function GoalForm({ goal, tags = [], newUuid, onDone, takesFocus = false, cancel }: Props) {
  const navigate = useNavigate();
  const form = useMyForm(goal ? "goal.update" : "goal.create", {
    ...(goal ? { about: { goal: goal.id } } : { uuid: newUuid }),
    isClearedWhenDone: !goal,
    takesFocus,
    ...(onDone ? { onDone } : {}),
    onSuccess: (result, sentence) => {
      if (goal) toast.success(sentence ?? "Success!");
      else {
        const to = `/my/goals/${(result as Made).goal.id}`;
        toast.success(GOAL_CREATED, { action: { label: "View goal", onClick: () => navigate(to) } });
      }
    },
  });
  return (
    <form.Form
      {...form.formProps}
      className="flex flex-col gap-4"
      aria-label={goal ? "Edit goal" : "New goal"}
    >
      {form.hidden}
      <TitleField goal={goal} form={form} />
      <Measures goal={goal} form={form} />
      <div data-tour={GOAL_ANCHORS.additionalGoalFeatures} className="flex flex-wrap gap-2">
        <Folds goal={goal} tags={tags} form={form} />
      </div>
      <MyFormProblems form={form} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          {goal ? "Save" : "Create goal"}
        </Button>
        {cancel}
      </div>
    </form.Form>
  );
}

function Folds({ goal, tags, form }: { goal: Goal | null; tags: readonly string[]; form: MyForm }) {
  const counted = (list: readonly unknown[] | undefined) =>
    list && list.length > 0 ? String(list.length) : "";
  const content = form.shown("content", goal?.content ?? "");
  return (
    <>
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
          draftKey={`goal:${goal?.id ?? "new"}`}
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
    </>
  );
}

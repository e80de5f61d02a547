// Progress in a session, typed by hand (R-01): amount, duration, distance, a word about it. Posts to the goals' own page.
import { NumberField, SpanField } from "~/components/my/measure-fields";
import { MyFormProblems, useMyForm } from "~/components/my/use-my-form";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import type { Goal } from "~/domain/goals";
import { useNewUuid } from "~/hooks/use-new-uuid";

type LogByHandProps = {
  goal: Pick<Goal, "uuid" | "unit" | "title">;
  takesFocus: boolean;
  onDone: () => void;
};

export function LogByHand({ goal, takesFocus, onDone }: LogByHandProps) {
  const form = useMyForm("task.log", { about: { part: goal.uuid }, uuid: useNewUuid(), takesFocus, onDone });
  const field = (name: string) => ({
    name,
    defaultValue: form.shown(name, ""),
    error: form.errorsOf(name),
  });
  return (
    <form.Form
      {...form.formProps}
      className="flex flex-col gap-4"
      aria-label={`Log by hand for ${goal.title}`}
    >
      {form.hidden}
      <div className="grid gap-3 sm:grid-cols-3">
        <NumberField
          {...field("amount")}
          label={goal.unit ? `Amount (${goal.unit})` : "Amount"}
          placeholder="1"
        />
        <SpanField {...field("duration")} label="Duration" placeholder="30m" />
        <NumberField {...field("distance")} label="Distance (miles)" />
      </div>
      <Field label="What was it?" error={form.errorsOf("title")}>
        <TextInput name="title" defaultValue={form.shown("title", "")} maxLength={200} autoComplete="off" />
      </Field>
      <MyFormProblems form={form} />
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          Log it
        </Button>
        <Button onClick={onDone} className="needs-script">
          Cancel
        </Button>
      </div>
    </form.Form>
  );
}

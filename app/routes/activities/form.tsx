// Creating an activity, from nothing or a template, and updating it (P-23, P-25, U-38).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { z } from "zod";
import { RichTextField } from "~/components/editor/rich-text-field";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { NumberField } from "~/components/form/number-field";
import { SelectRow, TextRow } from "~/components/form/rows";
import { GoalRows } from "~/components/goals/rows";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { readSchedule, ScheduleField } from "~/components/schedule/field";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { More } from "~/components/ui/more";
import { TextLink } from "~/components/ui/text-link";
import { formatDuration } from "~/domain/duration-text";
import { DIFFICULTIES } from "~/domain/list-terms";
import { emptySchedule } from "~/domain/schedule/shape";
import { oneLine } from "~/domain/text-fields";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { ActivityFormChange, ActivityFormInput } from "~/forms/activities/activities";
import { type ActionFormState, useActionForm } from "~/hooks/form/use-action-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import {
  createActivity,
  readMadeActivity,
  updateActivity,
  viewActivityForm,
} from "~/use-cases/activities/activities.server";

const Query = z.object({
  slug: oneLine().optional(),
  template: oneLine().optional(),
  hut: oneLine().optional(),
});

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewActivityForm, { input: Query, whenSignedOut: "redirect" });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      create: on(ActivityFormInput, createActivity, {
        redirectTo: (activity) => activity.path,
        toast: "Success!",
        readAgain: readMadeActivity,
      }),
      update: on(ActivityFormChange, updateActivity, {
        redirectTo: (activity) => activity.path,
        toast: "Success!",
      }),
    },
    MAX_BYTES_WITH_TEXTS,
  );

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.isUpdate ? "Update Activity" : "Create a New Activity",
    description:
      "Say what is done, in which parts and for how long; then run it as a session as often as you like.",
  });

const MORE_FIELDS = ["content", "category", "difficulty", "hutId", "duration", "participantLimit"];

export default function ActivityForm() {
  const data = useLoaderData<typeof loader>();
  const { activity, isUpdate } = data;
  const form = useActionForm({
    intent: isUpdate ? "update" : "create",
    draft: `activity ${isUpdate ? activity?.slug : "new"}`,
    redirects: true,
    warns: true,
  });
  return (
    <Page
      title={isUpdate ? "Update Activity" : "Create a New Activity"}
      width="form"
      breadcrumbs={[
        { label: "Home", to: "/" },
        { label: "Activities", to: "/activities" },
        { label: isUpdate ? "Update" : "Create" },
      ]}
      intro={
        isUpdate ? undefined : (
          <>
            Something worth doing again. Or begin with a{" "}
            <TextLink to="/challenges/templates">template</TextLink>.
          </>
        )
      }
    >
      <ActionForm form={form} className="flex flex-col gap-5">
        <FormErrors form={form} />
        <TextRow
          {...form.field("title", activity?.title)}
          label="Title"
          isRequired
          data-tour={TOUR_ANCHORS.challengeCreate}
          maxLength={200}
        />
        <ActivityFields data={data} form={form} />
        <div className="submit-row bg-paper">
          <Button type="submit" variant="primary" size="lg" isLoading={form.isBusy} className="w-full">
            {isUpdate ? "Save activity" : "Create activity"}
          </Button>
        </div>
      </ActionForm>
    </Page>
  );
}

type FieldsProps = { data: ReturnType<typeof useLoaderData<typeof loader>>; form: ActionFormState };
/** A component of its own, so that a restored draft remounts it with its state. */
function ActivityFields({ data, form }: FieldsProps) {
  const { activity, isUpdate } = data;
  const limit = activity?.participantLimit ? String(activity.participantLimit) : "";
  const [isManual, setManual] = useState(
    form.shownValue("isManuallyStarted", activity?.isManuallyStarted ? "on" : "") === "on",
  );
  const [schedule] = useState(() =>
    readSchedule(form.shownValue("schedule"), activity?.schedule ?? emptySchedule()),
  );
  return (
    <>
      <fieldset className="flex flex-col gap-3">
        <legend className="text-lg font-semibold">Timers</legend>
        <p className="text-soft">Every session of this activity begins with these.</p>
        <ScheduleField
          defaultValue={schedule}
          plan={{ sessionStart: null, isManuallyStarted: isManual, rosterSize: 1 }}
          error={[...form.errorsOf("schedule"), ...form.errorsUnder("rows")]}
          typedRows={form.typedRows("rows")}
          onChange={(next) => JSON.stringify(next) !== JSON.stringify(schedule) && form.draft.keep()}
        />
      </fieldset>
      <More
        name="activity-goals"
        label="Goals"
        isOpen={isUpdate || data.goals.length > 0 || form.hasErrorsUnder("goals")}
      >
        <p className="text-soft">Everybody in a session of this activity logs progress for these.</p>
        <GoalRows goals={data.goals} isNew={!isUpdate} form={form} />
      </More>
      <More
        name="activity"
        hint={isUpdate ? undefined : "Description, category, hut, length"}
        isOpen={isUpdate || MORE_FIELDS.some(form.hasErrorsUnder)}
      >
        <RichTextField
          {...form.field("content", activity?.content)}
          label="Description"
          hint="What people do, and how. You can use Markdown."
          saved={activity?.content ?? ""}
          isDrafted
          imageOwner="activity"
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectRow
            {...form.field("category", activity?.category ?? "")}
            label="Category"
            placeholder="None"
            options={data.categories.map((term) => ({ value: term.slug, label: term.title }))}
          />
          <SelectRow
            {...form.field("difficulty", String(activity?.difficulty ?? 4))}
            label="Difficulty"
            options={DIFFICULTIES.map(({ value, title }) => ({ value, label: title }))}
          />
          <SelectRow
            {...form.field("hutId", data.hutId === null ? "" : String(data.hutId))}
            label="Hut"
            hint={data.huts.length === 0 ? "Your huts are listed here." : undefined}
            placeholder="None"
            options={data.huts.map((hut) => ({ value: hut.id, label: hut.title }))}
          />
          <TextRow
            {...form.field("duration", activity ? formatDuration(activity.duration) : "")}
            label="Duration"
            hint='Such as "45m" or "1h 30m". Empty: as long as its timers.'
          />
          <NumberField
            {...form.field("participantLimit", limit)}
            label="Maximum followers"
            hint="Empty: no limit."
            isWhole
          />
        </div>
        <Checkbox
          name="isManuallyStarted"
          label="The host starts each session manually"
          checked={isManual}
          onChange={(event) => setManual(event.target.checked)}
        />
        {activity?.isPrivate && data.hutId === null && (
          <Checkbox
            name="isPrivate"
            label="Private"
            hint="Only you and its followers see it. A hut that you choose decides instead."
            defaultChecked={form.shownValue("isPrivate", "on") === "on"}
          />
        )}
        <Checkbox
          name="isTemplate"
          label="A template for others to start from"
          defaultChecked={
            form.shownValue("isTemplate", isUpdate && activity?.isTemplate ? "on" : "") === "on"
          }
        />
      </More>
    </>
  );
}

// Making an activity, from nothing or from a template, and changing one (P-23, P-25, U-38).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { z } from "zod";
import { RichTextField } from "~/components/editor/rich-text-field";
import { GoalRows } from "~/components/goals/goal-rows";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { ScheduleField, type TypedRow } from "~/components/parts/schedule-field";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { Field } from "~/components/ui/field";
import { Select, TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { toast } from "~/components/ui/toasts";
import { formatDuration } from "~/domain/duration-text";
import { DIFFICULTIES } from "~/domain/list-terms";
import { emptySchedule } from "~/domain/schedule-shape";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { ActivityFormChange, ActivityFormInput } from "~/forms/activities";
import { typedFields } from "~/hooks/typed-fields";
import { usePostedForm } from "~/hooks/use-posted-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { FORM_WITH_TEXTS } from "~/http/read-form.server";
import { createActivity, updateActivity, viewActivityForm } from "~/use-cases/activities.server";
import { typedRows } from "~/wire/act";

const Query = z.object({
  slug: z.string().optional(),
  template: z.string().optional(),
  hut: z.string().optional(),
});

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewActivityForm, { input: Query, whenSignedOut: "redirect" });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      create: on(ActivityFormInput, createActivity, { then: (activity) => activity.path, toast: "Success!" }),
      update: on(ActivityFormChange, updateActivity, {
        then: (activity) => activity.path,
        toast: "Success!",
      }),
    },
    FORM_WITH_TEXTS,
  );

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.isUpdate ? "Update Activity" : "Create a New Activity",
    description:
      "Say what is done, in which parts and for how long; then run it as a session as often as you like.",
  });

export default function ActivityForm() {
  const data = useLoaderData<typeof loader>();
  const { refused, typed, sent, errors } = usePostedForm();
  const isBusy = useNavigation().state !== "idle";
  const { activity, isUpdate } = data;
  const [isManual, setManual] = useState(
    typed ? typed.isManuallyStarted === "on" : (activity?.isManuallyStarted ?? false),
  );
  useEffect(() => {
    if (refused) toast.validation(refused.sentences);
  }, [refused]);
  const value = (name: string, own: string) => (typed ? (typed[name] ?? "") : own);
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
      {refused && (
        <Notice tone="error" isLive>
          {refused.message}
        </Notice>
      )}
      <Form method="post" noValidate className="flex flex-col gap-5">
        <input type="hidden" name="intent" value={isUpdate ? "update" : "create"} />
        <Field label="Title" isRequired error={errors.title}>
          <TextInput
            name="title"
            data-tour={TOUR_ANCHORS.challengeCreate}
            required
            maxLength={200}
            defaultValue={value("title", activity?.title ?? "")}
          />
        </Field>
        <RichTextField
          name="content"
          label="Description"
          hint="What one does, and how. Markdown works."
          defaultValue={value("content", activity?.content ?? "")}
          saved={activity?.content ?? ""}
          error={errors.content}
          draftKey={`activity ${isUpdate ? activity?.slug : "new"}`}
          about="activity"
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Category" error={errors.category}>
            <Select
              name="category"
              placeholder="None"
              defaultValue={value("category", activity?.category ?? "")}
              options={data.categories.map((term) => ({ value: term.slug, label: term.title }))}
            />
          </Field>
          <Field label="Difficulty" error={errors.difficulty}>
            <Select
              name="difficulty"
              defaultValue={value("difficulty", String(activity?.difficulty ?? 4))}
              options={DIFFICULTIES.map((one) => ({ value: one.value, label: one.title }))}
            />
          </Field>
          <Field
            label="Hut"
            hint={data.huts.length === 0 ? "Huts you belong to stand here." : undefined}
            error={errors.hutId}
          >
            <Select
              name="hutId"
              placeholder="None"
              defaultValue={value("hutId", data.hutId === null ? "" : String(data.hutId))}
              options={data.huts.map((hut) => ({ value: hut.id, label: hut.title }))}
            />
          </Field>
          <Field
            label="Duration"
            hint='Such as "45m" or "1h 30m". Empty: as long as its timers.'
            error={errors.duration}
          >
            <TextInput
              name="duration"
              defaultValue={value("duration", activity ? formatDuration(activity.duration) : "")}
            />
          </Field>
          <Field label="Followers at most" hint="Empty: no limit." error={errors.participantLimit}>
            <TextInput
              name="participantLimit"
              inputMode="numeric"
              defaultValue={value(
                "participantLimit",
                activity?.participantLimit ? String(activity.participantLimit) : "",
              )}
            />
          </Field>
        </div>
        <Checkbox
          name="isManuallyStarted"
          label="The host starts each session by hand"
          checked={isManual}
          onChange={(event) => setManual(event.target.checked)}
        />
        <Checkbox
          name="isTemplate"
          label="A template for others to begin with"
          defaultChecked={typed ? typed.isTemplate === "on" : isUpdate && (activity?.isTemplate ?? false)}
        />
        <fieldset className="flex flex-col gap-3">
          <legend className="text-lg font-semibold">Timers</legend>
          <p className="text-soft">Every session of this activity begins with these.</p>
          <ScheduleField
            defaultValue={activity?.schedule ?? emptySchedule()}
            plan={{ sessionStart: null, isManuallyStarted: isManual, rosterSize: 1 }}
            error={errors.schedule ?? undefined}
            typedRows={typedRows<TypedRow>(sent?.rows)}
          />
        </fieldset>
        <fieldset className="flex flex-col gap-3">
          <legend className="text-lg font-semibold">Goals</legend>
          <p className="text-soft">Everybody in a session of this activity logs progress for these.</p>
          <GoalRows goals={data.goals} isNew={!isUpdate} form={typedFields(sent, errors)} />
        </fieldset>
        <Button type="submit" variant="primary" size="lg" isLoading={isBusy}>
          {isUpdate ? "Save activity" : "Create activity"}
        </Button>
      </Form>
    </Page>
  );
}

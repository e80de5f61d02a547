// The form that makes or changes a session: what it is, when, who may join, its timers. Works as a plain form; with
// JavaScript it says what is wrong before it is sent (V-20 to V-27) and keeps a draft in this browser.
import { useActionData, useFetcher } from "@remix-run/react";
import { type FormEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { Section } from "~/components/layout/page";
import { pickerText, readPicker } from "~/components/parts/date-time-input";
import { ScheduleField, type TypedRow } from "~/components/parts/schedule-field";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Select, TextArea, TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import { toast } from "~/components/ui/toasts";
import { parseDuration } from "~/domain/duration-parse";
import { formatDuration } from "~/domain/duration-text";
import type { ScheduleProblem } from "~/domain/schedule-problems";
import { emptySchedule, type Schedule } from "~/domain/schedule-shape";
import type { SessionForm as FormData_ } from "~/domain/session-view";
import { SESSION_LIMITS } from "~/domain/sessions";
import { fieldsOf, useDraft } from "~/hooks/use-draft";
import { useShell } from "~/hooks/use-shell";
import { useTokenRetry } from "~/hooks/use-token-retry";
import { type ActResult, typedRows, typedTexts } from "~/wire/act";
import { errorsOfAnswer, type FormErrors, sentencesIn, sessionFormErrors } from "./session-form-rules";
import { PeopleFields } from "./session-people-fields";
import { type When, WhenFields } from "./session-when-fields";

type Texts = Record<string, string>;

/** The form's fields as texts, the way the form itself would post them. */
function textsOf({ values, uuid }: FormData_, timeZone: string): Texts {
  return {
    uuid,
    title: values.title,
    content: values.content,
    prompt: values.prompt,
    activitySlug: values.activitySlug ?? "",
    hutId: values.hutId === null ? "" : String(values.hutId),
    startMode: values.isManuallyStarted ? "manual" : "date",
    startedAt: pickerText(values.startedAt, timeZone),
    duration: formatDuration(values.duration),
    participantLimit: values.participantLimit === null ? "" : String(values.participantLimit),
    donationLink: values.donationLink,
    joinCode: values.joinCode,
    isFree: values.isFree ? "on" : "",
    category: values.category ?? "",
    difficulty: String(values.difficulty),
    schedule: JSON.stringify(values.schedule),
  };
}

function scheduleOf(text: string | undefined): Schedule {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && "groups" in value
      ? (value as Schedule)
      : emptySchedule();
  } catch {
    return emptySchedule();
  }
}

/** Fields left empty are not sent back: what is missing was emptied, where it could be. */
const sent = ({ uuid = "", schedule = "", startedAt = "", duration = "" }: Texts, typed: Texts): Texts => ({
  uuid,
  schedule,
  // Once a session has started its start is not asked any more.
  ...(typed.startMode === undefined ? { startedAt, duration } : {}),
  ...typed,
});

export function SessionForm({ form }: { form: FormData_ }) {
  const { timeZone } = useShell();
  const posted = useActionData<ActResult>();
  const own = useMemo(() => textsOf(form, timeZone), [form, timeZone]);
  const refused = posted && !posted.ok ? posted.form.initialValue : undefined;
  const [restored, setRestored] = useState<Texts | null>(null);
  return (
    <FilledForm
      // Restoring a draft fills the form anew.
      key={restored ? "restored" : "own"}
      form={form}
      texts={{ ...(refused ? sent(own, typedTexts(refused)) : own), ...restored }}
      typedRows={typedRows<TypedRow>(refused?.rows)}
      posted={posted}
      isRestored={restored !== null}
      onRestore={setRestored}
    />
  );
}

type FilledFormProps = {
  form: FormData_;
  texts: Texts;
  typedRows: TypedRow[] | undefined;
  posted: ActResult | undefined;
  isRestored: boolean;
  onRestore: (fields: Texts) => void;
};

function FilledForm({ form, texts, typedRows, posted, isRestored, onRestore }: FilledFormProps) {
  const { timeZone, viewer } = useShell();
  const id = useId();
  const isNew = form.id === null;
  const hasStarted = form.status !== 0;
  const box = useRef<HTMLFormElement>(null);
  const fetcher = useFetcher<ActResult>();
  const result = fetcher.data ?? posted;
  const [errors, setErrors] = useState<FormErrors>(() =>
    result && !result.ok ? errorsOfAnswer(result.form.error) : {},
  );
  const [schedule] = useState(() => scheduleOf(texts.schedule));
  const [timers, setTimers] = useState<{ length: number; problems: readonly ScheduleProblem[] }>({
    length: 0,
    problems: [],
  });
  const [when, setWhen] = useState<When>(() => ({
    isManual: texts.startMode === "manual",
    startedAt: readPicker(texts.startedAt ?? "", timeZone),
    duration: parseDuration(texts.duration ?? "").seconds ?? null,
  }));
  // Until one says otherwise a new session lasts as long as its timers.
  const followsTimers = useRef(isNew && !isRestored && typedRows === undefined);
  const draft = useDraft({
    key: `draft ${viewer?.username ?? ""} session ${form.id ?? `new ${form.values.activitySlug ?? ""}`}`,
    form: box,
    without: ["uuid", "timeZone"],
  });

  const value = (name: string) => texts[name] ?? "";
  const isOn = (name: string) => value(name) !== "";
  const { save } = draft;
  const rosterSize = Math.max(1, form.participantsCount);

  const keepTimers = useCallback(
    (_: Schedule, length: number, problems: readonly ScheduleProblem[]) => {
      setTimers({ length, problems });
      if (followsTimers.current && length > 0)
        setWhen((before) => ({ ...before, duration: Math.max(300, length) }));
      save();
    },
    [save],
  );

  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (fetcher.state !== "idle") return event.preventDefault();
    const fields = fieldsOf(event.currentTarget);
    const found = sessionFormErrors({
      title: fields.title ?? "",
      duration: fields.duration ?? "",
      participantLimit: fields.participantLimit ?? "",
      timersLength: timers.length,
      problems: timers.problems,
    });
    setErrors(found);
    const sentences = sentencesIn(found);
    if (sentences.length === 0) return draft.setTaken(true);
    event.preventDefault();
    toast.validation(sentences);
    const first = Object.keys(found)[0];
    const field = event.currentTarget.elements.namedItem(first ?? "");
    if (field instanceof HTMLElement && field.getAttribute("type") !== "hidden") field.focus();
    else document.getElementById(`${id}-timers`)?.scrollIntoView({ block: "start" });
  };

  const takeAnswer = useTokenRetry(box, (form) => form.requestSubmit());
  const told = useRef<ActResult | undefined>(undefined);
  useEffect(() => {
    const { data } = fetcher;
    if (fetcher.state !== "idle" || !data || told.current === data) return;
    told.current = data;
    const isDealtWith = takeAnswer(data);
    if (data.ok) return;
    draft.setTaken(false);
    setErrors(errorsOfAnswer(data.form.error));
    if (!isDealtWith) toast.validation(data.sentences);
  }, [fetcher, draft, takeAnswer]);

  const isBusy = fetcher.state !== "idle";
  return (
    <fetcher.Form
      ref={box}
      method="post"
      noValidate
      className="flex flex-col gap-8"
      onInput={save}
      onChange={() => save()}
      onSubmit={submit}
    >
      <input type="hidden" name="uuid" value={form.uuid} />
      {draft.found && !isRestored && (
        <Notice
          title="You have an unsaved draft"
          action={
            <>
              <Button
                onClick={() => {
                  if (draft.found) onRestore({ ...noBoxes, ...draft.found.fields });
                }}
              >
                Restore
              </Button>
              <Button variant="ghost" onClick={draft.forget}>
                Discard
              </Button>
            </>
          }
        >
          From <Time at={draft.found.savedAt} look="auto" />.
        </Notice>
      )}
      {errors[""] && <Notice tone="error">{errors[""].join(" ")}</Notice>}

      <Section title="What">
        <Field label="Title" isRequired error={errors.title}>
          <TextInput
            name="title"
            defaultValue={value("title")}
            maxLength={SESSION_LIMITS.title}
            autoComplete="off"
          />
        </Field>
        <RichTextField
          name="content"
          label="Content"
          hint="What it is about. Markdown is fine."
          defaultValue={value("content")}
          saved={form.values.content}
          error={errors.content}
          about="session"
        />
        <Field
          label="Prompt"
          hint="What participants should do or write in this session."
          error={errors.prompt}
        >
          <TextArea name="prompt" rows={2} defaultValue={value("prompt")} maxLength={SESSION_LIMITS.prompt} />
        </Field>
        {isNew && (
          <Field label="Activity" hint="The session is one run of it." error={errors.activitySlug}>
            <Select
              name="activitySlug"
              defaultValue={value("activitySlug")}
              placeholder="None"
              options={form.activities.map(({ slug, title }) => ({ value: slug, label: title }))}
            />
          </Field>
        )}
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Hut" error={errors.hutId}>
            <Select
              name="hutId"
              defaultValue={value("hutId")}
              placeholder="None"
              options={form.huts.map(({ id: hutId, title }) => ({ value: hutId, label: title }))}
            />
          </Field>
          <Field label="Category" error={errors.category}>
            <Select
              name="category"
              defaultValue={value("category")}
              placeholder="None"
              options={form.categories.map(({ slug, title }) => ({ value: slug, label: title }))}
            />
          </Field>
          <Field label="Difficulty" error={errors.difficulty}>
            <Select
              name="difficulty"
              defaultValue={value("difficulty") || "4"}
              options={[
                { value: "3", label: "Easy" },
                { value: "4", label: "Normal" },
                { value: "6", label: "Difficult" },
              ]}
            />
          </Field>
        </div>
      </Section>

      <Section title="When">
        <WhenFields
          when={when}
          typedDuration={value("duration")}
          errors={errors}
          timersLength={timers.length}
          hasStarted={hasStarted}
          onChange={(change) => {
            if (change.duration !== undefined) followsTimers.current = false;
            setWhen((before) => ({ ...before, ...change }));
            save();
          }}
        />
      </Section>

      <Section title="Timers" id={`${id}-timers`}>
        <ScheduleField
          defaultValue={schedule}
          plan={{
            sessionStart: hasStarted ? form.values.startedAt : when.isManual ? null : when.startedAt,
            isManuallyStarted: when.isManual && !hasStarted,
            rosterSize,
          }}
          typedRows={typedRows}
          onChange={keepTimers}
          error={errors.schedule}
        />
      </Section>

      {(isNew || form.canHost) && (
        <Section title="Participants">
          <PeopleFields
            value={value}
            isOn={isOn}
            errors={errors}
            participantsCount={form.participantsCount}
          />
        </Section>
      )}

      <div className="flex flex-wrap items-center gap-4 border-t border-line pt-6">
        <Button type="submit" variant="primary" size="lg" isLoading={isBusy}>
          {isNew ? "Create session" : "Save session"}
        </Button>
        <p className="text-sm text-soft">
          {isNew ? "Costs 1 token: your own spot as the host." : "Everyone in the session sees the changes."}
        </p>
      </div>
    </fetcher.Form>
  );
}

/** A box that is off is not in the draft at all. */
const noBoxes: Texts = { isFree: "" };

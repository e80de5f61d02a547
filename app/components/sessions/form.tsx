// The form that creates or edits a session: texts, date, permissions, timers. With JavaScript it validates before
// submitting (V-20 to V-27) and stores a draft in this browser.
import { useCallback, useMemo, useRef, useState } from "react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { pickerText, readPicker } from "~/components/form/date-time-input";
import { TextRow } from "~/components/form/rows";
import { readSchedule, ScheduleField } from "~/components/schedule/field";
import { Button } from "~/components/ui/button";
import { Radio } from "~/components/ui/choices";
import { FieldGroup } from "~/components/ui/field";
import { More } from "~/components/ui/more";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import { parseDuration } from "~/domain/duration-parse";
import { formatDuration } from "~/domain/duration-text";
import type { ProblemWithSentence } from "~/domain/schedule/problems";
import { partsInOrder, type Schedule } from "~/domain/schedule/shape";
import { SCOPES, type Scope } from "~/domain/series/form";
import { GUESTS_BY_DEFAULT, SESSION_LIMITS } from "~/domain/sessions/limits";
import { sessionRules, type TimersTyped } from "~/domain/sessions/rules";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { SessionForm as SessionFormData } from "~/domain/sessions/view";
import { type Seconds, seconds } from "~/domain/time";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useDraft } from "~/hooks/form/use-draft";
import { useHydrated } from "~/hooks/use-hydrated";
import { useReader, useShell } from "~/hooks/use-shell";
import { MADE_FOR_FIELD } from "~/wire/made-for";
import { JoiningFields } from "./joining-fields";
import { MORE_FIELDS, MoreFields } from "./more-fields";
import { RepeatFields } from "./repeat-fields";
import { type When, WhenFields } from "./when-fields";

type Texts = Record<string, string>;

/** The form's fields as texts, as the form itself would submit them. */
function textsOf({ values, scope }: SessionFormData, timeZone: string): Texts {
  return {
    scope: scope ?? "",
    title: values.title,
    content: values.content,
    prompt: values.prompt,
    promptBook: "",
    activitySlug: values.activitySlug ?? "",
    hutId: values.hutId === null ? "" : String(values.hutId),
    startMode: values.isManuallyStarted ? "manual" : "date",
    startedAt: pickerText(values.startedAt, timeZone),
    duration: formatDuration(values.duration),
    participantLimit: values.participantLimit === null ? "" : String(values.participantLimit),
    donationLink: values.donationLink,
    meetingLink: values.meetingLink,
    joinCode: values.joinCode,
    isFree: values.isFree ? "on" : "",
    takesGuests: values.guestLimit > 0 ? "on" : "",
    guestLimit: String(values.guestLimit || GUESTS_BY_DEFAULT),
    needsHost: values.needsHost ? "on" : "",
    isPrivate: values.isPrivate ? "on" : "",
    keepsWaiting: "",
    repeatEvery: "",
    repeatCount: "",
    category: values.category ?? "",
    difficulty: String(values.difficulty),
    schedule: JSON.stringify(values.schedule),
  };
}

/** The fields that the form computes. */
const NOT_TYPED = ["uuid", "timeZone", "intent", "stay", MADE_FOR_FIELD];

/** The texts of a form's fields; an unchecked box has none. */
const fieldsOf = (form: HTMLFormElement | null): Texts =>
  Object.fromEntries(
    [...new FormData(form ?? undefined)].filter(
      (field): field is [string, string] => typeof field[1] === "string" && !NOT_TYPED.includes(field[0]),
    ),
  );

/** The start and length of a started session are fixed. */
const FIXED_AFTER_START = new Set(["startMode", "startedAt", "duration"]);

/** The editor reports its initial value; without timers it changes nothing, so the form need not render again. */
const isSameTimers = (a: TimersTyped, b: TimersTyped): boolean =>
  a.length === b.length && a.problems.length === 0 && b.problems.length === 0;

export function SessionForm({ form }: { form: SessionFormData }) {
  const [restored, setRestored] = useState<Texts | null>(null);
  // Restoring a draft remounts the form with its values.
  return (
    <FilledForm key={String(restored !== null)} data={form} restored={restored} onRestore={setRestored} />
  );
}

type FilledFormProps = {
  data: SessionFormData;
  restored: Texts | null;
  onRestore: (fields: Texts) => void;
};

function FilledForm({ data, restored, onRestore }: FilledFormProps) {
  const { timeZone } = useShell();
  const reader = useReader();
  const isHydrated = useHydrated();
  const isNew = data.id === null;
  const hasStarted = data.status !== SESSION_STATUS.waiting;
  const isOver = data.status === SESSION_STATUS.ended;
  const [timers, setTimers] = useState<TimersTyped>({ length: seconds(0), problems: [] });
  const { title, ...others } = sessionRules(timers, reader, hasStarted);
  const form = useActionForm({
    intent: isNew ? "create" : "update",
    uuid: data.uuid,
    since: data.since,
    rules: data.mayEditTexts ? { title, ...others } : others,
    redirects: true,
    warns: true,
  });
  const storedTexts = useMemo(() => textsOf(data, timeZone), [data, timeZone]);
  const fieldValue = (name: string): string => {
    if (restored) return restored[name] ?? "";
    // Values that the form does not ask for, or that are too long to send back, keep their stored state.
    const isEditable = !(hasStarted && FIXED_AFTER_START.has(name));
    const isResubmitted = isEditable && (name !== "schedule" || form.shownValue(name) !== "");
    return isResubmitted ? form.shownValue(name, storedTexts[name]) : (storedTexts[name] ?? "");
  };
  const field = (name: string) => ({ name, defaultValue: fieldValue(name), error: form.errorsOf(name) });
  const [schedule] = useState(() => readSchedule(fieldValue("schedule"), data.values.schedule));
  const [when, setWhen] = useState<When>(() => ({
    isManual: fieldValue("startMode") === "manual",
    startedAt: readPicker(fieldValue("startedAt"), timeZone),
    duration: parseDuration(fieldValue("duration")).seconds ?? null,
  }));
  const isFolded = isNew && restored === null && !form.isFailed;
  // A new session lasts as long as its timers until its duration is typed.
  const followsTimers = useRef(isFolded);
  const hasTimers = timers.length > 0 || partsInOrder(schedule).length > 0;
  const draft = useDraft<Texts>({
    name: `session form ${data.id ?? `new ${data.repeats ?? ""} ${data.values.activitySlug ?? ""}`}`,
    element: form.element,
    read: () => fieldsOf(form.element.current),
    isSaved: (typed) => JSON.stringify(typed) === JSON.stringify(fieldsOf(form.element.current)),
  });
  const { keep } = draft;

  const applyTimers = useCallback(
    (next: Schedule, length: Seconds, problems: readonly ProblemWithSentence[]) => {
      setTimers((last) => (isSameTimers(last, { length, problems }) ? last : { length, problems }));
      if (followsTimers.current && length > 0)
        setWhen((last) => ({ ...last, duration: Math.max(300, length) }));
      // The editor reports its initial value too.
      if (JSON.stringify(next) !== JSON.stringify(schedule)) keep();
    },
    [keep, schedule],
  );

  return (
    <ActionForm form={form} className="group/session flex flex-col gap-2.5 sm:gap-3" onChange={keep}>
      {draft.stored && !restored && (
        <UnsavedDraftNotice draft={draft.stored} onRestore={onRestore} onDiscard={draft.forget} />
      )}
      <FormErrors form={form} />
      {data.repeats !== null && <input type="hidden" name="repeats" value={data.repeats} />}
      {data.scope !== null && <ScopeFields chosenScope={fieldValue("scope")} />}

      {data.mayEditTexts ? (
        <TextRow {...field("title")} label="Title" isRequired maxLength={SESSION_LIMITS.title} />
      ) : (
        <input type="hidden" name="withoutTexts" value="on" />
      )}

      <div className="field-grid grid-cols-6 gap-3 sm:grid-cols-[14rem_minmax(0,1fr)_minmax(0,1fr)] sm:gap-x-4">
        <WhenFields
          when={when}
          typedDuration={fieldValue("duration")}
          errorsOf={form.errorsOf}
          timersLength={timers.length}
          hasTimers={hasTimers}
          hasStarted={hasStarted}
          onChange={(change) => {
            if (change.duration !== undefined) followsTimers.current = false;
            setWhen((last) => ({ ...last, ...change }));
            keep();
          }}
        />
        {isNew && !(isHydrated && when.isManual) && (
          <RepeatFields
            startedAt={when.startedAt}
            isBeside={hasTimers}
            fieldValue={fieldValue}
            errors={[...form.errorsOf("repeatEvery"), ...form.errorsOf("rule")]}
            onChange={keep}
          />
        )}
        {(isNew || data.canHost) && (
          <JoiningFields
            field={field}
            participantsCount={data.participantsCount}
            waitersCount={data.waitersCount}
          />
        )}
      </div>

      {!isOver && (
        <FieldGroup legend="Timers" isLabelHidden={isFolded}>
          <ScheduleField
            defaultValue={schedule}
            isFolded={isFolded}
            plan={{
              sessionStart: hasStarted ? data.values.startedAt : when.isManual ? null : when.startedAt,
              isManuallyStarted: when.isManual && !hasStarted,
              rosterSize: Math.max(1, data.participantsCount),
            }}
            typedRows={form.typedRows("rows")}
            onChange={applyTimers}
            error={[...form.errorsOf("schedule"), ...form.errorsUnder("rows")]}
          />
        </FieldGroup>
      )}

      <More
        name="session"
        hint={isNew ? "Activity, hut, content, prompt, links, guests" : undefined}
        isOpen={!isNew || MORE_FIELDS.some(form.hasErrorsUnder)}
      >
        <MoreFields data={data} field={field} />
      </More>

      <div className="submit-row flex flex-wrap items-center gap-x-4 gap-y-1 bg-paper">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          isLoading={form.isBusy}
          className="max-w-full shrink-0"
        >
          {isNew ? "Create session" : "Save session"}
        </Button>
        {/* RepeatFields shows the cost of a series instead. */}
        <p className="min-w-0 flex-1 basis-32 text-sm text-soft group-has-[[name=repeatEvery]>option:not([value='']):checked]/session:hidden">
          {isNew ? "Costs 1 token: your own spot as the host." : "Everyone in the session sees the changes."}
        </p>
      </div>
    </ActionForm>
  );
}

type UnsavedDraftNoticeProps = {
  draft: { typed: Texts; savedAt: number };
  onRestore: (fields: Texts) => void;
  onDiscard: () => void;
};

const UnsavedDraftNotice = ({ draft, onRestore, onDiscard }: UnsavedDraftNoticeProps) => (
  <Notice
    title="You have an unsaved draft"
    action={
      <>
        <Button onClick={() => onRestore(draft.typed)}>Restore</Button>
        <Button variant="ghost" onClick={onDiscard}>
          Discard
        </Button>
      </>
    }
  >
    From <Time at={draft.savedAt} look="auto" />.
  </Notice>
);

const SCOPE_LABELS: Record<Scope, string> = {
  this: "Only this one",
  later: "From here on",
  all: "All upcoming sessions",
};

/** The sessions of the series that the change reaches (G-10). */
function ScopeFields({ chosenScope }: { chosenScope: string }) {
  return (
    <FieldGroup
      legend="This session is part of a series. Change"
      hint="Other sessions get only the fields that you change here. New sessions of the series follow them."
    >
      {SCOPES.map((scope) => (
        <Radio
          key={scope}
          name="scope"
          value={scope}
          label={SCOPE_LABELS[scope]}
          defaultChecked={chosenScope === scope}
        />
      ))}
    </FieldGroup>
  );
}

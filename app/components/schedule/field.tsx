// The schedule as a form field: a hidden value that the part editor (a chunk of its own) sets, and without JavaScript a
// list of rows that the server applies.
import clsx from "clsx";
import { lazy, Suspense, startTransition, useEffect, useState } from "react";
import { FieldErrors, sentencesOf } from "~/components/ui/field";
import { Skeleton } from "~/components/ui/skeleton";
import type { ProblemWithSentence } from "~/domain/schedule/problems";
import type { Schedule } from "~/domain/schedule/shape";
import type { Seconds } from "~/domain/time";
import type { EditorPlan } from "./editor-state";
import { PlainRows, type TypedRow } from "./plain-rows";

const PartEditor = lazy(() => import("./part-editor"));

export type ScheduleFieldProps = {
  /** The hidden field's name. */
  name?: string;
  defaultValue: Schedule;
  plan: EditorPlan;
  /** Shows only the ribbon until "Change" is pressed. */
  isFolded?: boolean;
  onChange?: (schedule: Schedule, length: Seconds, problems: readonly ProblemWithSentence[]) => void;
  error?: string[] | undefined;
  /** Without JavaScript: the typed rows of a refused form. */
  typedRows?: readonly unknown[] | undefined;
};

/** Reads the schedule from the text of a field; `stored` if the text is no schedule. */
export function readSchedule(text: string, stored: Schedule): Schedule {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "groups" in value ? (value as Schedule) : stored;
  } catch {
    return stored;
  }
}

export function ScheduleField({
  name = "schedule",
  defaultValue,
  plan,
  isFolded = false,
  onChange,
  error,
  typedRows,
}: ScheduleFieldProps) {
  // Stored as text, so that an unchanged report of the editor causes no render.
  const [schedule, setSchedule] = useState(() => JSON.stringify(defaultValue));
  const [isEditorWanted, setEditorWanted] = useState(false);
  // A transition, so that loading the editor does not delay the hydration of the form.
  useEffect(() => startTransition(() => setEditorWanted(true)), []);
  // Takes the focus when the schedule as a whole is invalid.
  const focusProps = sentencesOf(error).length > 0 ? { tabIndex: -1, "data-wrong": true } : {};
  return (
    <div className="flex flex-col gap-3" {...focusProps}>
      <input type="hidden" name={name} value={schedule} />
      {isEditorWanted ? (
        <Suspense fallback={<FieldSkeleton isFolded={isFolded} />}>
          <PartEditor
            initial={defaultValue}
            plan={plan}
            isFolded={isFolded}
            onChange={(next, length, problems) => {
              setSchedule(JSON.stringify(next));
              onChange?.(next, length, problems);
            }}
          />
        </Suspense>
      ) : (
        <FieldSkeleton isFolded={isFolded} />
      )}
      <noscript>
        {/* A browser renders no content of noscript, so its build leaves the code out. */}
        {import.meta.env.SSR && (
          <PlainRows schedule={defaultValue} typedRows={typedRows as readonly TypedRow[] | undefined} />
        )}
      </noscript>
      <FieldErrors error={error} />
    </div>
  );
}

const FieldSkeleton = ({ isFolded }: { isFolded: boolean }) => (
  <div className={clsx("needs-script flex flex-col gap-3", !isFolded && "min-h-40")} aria-hidden="true">
    <Skeleton className="h-11 w-48 max-w-full" />
    <Skeleton className={clsx("w-full", isFolded ? "-mt-1 h-11 sm:hidden" : "h-24")} />
  </div>
);

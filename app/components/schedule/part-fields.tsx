// A part in edit mode (U-16): title, length, intervals, start, turns, and editing permissions.

import { useId, useState } from "react";
import { DurationInput } from "~/components/form/duration-input";
import { Button } from "~/components/ui/button";
import { Checkbox, Switch } from "~/components/ui/choices";
import { Field, FieldErrors, FieldGroup } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { More } from "~/components/ui/more";
import { TIMER_PRESETS } from "~/domain/duration-parse";
import { describeDuration } from "~/domain/duration-text";
import { kindOf, PART_KINDS, partSpan } from "~/domain/schedule/part-kinds";
import { KIND_FLAGS, type Part, type PartPlace, partPlaces, SCHEDULE_LIMITS } from "~/domain/schedule/shape";
import { problemsAt, usePartEditor } from "./editor-context";
import { IntervalFields } from "./interval-fields";
import { StartFields } from "./start-fields";

const EDIT_RIGHTS = [
  ["mayEditPrompt", "the prompt"],
  ["mayEditContent", "the content"],
  ["mayEditSummary", "the summary"],
] as const;

type KindSwitch = { label: string; hint: (part: Part, rosterSize: number) => string };
const KIND_SWITCHES: Record<(typeof KIND_FLAGS)[number], KindSwitch> = {
  isPerParticipant: {
    label: "A turn for each participant",
    hint: (part, rosterSize) =>
      part.isPerParticipant
        ? `With ${rosterSize} ${rosterSize === 1 ? "participant" : "participants"} it lasts ${describeDuration(partSpan(part, rosterSize))}; it grows with everyone who joins.`
        : "Everyone gets a turn of this length, one after the other.",
  },
};

/** From this number of timers on, a session shows the rare options of each without a fold. */
const SHOWS_RARE_FROM = 2;

export function PartFields({ place }: { place: PartPlace }) {
  const editing = usePartEditor();
  const { state, dispatch, toggle } = editing;
  const { part, number } = place;
  const id = useId();
  const partId = part.id;
  const isInterval = part.intervals.length > 0;
  const problems = problemsAt(editing, partId);
  const usesRareOptions =
    [...KIND_FLAGS, ...EDIT_RIGHTS.map(([right]) => right), "isFocus" as const].some((name) => part[name]) ||
    problems.length > 0;
  // A state, so that the options do not fold or unfold while somebody edits them.
  const [isFolded] = useState(() => partPlaces(state.schedule).length < SHOWS_RARE_FROM && !usesRareOptions);
  const rareOptions = (
    <>
      <StartFields place={place} />
      {KIND_FLAGS.map((flag) => (
        <Switch
          key={flag}
          label={KIND_SWITCHES[flag].label}
          hint={KIND_SWITCHES[flag].hint(part, state.plan.rosterSize)}
          checked={part[flag] ?? false}
          onChange={(event) =>
            dispatch({ type: "set-kind", partId, flags: { [flag]: event.target.checked } })
          }
        />
      ))}
      <FieldGroup legend="While it runs, people may edit">
        <div className="flex flex-wrap gap-x-6">
          {EDIT_RIGHTS.map(([right, label]) => (
            <Checkbox
              key={right}
              label={label}
              checked={part[right] ?? false}
              onChange={(event) =>
                dispatch({ type: "set-access", partId, change: { [right]: event.target.checked } })
              }
            />
          ))}
        </div>
      </FieldGroup>
      <Checkbox
        label="Quiet: chat rests while it runs"
        hint="The host and admins can still write."
        checked={part.isFocus ?? false}
        onChange={(event) =>
          dispatch({ type: "set-access", partId, change: { isFocus: event.target.checked } })
        }
      />
    </>
  );
  return (
    <fieldset className="flex flex-col gap-4 border-t border-line pt-4" aria-label={`Timer ${number}`}>
      <Field label="Title">
        <TextInput
          data-focus={partId}
          value={part.title}
          maxLength={SCHEDULE_LIMITS.title}
          placeholder={`Timer ${number}`}
          onChange={(event) => dispatch({ type: "set-title", partId, title: event.target.value })}
        />
      </Field>
      {!isInterval && (
        <DurationInput
          label={PART_KINDS[kindOf(part)].durationLabel}
          value={part.duration}
          firstPresets={TIMER_PRESETS}
          onChange={(span) => dispatch({ type: "set-duration", partId, seconds: span ?? 0 })}
        />
      )}
      <IntervalFields part={part} />
      {isFolded ? (
        <More
          name="timer-options"
          label="More options"
          hint="Start, turns, what people may edit"
          isOpen={false}
        >
          {rareOptions}
        </More>
      ) : (
        rareOptions
      )}
      <FieldErrors id={`${id}-problems`} error={problems} />
      <Button className="self-start" onClick={() => toggle(partId, false)}>
        Done with this timer
      </Button>
    </fieldset>
  );
}

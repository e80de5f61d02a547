// A duration as people write it ("1h 30m", "90m", "1:30:00"), with presets (T-17, T-19, R-19). Unreadable text shows an
// error under the field and changes nothing.
import { useEffect, useRef, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Field, type FieldError } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { DURATION_PRESETS, type DurationPreset, parseDuration } from "~/domain/duration-parse";
import { formatDuration } from "~/domain/duration-text";

export type DurationInputProps = {
  label: string;
  name?: string;
  /** Seconds; null is empty. */
  value: number | null;
  /** The text of a refused form, when it does not parse as a duration. */
  refusedText?: string | undefined;
  /** Called with every readable value, in seconds; null when emptied. */
  onChange?: (seconds: number | null) => void;
  hint?: string;
  error?: FieldError;
  isRequired?: boolean;
  isDisabled?: boolean;
  isLabelHidden?: boolean;
  hasPresets?: boolean;
  /** The presets that are shown first. The other documented presets follow behind "Longer". */
  firstPresets?: readonly DurationPreset[];
  className?: string;
};

const textOf = (seconds: number | null): string => (seconds === null ? "" : formatDuration(seconds));

export function DurationInput(props: DurationInputProps) {
  const { label, name, value, refusedText, onChange, hint, error, isDisabled, hasPresets = true } = props;
  const { firstPresets = DURATION_PRESETS } = props;
  const [text, setText] = useState(() => (value === null && refusedText ? refusedText : textOf(value)));
  const [problem, setProblem] = useState<string | null>(null);
  // The last value of this field; another value from outside replaces the text.
  const lastValue = useRef(value);

  useEffect(() => {
    if (value === lastValue.current) return;
    lastValue.current = value;
    setText(textOf(value));
    setProblem(null);
  }, [value]);

  const emitSeconds = (seconds: number | null) => {
    lastValue.current = seconds;
    setProblem(null);
    onChange?.(seconds);
  };
  const handleTyping = (text: string) => {
    setText(text);
    const parsed = parseDuration(text);
    if (parsed.seconds !== undefined) emitSeconds(parsed.seconds);
    else if (parsed.empty) emitSeconds(null);
  };
  const handleBlur = () => {
    const parsed = parseDuration(text);
    setProblem(parsed.error ?? null);
    if (parsed.seconds !== undefined) setText(formatDuration(parsed.seconds));
  };
  const longerPresets = DURATION_PRESETS.filter(
    ({ seconds }) => !firstPresets.some((preset) => preset.seconds === seconds),
  );
  const presetButton = (preset: DurationPreset) => (
    <button
      key={preset.seconds}
      type="button"
      aria-pressed={value === preset.seconds}
      className="inline-flex min-h-11 items-center rounded-full border border-line bg-surface px-3 text-sm text-soft hover:border-edge hover:text-ink aria-pressed:border-ember aria-pressed:font-semibold aria-pressed:text-ember sm:min-h-9"
      onClick={() => {
        setText(formatDuration(preset.seconds));
        emitSeconds(preset.seconds);
      }}
    >
      {preset.title}
    </button>
  );
  return (
    <div className={props.className}>
      <Field
        label={label}
        hint={hint}
        error={problem ?? error}
        isRequired={props.isRequired}
        isLabelHidden={props.isLabelHidden}
      >
        <TextInput
          name={name}
          value={text}
          disabled={isDisabled}
          inputMode="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="1h 30m"
          onChange={(event) => handleTyping(event.target.value)}
          onBlur={handleBlur}
        />
      </Field>
      {hasPresets && !isDisabled && (
        <fieldset className="needs-script mt-2 min-w-0">
          <legend className="sr-only">Presets for {label}</legend>
          <div className="flex flex-wrap gap-2">{firstPresets.map(presetButton)}</div>
          {longerPresets.length > 0 && (
            <details className="group/longer">
              <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-1 text-sm text-soft marker:content-none">
                <Icon name="right" className="size-4! transition-transform group-open/longer:rotate-90" />
                Longer
              </summary>
              <div className="flex flex-wrap gap-2">{longerPresets.map(presetButton)}</div>
            </details>
          )}
        </fieldset>
      )}
    </div>
  );
}

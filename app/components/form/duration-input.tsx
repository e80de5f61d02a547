// A duration as people write it ("1h 30m", "90m", "1:30:00"), with presets (T-17, T-19, R-19). Unreadable text shows an
// error under the field and changes nothing.
import { useEffect, useRef, useState } from "react";
import { Field, type FieldError } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { DURATION_PRESETS, parseDuration } from "~/domain/duration-parse";
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
  className?: string;
};

const textOf = (seconds: number | null): string => (seconds === null ? "" : formatDuration(seconds));

export function DurationInput(props: DurationInputProps) {
  const { label, name, value, refusedText, onChange, hint, error, isDisabled, hasPresets = true } = props;
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
    const read = parseDuration(text);
    if (read.seconds !== undefined) emitSeconds(read.seconds);
    else if (read.empty) emitSeconds(null);
  };
  const handleBlur = () => {
    const read = parseDuration(text);
    setProblem(read.error ?? null);
    if (read.seconds !== undefined) setText(formatDuration(read.seconds));
  };
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
        <fieldset className="needs-script mt-2 flex min-w-0 flex-wrap gap-2">
          <legend className="sr-only">Presets for {label}</legend>
          {DURATION_PRESETS.map((preset) => (
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
          ))}
        </fieldset>
      )}
    </div>
  );
}

// The field of a duration, which works without JavaScript and is written like "1h 30m" (T-17).
import { useState } from "react";
import { Field, type FieldError } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { parseDuration } from "~/domain/duration-parse";
import { formatDuration } from "~/domain/duration-text";

type Props = {
  name: string;
  label: string;
  defaultValue?: string | undefined;
  hint?: string;
  error?: FieldError;
  placeholder?: string;
  isLabelHidden?: boolean;
  isRequired?: boolean;
  className?: string;
};

export function SpanField({ name, defaultValue, placeholder = "1h 30m", error, ...field }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <Field {...field} error={problem ?? error}>
      <TextInput
        name={name}
        defaultValue={defaultValue}
        autoComplete="off"
        autoCapitalize="none"
        maxLength={100}
        placeholder={placeholder}
        onInput={() => setProblem(null)}
        onBlur={(event) => {
          const parsed = parseDuration(event.currentTarget.value);
          setProblem(parsed.error ?? null);
          // Normalises the text: "1:30:00" becomes "1h 30m".
          if (parsed.seconds !== undefined) event.currentTarget.value = formatDuration(parsed.seconds);
        }}
      />
    </Field>
  );
}

/** Seconds as the field shows them. */
export const spanField = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? "" : formatDuration(seconds);

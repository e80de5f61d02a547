// A number field. While the user types, it shows the number that it reads (R-78).
import { type ComponentPropsWithoutRef, type CompositionEvent, type FormEvent, useState } from "react";
import { Field, type FieldError } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { keepNumber, NOT_A_NUMBER, NUMBER_LENGTH, numberText, readNumber } from "~/domain/numbers";
import { useReader } from "~/hooks/use-shell";

type Props = {
  name: string;
  label: string;
  defaultValue?: string | undefined;
  hint?: string;
  error?: FieldError;
  placeholder?: string;
  isLabelHidden?: boolean;
  isRequired?: boolean;
  isWhole?: boolean;
  /** Follows the number in the hint "Read as 5 km." */
  unit?: string;
  className?: string;
};

export function NumberField({
  name,
  defaultValue,
  placeholder,
  hint = "",
  error,
  isWhole = false,
  unit = "",
  ...field
}: Props) {
  const reader = useReader();
  const [typed, setTyped] = useState("");
  const [wasBlurred, setWasBlurred] = useState(false);
  const value = typed.trim() === "" ? null : readNumber(typed, reader.locale);
  const sentence = value === null ? "" : `Read as ${numberText(value, reader.locale)}${unit && ` ${unit}`}.`;
  const isUnreadable = wasBlurred && typed.trim() !== "" && value === null;
  return (
    <Field {...field} hint={sentence || hint} error={isUnreadable ? NOT_A_NUMBER : error}>
      <TextInput
        name={name}
        defaultValue={defaultValue}
        inputMode={isWhole ? "numeric" : "decimal"}
        autoComplete="off"
        maxLength={NUMBER_LENGTH}
        placeholder={placeholder}
        {...numberInputHandlers((text) => {
          setTyped(text);
          setWasBlurred(false);
        })}
        onBlur={() => setWasBlurred(true)}
      />
    </Field>
  );
}

/** Removes typed characters that no number contains, once an input method has composed them. */
function numberInputHandlers(
  onText: (typed: string) => void,
): Pick<ComponentPropsWithoutRef<"input">, "onInput" | "onCompositionEnd"> {
  const handleText = (input: HTMLInputElement) => {
    const text = keepNumber(input.value);
    if (text !== input.value) {
      const caret = keepNumber(input.value.slice(0, input.selectionStart ?? undefined)).length;
      input.value = text;
      input.setSelectionRange(caret, caret);
    }
    onText(text);
  };
  return {
    onInput: (event: FormEvent<HTMLInputElement>) => {
      if (!(event.nativeEvent as InputEvent).isComposing) handleText(event.currentTarget);
    },
    onCompositionEnd: (event: CompositionEvent<HTMLInputElement>) => handleText(event.currentTarget),
  };
}

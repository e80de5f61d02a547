// The field of a number. It shows the number that it reads (R-78), and works without JavaScript too.
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
  /** Follows the number in the sentence that says what was read. */
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
  const [hasLeft, setHasLeft] = useState(false);
  const value = typed.trim() === "" ? null : readNumber(typed, reader.locale);
  const sentence = value === null ? "" : `Read as ${numberText(value, reader.locale)}${unit && ` ${unit}`}.`;
  const isUnreadable = hasLeft && typed.trim() !== "" && value === null;
  return (
    <Field {...field} hint={sentence || hint} error={isUnreadable ? NOT_A_NUMBER : error}>
      <TextInput
        name={name}
        defaultValue={defaultValue}
        inputMode={isWhole ? "numeric" : "decimal"}
        autoComplete="off"
        maxLength={NUMBER_LENGTH}
        placeholder={placeholder}
        {...onNumberTyped((text) => {
          setTyped(text);
          setHasLeft(false);
        })}
        onBlur={() => setHasLeft(true)}
      />
    </Field>
  );
}

/** Removes typed characters that no number contains, once an input method has composed them. */
function onNumberTyped(
  onText: (typed: string) => void,
): Pick<ComponentPropsWithoutRef<"input">, "onInput" | "onCompositionEnd"> {
  const read = (input: HTMLInputElement) => {
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
      if (!(event.nativeEvent as InputEvent).isComposing) read(event.currentTarget);
    },
    onCompositionEnd: (event: CompositionEvent<HTMLInputElement>) => read(event.currentTarget),
  };
}

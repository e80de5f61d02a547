// The input of a date and time in the viewer's time zone, with the browser's picker.
import { useEffect, useRef, useState } from "react";
import { TextInput } from "~/components/ui/inputs";
import { formatFormDate, parseFormDate } from "~/domain/date-text";
import { type Instant, MINUTE } from "~/domain/time";

/** "Europe/Vienna (GMT+1)" at an instant. */
export function zoneName(timeZone: string, at: number, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "shortOffset" }).formatToParts(at);
  const offset = parts.find((part) => part.type === "timeZoneName")?.value;
  const name = timeZone.replaceAll("_", " ");
  return offset && offset !== name ? `${name} (${offset})` : name;
}

/** The text of the browser's picker: "2026-11-21T09:30", with seconds only if there are some. */
export function pickerText(at: Instant | null, timeZone: string): string {
  if (at === null) return "";
  const text = formatFormDate(at, timeZone).replace(" ", "T");
  return at % MINUTE === 0 ? text.slice(0, -3) : text;
}

/** The picker's instant. Empty text is null; invalid text is null with a console error (T-20). */
export function readPicker(text: string, timeZone: string): Instant | null {
  if (text === "") return null;
  const at = parseFormDate(text, timeZone);
  if (at === null) console.error(`Invalid date: ${text}`);
  return at;
}

type DateTimeInputProps = {
  name?: string;
  value: Instant | null;
  onChange?: (at: Instant | null) => void;
  /** Called on leaving an empty field whose value has stayed. The picker is empty too while somebody types in it. */
  onClear?: () => void;
  timeZone: string;
  min?: Instant | null;
  isDisabled?: boolean;
  "aria-label"?: string;
};

export function DateTimeInput({
  name,
  value,
  onChange,
  onClear,
  timeZone,
  min = null,
  isDisabled,
  ...rest
}: DateTimeInputProps) {
  const [text, setText] = useState(() => pickerText(value, timeZone));
  const lastValue = useRef(value);
  useEffect(() => {
    if (value === lastValue.current) return;
    lastValue.current = value;
    setText(pickerText(value, timeZone));
  }, [value, timeZone]);
  return (
    <TextInput
      type="datetime-local"
      name={name}
      value={text}
      min={pickerText(min, timeZone) || undefined}
      step={value !== null && value % MINUTE !== 0 ? 1 : 60}
      disabled={isDisabled}
      onChange={(event) => {
        setText(event.target.value);
        const instant = readPicker(event.target.value, timeZone);
        lastValue.current = instant;
        onChange?.(instant);
      }}
      onBlur={({ target }) => {
        // A window that loses the focus keeps the field as its active element.
        if (target.value !== "" || value === null || target.ownerDocument.activeElement === target) return;
        lastValue.current = value;
        setText(pickerText(value, timeZone));
        if (!target.validity.badInput) onClear?.();
      }}
      {...rest}
    />
  );
}

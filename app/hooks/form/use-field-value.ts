// The value of a text field or select as state. Text typed before hydration counts, since React reports no change for
// it.
import { type ChangeEvent, useCallback, useState } from "react";

type TextControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** `ref` and `onChange` belong on the control; `initial` is the value that the server rendered. */
export function useFieldValue(initial: string) {
  const [value, setValue] = useState(initial);
  const ref = useCallback((control: TextControl | null) => {
    if (control) setValue(control.value);
  }, []);
  const onChange = useCallback((change: ChangeEvent<TextControl>) => setValue(change.target.value), []);
  return { value, setValue, props: { ref, onChange } };
}

// A thing that turns into its form in place. Focus follows: into the first field of a form that a press has opened, and
// back to the pencil when it closes.
import { type RefObject, useEffect, useRef, useState } from "react";

export function useEditing(startsEditing = false) {
  const [isEditing, setEditing] = useState(startsEditing);
  const isOpenedByPress = useIsShown();
  const wasEditing = useRef(startsEditing);
  const pencil = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (wasEditing.current && !isEditing) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return { isEditing, setEditing, pencil, isOpenedByPress };
}

/** False while something arrives with its page; what it opens after that was opened by a press. */
export function useIsShown(): boolean {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
  }, []);
  return shown.current;
}

/** Once, when the form appears. */
export function useFirstFieldFocus(form: RefObject<HTMLElement>, isWanted: boolean) {
  const wanted = useRef(isWanted);
  useEffect(() => {
    if (wanted.current)
      form.current?.querySelector<HTMLElement>("input:not([type=hidden]), textarea, select")?.focus();
  }, [form]);
}

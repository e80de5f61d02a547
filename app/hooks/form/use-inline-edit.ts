// Inline editing: an item that turns into its form in place. Focus moves into the first field when a click opens the
// form, and back to the edit button, or the menu that has it, when it closes.
import { type RefObject, useEffect, useRef, useState } from "react";

export function useInlineEdit(startsEditing = false) {
  const [isEditing, setEditing] = useState(startsEditing);
  const isOpenedByPress = useHasMounted();
  const wasEditing = useRef(startsEditing);
  const pencil = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (wasEditing.current && !isEditing)
      (pencil.current?.closest("details")?.querySelector("summary") ?? pencil.current)?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return { isEditing, setEditing, pencil, isOpenedByPress };
}

/** False during the first render, so that a form which arrives open with its page takes no focus. */
export function useHasMounted(): boolean {
  const hasMounted = useRef(false);
  useEffect(() => {
    hasMounted.current = true;
  }, []);
  return hasMounted.current;
}

/** Focuses the first field once, on mount. */
export function useFirstFieldFocus(form: RefObject<HTMLElement>, isWanted: boolean) {
  const isWantedRef = useRef(isWanted);
  useEffect(() => {
    if (isWantedRef.current)
      form.current?.querySelector<HTMLElement>("input:not([type=hidden]), textarea, select")?.focus();
  }, [form]);
}

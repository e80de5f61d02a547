// A draft of a form or a field: unsent input, stored in this browser until the form is accepted.
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useShell } from "~/hooks/use-shell";

/** The event of an accepted form; its drafts are then deleted. */
export const ACCEPTED = "bothy:accepted";

export type Draft<T> = { savedAt: number; typed: T };

const SAVE_AFTER_MS = 600;
const KEEP_MS = 14 * 24 * 3_600_000;

function loadDraft<T>(key: string): Draft<T> | null {
  try {
    const draft: Draft<T> | null = JSON.parse(localStorage.getItem(key) ?? "null");
    return draft && Date.now() - draft.savedAt < KEEP_MS ? draft : null;
  } catch {
    return null;
  }
}

function storeDraft<T>(key: string, draft: Draft<T> | null): void {
  try {
    if (draft === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage is full or forbidden; the fields themselves still hold the input.
  }
}

type Options<T> = {
  /** The key of the draft among those of this user; without it nothing is stored. */
  name: string | undefined;
  /** The form, or a field in it. */
  element: RefObject<HTMLFormElement | HTMLTextAreaElement>;
  /** The current input of the form or field. */
  read: () => T;
  /** True when losing this draft would lose nothing. */
  isSaved: (typed: T) => boolean;
};

/** `stored` is a draft of an earlier visit that the page does not show yet. */
export function useDraft<T>(options: Options<T>) {
  const { name, element } = options;
  const { viewer } = useShell();
  // The key contains the username, so that the next user of this browser does not see the draft.
  const key = name === undefined ? undefined : `draft:${viewer?.username ?? ""} ${name}`;
  const [stored, setStored] = useState<Draft<T> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const latest = useRef(options);
  latest.current = options;
  /** Typed since the last save. */
  const pending = useRef<{ typed: T } | null>(null);

  const forget = useCallback(() => {
    clearTimeout(timer.current);
    pending.current = null;
    setStored(null);
    if (key) storeDraft(key, null);
  }, [key]);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    if (!key || !pending.current) return;
    // The form may have changed since it last reported a change.
    const typed = element.current ? latest.current.read() : pending.current.typed;
    pending.current = null;
    storeDraft(key, { savedAt: Date.now(), typed });
  }, [key, element]);

  // A page that is left or closed within the pause saves the last input too.
  useEffect(() => {
    window.addEventListener("pagehide", save);
    return () => {
      window.removeEventListener("pagehide", save);
      save();
    };
  }, [save]);

  /** Call it on every change; it saves after a pause (debounced). */
  const keep = useCallback(() => {
    clearTimeout(timer.current);
    if (!key) return;
    pending.current = { typed: latest.current.read() };
    timer.current = setTimeout(save, SAVE_AFTER_MS);
  }, [key, save]);

  useEffect(() => {
    const draft = key ? loadDraft<T>(key) : null;
    if (!key || !draft) return;
    if (latest.current.isSaved(draft.typed)) storeDraft(key, null);
    else setStored(draft);
  }, [key]);

  useEffect(() => {
    const { current } = element;
    const form = current instanceof HTMLTextAreaElement ? current.form : current;
    form?.addEventListener(ACCEPTED, forget);
    return () => form?.removeEventListener(ACCEPTED, forget);
  }, [element, forget]);

  return { stored, keep, forget, hide: () => setStored(null) };
}

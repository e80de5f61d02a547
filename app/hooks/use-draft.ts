// A long form's draft, kept in this browser until the form was taken. What is kept are the form's own fields as
// typed; restoring is the form's work.
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

export type Draft = { savedAt: number; fields: Record<string, string> };

const SAVE_AFTER_MS = 600;
const KEEP_MS = 14 * 24 * 3_600_000;
const isDraft = (value: unknown): value is Draft =>
  typeof value === "object" && value !== null && "savedAt" in value && "fields" in value;

function readDraft(key: string): Draft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return isDraft(value) && Date.now() - value.savedAt < KEEP_MS ? value : null;
  } catch {
    return null;
  }
}

/** The texts of a form's fields; files and what the form makes up itself are left out. */
export function fieldsOf(form: HTMLFormElement, without: readonly string[] = []): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of new FormData(form))
    if (typeof value === "string" && !without.includes(name)) found[name] = value;
  return found;
}

type Options = { key: string; form: RefObject<HTMLFormElement>; without?: readonly string[] };

/** `found` is a draft from an earlier visit that differs from what the form says now. */
export function useDraft({ key, form, without = [] }: Options) {
  const [found, setFound] = useState<Draft | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const isTaken = useRef(false);
  const left = useRef(without);

  useEffect(() => {
    const draft = readDraft(key);
    const now = form.current ? fieldsOf(form.current, left.current) : {};
    if (draft && JSON.stringify(draft.fields) !== JSON.stringify(now)) setFound(draft);
  }, [key, form]);

  const forget = useCallback(() => {
    clearTimeout(timer.current);
    setFound(null);
    try {
      localStorage.removeItem(key);
    } catch {
      // A browser that keeps nothing has nothing to forget.
    }
  }, [key]);

  /** Call it on every change; it saves when one pauses. */
  const save = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (!form.current || isTaken.current) return;
      const draft: Draft = { savedAt: Date.now(), fields: fieldsOf(form.current, left.current) };
      try {
        localStorage.setItem(key, JSON.stringify(draft));
      } catch {
        // Full, or not allowed: the form itself still holds everything.
      }
    }, SAVE_AFTER_MS);
  }, [key, form]);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      // The page was left because the form was taken.
      if (isTaken.current) forget();
    },
    [forget],
  );

  return {
    found,
    save,
    forget,
    hide: () => setFound(null),
    /** The form is on its way, or came back. */
    setTaken: (taken: boolean) => {
      isTaken.current = taken;
    },
  };
}

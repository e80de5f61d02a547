// What was typed into one text field, kept in this browser until its form was taken.
import { useFetchers, useNavigation } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useShell } from "~/hooks/use-shell";

const SAVE_AFTER_MS = 600;
const KEEP_MS = 14 * 24 * 3_600_000;
/** A form that is still here so long after its answer was not taken. */
const STILL_HERE_MS = 1000;

const nameOf = (key: string): string => `draft:text:${key}`;

function read(key: string): string | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(key)) ?? "null");
    if (typeof kept !== "object" || kept === null || !("text" in kept) || !("savedAt" in kept)) return null;
    return Date.now() - Number(kept.savedAt) < KEEP_MS ? String(kept.text) : null;
  } catch {
    return null;
  }
}

function write(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(nameOf(key));
    else localStorage.setItem(nameOf(key), JSON.stringify({ savedAt: Date.now(), text }));
  } catch {
    // Full, or not allowed: the field itself still holds everything.
  }
}

/** `found` is a draft of an earlier visit that differs from what the field says. */
export function useTextDraft(about: string | undefined, saved: string) {
  // Whoever signs in next in this browser does not read it.
  const { viewer } = useShell();
  const key = about && `${viewer?.username ?? ""} ${about}`;
  const [found, setFound] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const isTaken = useRef(false);

  useEffect(() => {
    if (!key) return;
    const draft = read(key);
    if (draft === null) return;
    if (draft.trim() === saved.trim()) write(key, null);
    else setFound(draft);
  }, [key, saved]);

  const forget = useCallback(() => {
    clearTimeout(timer.current);
    setFound(null);
    if (key) write(key, null);
  }, [key]);

  const keep = useCallback(
    (text: string) => {
      if (!key) return;
      isTaken.current = false;
      setFound(null);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => write(key, text), SAVE_AFTER_MS);
    },
    [key],
  );

  // The form was sent: when it leaves the page it was taken; when it stays, it was not.
  const navigation = useNavigation();
  const fetchers = useFetchers();
  const isIdle = navigation.state === "idle" && fetchers.length === 0;
  useEffect(() => {
    if (!isIdle) return;
    const wait = setTimeout(() => {
      isTaken.current = false;
    }, STILL_HERE_MS);
    return () => clearTimeout(wait);
  }, [isIdle]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      if (isTaken.current && key) write(key, null);
    },
    [key],
  );

  return {
    found,
    keep,
    forget,
    hide: () => setFound(null),
    setTaken: () => {
      isTaken.current = true;
    },
  };
}

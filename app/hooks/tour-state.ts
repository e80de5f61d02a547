// The progress of a tour. It belongs to its tab and survives a reload; only its end is known to the whole browser.
import { useSyncExternalStore } from "react";

export type TourState = { name: "welcome" | "goal"; step: number; isOpen: boolean; isDone: boolean };

const KEY = "tour";
const listeners = new Set<() => void>();
/** Without storage the progress lasts for this visit. */
let inMemory: string | null = null;
let readText: string | null = null;
let read: TourState | null = null;

function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? inMemory;
  } catch {
    return inMemory;
  }
}

function parse(text: string | null): TourState | null {
  try {
    const value = JSON.parse(text ?? "null") as Partial<TourState> | null;
    if (!value || (value.name !== "welcome" && value.name !== "goal")) return null;
    const step = Number.isInteger(value.step) && Number(value.step) >= 0 ? Number(value.step) : 0;
    return { name: value.name, step, isOpen: value.isOpen === true, isDone: value.isDone === true };
  } catch {
    return null;
  }
}

export function readTour(): TourState | null {
  const text = stored();
  if (text !== readText) {
    readText = text;
    read = parse(text);
  }
  return read;
}

export function saveTour(state: TourState): void {
  inMemory = JSON.stringify(state);
  try {
    sessionStorage.setItem(KEY, inMemory);
    if (state.isDone) localStorage.setItem(KEY, inMemory);
  } catch {
    // Without storage, memory alone holds it.
  }
  for (const listener of listeners) listener();
}

/** At the end of the account's login. */
export function endTour(): void {
  inMemory = null;
  try {
    sessionStorage.removeItem(KEY);
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
  for (const listener of listeners) listener();
}

/** A press has opened the tour, which then goes to the page of its step; a load of a page never does. */
let isPressed = false;
export function takePress(): boolean {
  const was = isPressed;
  isPressed = false;
  return was;
}

/** Starts the tour, or resumes it at its last step. */
export function openTour(name: TourState["name"]): void {
  const before = readTour();
  const goesOn = before?.name === name && !before.isDone;
  isPressed = true;
  saveTour({ name, step: goesOn ? before.step : 0, isOpen: true, isDone: false });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};
export const useTourState = (): TourState | null => useSyncExternalStore(subscribe, readTour, () => null);

// The progress of a tour. It belongs to its tab and survives a reload; only a finished tour is stored for the whole
// browser.
import { useSyncExternalStore } from "react";
import type { TourPlaces } from "~/domain/library";
import { readTab, writeTab } from "~/hooks/tab-texts";

export type TourState = {
  name: "welcome" | "goal";
  step: number;
  isOpen: boolean;
  isDone: boolean;
  /** Where the tour's activity and session are on this installation (H-02). */
  places?: TourPlaces | undefined;
};

const KEY = "tour";
const listeners = new Set<() => void>();
let cachedText: string | null = null;
let cachedState: TourState | null = null;

function readStorage(): string | null {
  try {
    return readTab("tour") ?? localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function parse(text: string | null): TourState | null {
  try {
    const value = JSON.parse(text ?? "null") as Partial<TourState> | null;
    if (!value || (value.name !== "welcome" && value.name !== "goal")) return null;
    const step = Number.isInteger(value.step) && Number(value.step) >= 0 ? Number(value.step) : 0;
    const { activity, session } = value.places ?? {};
    const places = {
      activity: typeof activity === "string" && /^[a-z0-9-]+$/.test(activity) ? activity : null,
      session: Number.isInteger(session) ? Number(session) : null,
    };
    return { name: value.name, step, isOpen: value.isOpen === true, isDone: value.isDone === true, places };
  } catch {
    return null;
  }
}

export function readTour(): TourState | null {
  const text = readStorage();
  if (text !== cachedText) {
    cachedText = text;
    cachedState = parse(text);
  }
  return cachedState;
}

export function saveTour(state: TourState): void {
  const text = JSON.stringify(state);
  writeTab("tour", text);
  try {
    if (state.isDone) localStorage.setItem(KEY, text);
  } catch {
    // Without storage, the next visit begins the tour again.
  }
  for (const listener of listeners) listener();
}

/**
 * True after a press has opened the tour, which then goes to the page of its step. A load of a page does not.
 */
let isOpenedByPress = false;
export function takePress(): boolean {
  const wasPressed = isOpenedByPress;
  isOpenedByPress = false;
  return wasPressed;
}

/** Starts the tour, or resumes it at its last step. */
export function openTour(name: TourState["name"]): void {
  const current = readTour();
  const isResuming = current?.name === name && !current.isDone;
  isOpenedByPress = true;
  saveTour({
    name,
    step: isResuming ? current.step : 0,
    isOpen: true,
    isDone: false,
    places: current?.places,
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};
export const useTourState = (): TourState | null => useSyncExternalStore(subscribe, readTour, () => null);

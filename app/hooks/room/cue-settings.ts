// The cues that the viewer has switched on, stored in this browser.
import { useSyncExternalStore } from "react";
import { createListeners } from "~/hooks/listeners";

export type CueSettings = { sound: boolean; vibration: boolean; notifications: boolean };

const KEY = "cues";
const DEFAULTS: CueSettings = { sound: true, vibration: true, notifications: false };

let current: CueSettings | null = null;
const { notify, subscribe } = createListeners();

function read(): CueSettings {
  if (current) return current;
  try {
    const storedSettings: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    current = { ...DEFAULTS, ...(typeof storedSettings === "object" ? storedSettings : {}) };
  } catch {
    current = DEFAULTS;
  }
  return current;
}

export function setCueSettings(change: Partial<CueSettings>): void {
  current = { ...read(), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Without storage the choice lasts until the page closes.
  }
  notify();
}

export const useCueSettings = (): CueSettings => useSyncExternalStore(subscribe, read, () => DEFAULTS);

/** Asks for permission; false if the user refuses or the browser has no notifications. */
export async function requestNotificationPermission(): Promise<boolean> {
  if (!("Notification" in window)) return false;
  const answer =
    Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  return answer === "granted";
}

// Keeps the screen awake while something wants it and the page is visible, in browsers that support it.
import { useEffect } from "react";

export function useWakeLock(isWanted: boolean): void {
  useEffect(() => (isWanted ? keepAwake() : undefined), [isWanted]);
}

/** Takes the lock whenever the page is visible. Returns the function that releases it. */
export function keepAwake(): () => void {
  if (!("wakeLock" in navigator)) return () => {};
  let lock: WakeLockSentinel | null = null;
  let isReleased = false;
  const release = (one: WakeLockSentinel | null) => void one?.release().catch(() => {});
  const takeLock = () => {
    if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
    navigator.wakeLock.request("screen").then(
      (granted) => {
        // Two events before the first grant ask twice.
        release(isReleased ? granted : lock);
        lock = granted;
      },
      () => {},
    );
  };
  takeLock();
  // The browser releases the lock whenever the page is hidden.
  document.addEventListener("visibilitychange", takeLock);
  return () => {
    isReleased = true;
    document.removeEventListener("visibilitychange", takeLock);
    release(lock);
  };
}

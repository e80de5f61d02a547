// Keeps the screen awake while something wants it and the page is visible, in browsers that support it.
import { useEffect } from "react";

export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let isReleased = false;
    const takeLock = () => {
      if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
      navigator.wakeLock.request("screen").then(
        (granted) => {
          if (isReleased) void granted.release();
          else lock = granted;
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
      lock?.release().catch(() => {});
    };
  }, [isWanted]);
}

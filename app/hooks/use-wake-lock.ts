// Keeps the screen awake while something runs and the page is seen; where the browser cannot, nothing happens.
import { useEffect } from "react";

export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const take = () => {
      if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
      navigator.wakeLock.request("screen").then(
        (granted) => {
          if (isOver) void granted.release();
          else lock = granted;
        },
        () => {},
      );
    };
    take();
    // The browser takes it back whenever the page is hidden.
    document.addEventListener("visibilitychange", take);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", take);
      lock?.release().catch(() => {});
    };
  }, [isWanted]);
}

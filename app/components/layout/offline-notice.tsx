// A notice under the header while the browser is offline. Links are then disabled, because following one would replace
// the page (a draft, a running timer) with the browser's error page.
import { useEffect, useState, useSyncExternalStore } from "react";

const watch = (onChange: () => void) => {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
};

export const useIsOffline = (): boolean =>
  useSyncExternalStore(
    watch,
    () => !navigator.onLine,
    () => false,
  );

/** Calls back instead of following links within the app. */
function blockLinks(onTry: () => void): () => void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.origin !== location.origin) return;
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.preventDefault();
    event.stopPropagation();
    onTry();
  };
  addEventListener("click", onClick, true);
  return () => removeEventListener("click", onClick, true);
}

export function OfflineNotice() {
  const isOffline = useIsOffline();
  const [hasTried, setHasTried] = useState(false);
  useEffect(() => {
    setHasTried(false);
    if (isOffline) return blockLinks(() => setHasTried(true));
  }, [isOffline]);
  return (
    <div role="status" className="sticky top-15 z-20 short:top-0">
      {isOffline && (
        <p className="border-b border-line bg-dusk-wash px-4 py-2 text-center text-sm text-ink">
          {hasTried
            ? "You are still offline. You can open that page as soon as you are online."
            : "You are offline. This page may be out of date, and your changes may not be saved."}
        </p>
      )}
    </div>
  );
}

// A line under the header while the browser has no connection.
import { useSyncExternalStore } from "react";

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

export function OfflineNotice() {
  const isOffline = useIsOffline();
  return (
    <div role="status">
      {isOffline && (
        <p className="bg-dusk-wash px-4 py-2 text-center text-sm text-ink">
          You are offline. What you see may be old, and what you change may not be kept.
        </p>
      )}
    </div>
  );
}

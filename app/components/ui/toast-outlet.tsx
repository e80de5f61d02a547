// The element of toasts in every page. Their code loads with the first toast.
import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { onFirstToast } from "~/hooks/toasts";

// If the code does not load, the page loses its toasts instead of failing.
const Toaster = lazy(
  (): Promise<{ default: ComponentType }> => import("./toaster").catch(() => ({ default: () => null })),
);

export function ToastOutlet() {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => onFirstToast(() => setIsWanted(true)), []);
  return isWanted ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}

// The outlet of toasts. It loads with the first toast.
import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { onFirstToast } from "~/hooks/toasts";

// Without its code a toast is lost, and not the page.
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

// The outlet of toasts. It loads with the first toast.
import { lazy, Suspense, useEffect, useState } from "react";
import { onFirstToast } from "~/hooks/toasts";

const Toaster = lazy(() => import("./toaster"));

export function ToastOutlet() {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => onFirstToast(() => setIsWanted(true)), []);
  return isWanted ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}

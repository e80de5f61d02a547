// Loads the code for a page without a network, after everything else.
import { lazy, Suspense, useEffect, useState } from "react";

const Offline = lazy(async () => ({ default: (await import("./offline")).Offline }));

export function OfflineOutlet() {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const load = () => setLoaded(true);
    if (document.readyState === "complete") return load();
    addEventListener("load", load);
    return () => removeEventListener("load", load);
  }, []);
  return isLoaded ? (
    <Suspense>
      <Offline />
    </Suspense>
  ) : null;
}

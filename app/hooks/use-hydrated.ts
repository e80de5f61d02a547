// True once React has hydrated the page.
import { startTransition, useEffect, useState } from "react";

/** False on the server and at the first render. A transition, so that the next render gives way to presses. */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => startTransition(() => setHydrated(true)), []);
  return isHydrated;
}

// True once React has hydrated the page.
import { useEffect, useState } from "react";

/** False on the server and at the first render. */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}

// True when the user prefers reduced motion.
import { useSyncExternalStore } from "react";

const QUERY = "(prefers-reduced-motion: reduce)";

let cachedQuery: MediaQueryList | undefined;
/** Cached, because every render reads it. */
const getQuery = (): MediaQueryList => {
  cachedQuery ??= matchMedia(QUERY);
  return cachedQuery;
};

const watch = (onChange: () => void) => {
  getQuery().addEventListener("change", onChange);
  return () => getQuery().removeEventListener("change", onChange);
};

export const useReducedMotion = (): boolean =>
  useSyncExternalStore(
    watch,
    () => getQuery().matches,
    () => false,
  );

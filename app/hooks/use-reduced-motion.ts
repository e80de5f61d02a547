// True when the user prefers reduced motion.
import { useSyncExternalStore } from "react";

const QUERY = "(prefers-reduced-motion: reduce)";

const watch = (onChange: () => void) => {
  const list = matchMedia(QUERY);
  list.addEventListener("change", onChange);
  return () => list.removeEventListener("change", onChange);
};

export const useReducedMotion = (): boolean =>
  useSyncExternalStore(
    watch,
    () => matchMedia(QUERY).matches,
    () => false,
  );

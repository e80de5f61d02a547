// True when the user prefers reduced motion.
import { useSyncExternalStore } from "react";

const QUERY = "(prefers-reduced-motion: reduce)";

let list: MediaQueryList | undefined;
/** Kept, because every render reads it. */
const motion = (): MediaQueryList => {
  list ??= matchMedia(QUERY);
  return list;
};

const watch = (onChange: () => void) => {
  motion().addEventListener("change", onChange);
  return () => motion().removeEventListener("change", onChange);
};

export const useReducedMotion = (): boolean =>
  useSyncExternalStore(
    watch,
    () => motion().matches,
    () => false,
  );

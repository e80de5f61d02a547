// A lazy part of a page that the server renders too. React drops its HTML when a change reaches it before its code has
// come (error 421), so until then it keeps what it began with.
import {
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { awaitPart } from "~/hooks/lazy-parts";
import { isPageHydrated, LatePartContext } from "~/hooks/use-now";

type Props = { fallback?: ReactNode; children: ReactNode };

export function LazyPart({ fallback, children }: Props) {
  const [first] = useState({ fallback, children });
  const [isLate] = useState(() => !isPageHydrated());
  const [isHydrated, setHydrated] = useState(false);
  const arrival = useRef<(() => void) | "hydrated" | null>(null);
  useEffect(() => {
    if (arrival.current === "hydrated") return;
    const end = awaitPart();
    arrival.current = end;
    return end;
  }, []);
  const markHydrated = useCallback(() => {
    if (typeof arrival.current === "function") arrival.current();
    arrival.current = "hydrated";
    startTransition(() => setHydrated(true));
  }, []);
  const shown = isHydrated ? children : first.children;
  // The same element, because React compares nothing else.
  return useMemo(
    () => (
      <Suspense fallback={first.fallback}>
        <LatePartContext.Provider value={isLate}>{shown}</LatePartContext.Provider>
        <Hydrated tell={markHydrated} />
      </Suspense>
    ),
    [first, shown, markHydrated, isLate],
  );
}

/** Calls a stable `tell` once React has hydrated the boundary around it. */
function Hydrated({ tell }: { tell: () => void }): null {
  useEffect(tell, [tell]);
  return null;
}

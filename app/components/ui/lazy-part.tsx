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
  const [hasCome, setCome] = useState(false);
  const arrival = useRef<(() => void) | "come" | null>(null);
  useEffect(() => {
    if (arrival.current === "come") return;
    const end = awaitPart();
    arrival.current = end;
    return end;
  }, []);
  const come = useCallback(() => {
    if (typeof arrival.current === "function") arrival.current();
    arrival.current = "come";
    startTransition(() => setCome(true));
  }, []);
  const shown = hasCome ? children : first.children;
  // The same element, because React compares nothing else.
  return useMemo(
    () => (
      <Suspense fallback={first.fallback}>
        <LatePartContext.Provider value={isLate}>{shown}</LatePartContext.Provider>
        <Hydrated tell={come} />
      </Suspense>
    ),
    [first, shown, come, isLate],
  );
}

/** Calls a stable `tell` once React has hydrated the boundary around it. */
function Hydrated({ tell }: { tell: () => void }): null {
  useEffect(tell, [tell]);
  return null;
}

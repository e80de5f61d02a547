// A lazy part of a page that the server renders too. React discards the server's HTML if the part changes before its
// code has loaded (error 421), so it keeps its first content until then.
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
  const [initial] = useState({ fallback, children });
  const [isLate] = useState(() => !isPageHydrated());
  const [isHydrated, setHydrated] = useState(false);
  /** Ends the wait that lazy-parts counts; "hydrated" afterwards. */
  const arrival = useRef<(() => void) | "hydrated" | null>(null);
  useEffect(() => {
    if (arrival.current === "hydrated") return;
    const endWait = awaitPart();
    arrival.current = endWait;
    return endWait;
  }, []);
  const markHydrated = useCallback(() => {
    if (typeof arrival.current === "function") arrival.current();
    arrival.current = "hydrated";
    startTransition(() => setHydrated(true));
  }, []);
  const content = isHydrated ? children : initial.children;
  // Memoised, because React skips an unchanged part only if its element is identical.
  return useMemo(
    () => (
      <Suspense fallback={initial.fallback}>
        <LatePartContext.Provider value={isLate}>{content}</LatePartContext.Provider>
        <Hydrated onHydrated={markHydrated} />
      </Suspense>
    ),
    [initial, content, markHydrated, isLate],
  );
}

/** Calls `onHydrated`, which must be stable, once React has hydrated the boundary around it. */
function Hydrated({ onHydrated }: { onHydrated: () => void }): null {
  useEffect(onHydrated, [onHydrated]);
  return null;
}

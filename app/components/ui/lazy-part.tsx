// A lazy part of a page that the server renders too. React drops its HTML when a change reaches it before its code has
// come (error 421), so until then it keeps what it began with.
import {
  createContext,
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";

/**
 * Told of a lazy part that has not come; the answer ends the wait, and may be called again. A change of a context reaches
 * such parts, so the owner of one waits for them.
 */
export type AwaitPart = () => () => void;
export const AwaitPartContext = createContext<AwaitPart | null>(null);

type Props = { fallback?: ReactNode; children: ReactNode };

export function LazyPart({ fallback, children }: Props) {
  const [first] = useState({ fallback, children });
  const [hasCome, setCome] = useState(false);
  const awaitPart = useContext(AwaitPartContext);
  const arrival = useRef<(() => void) | "come" | null>(null);
  useEffect(() => {
    if (awaitPart === null || arrival.current === "come") return;
    const end = awaitPart();
    arrival.current = end;
    return end;
  }, [awaitPart]);
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
        {shown}
        <Hydrated tell={come} />
      </Suspense>
    ),
    [first, shown, come],
  );
}

/** Calls a stable `tell` once React has hydrated the boundary around it. */
function Hydrated({ tell }: { tell: () => void }): null {
  useEffect(tell, [tell]);
  return null;
}

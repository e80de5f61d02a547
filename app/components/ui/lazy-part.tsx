// A lazy part of a page that the server renders too. React drops its HTML when a change reaches it before its code has
// come (error 421), so until then it keeps what it began with.
import {
  type ReactElement,
  type ReactNode,
  Suspense,
  startTransition,
  useEffect,
  useMemo,
  useState,
} from "react";

type Props = { fallback?: ReactNode; children: ReactElement };

export function LazyPart({ fallback, children }: Props) {
  const [first] = useState({ fallback, children });
  const [hasCome, setCome] = useState(false);
  const shown = hasCome ? children : first.children;
  // The same element, because React compares nothing else.
  return useMemo(
    () => (
      <Suspense fallback={first.fallback}>
        {shown}
        <Come tell={() => startTransition(() => setCome(true))} />
      </Suspense>
    ),
    [first, shown],
  );
}

/** Its effect runs once React has hydrated the part. */
function Come({ tell }: { tell: () => void }): null {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(tell, []);
  return null;
}

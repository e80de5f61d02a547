// A part of a page with a chunk of its own that the server renders too.
import { type ComponentType, lazy, memo, type ReactNode, Suspense, useEffect } from "react";
import { usePartOfFirstView } from "~/hooks/first-view";

/**
 * Until the part is hydrated the live room waits, and no render of the page around it reaches it: React would drop its
 * HTML (error 421). Props must therefore be the same from render to render.
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  fallback: ReactNode = null,
): ComponentType<P> {
  const Part = lazy(load) as unknown as ComponentType<P>;
  return memo((props: P) => {
    const onHydrated = usePartOfFirstView();
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
        <Hydrated tell={onHydrated} />
      </Suspense>
    );
  }) as unknown as ComponentType<P>;
}

function Hydrated({ tell }: { tell: () => void }) {
  useEffect(tell, [tell]);
  return null;
}

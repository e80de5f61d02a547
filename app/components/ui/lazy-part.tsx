// A part of a page with a chunk of its own that the server renders too.
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { usePartOfFirstView } from "~/hooks/first-view";

/** The live room waits for the chunk, so that its frames reach no part whose HTML has not been hydrated. */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  fallback: ReactNode = null,
): ComponentType<P> {
  const Part = lazy(load) as unknown as ComponentType<P>;
  return (props) => {
    usePartOfFirstView(load);
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    );
  };
}

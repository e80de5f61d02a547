// The lazy parts that the server rendered and React has not hydrated yet. A frame of the room that reached such a part
// would make React drop its HTML (error 421), with what is typed in it.
import { useCallback, useRef } from "react";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect";

const waiting = new Set<object>();
let resolvers: (() => void)[] = [];

function leave(part: object): void {
  waiting.delete(part);
  if (waiting.size > 0) return;
  for (const resolve of resolvers) resolve();
  resolvers = [];
}

/** Called around the part's `Suspense`; the part calls the result from an effect, which runs once it is hydrated. */
export function usePartOfFirstView(): () => void {
  const part = useRef({}).current;
  useBrowserLayoutEffect(() => {
    waiting.add(part);
    return () => leave(part);
  }, [part]);
  return useCallback(() => leave(part), [part]);
}

/** Resolves once each part is hydrated. Call it in an effect: layout effects come first. */
export const whenFirstViewHydrated = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.size === 0) resolve();
    else resolvers.push(resolve);
  });

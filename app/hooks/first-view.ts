// The chunks of the parts that the server rendered and React hydrates once their code is there. A frame of the room that
// reached such a part earlier would make React drop its HTML, with what is typed in it.
import { useBrowserLayoutEffect } from "./use-browser-layout-effect";

const loading = new Set<Promise<unknown>>();

/** Called beside the `Suspense` of a lazy part that the server renders. */
export const usePartOfFirstView = (load: () => Promise<unknown>): void =>
  useBrowserLayoutEffect(() => {
    const part = load();
    loading.add(part);
    const done = () => loading.delete(part);
    part.then(done, done);
  }, [load]);

/** Resolves once each chunk has arrived or failed. Call it in an effect: layout effects come first. */
export const whenFirstViewLoaded = async (): Promise<void> => {
  await Promise.allSettled(loading);
};

// Components with chunks of their own: the browser loads each when a page shows it, the server before it renders.
import { type ComponentType, type LazyExoticComponent, lazy } from "react";

type Awaited = { isLoaded(): boolean; load(): Promise<void> };
const awaited: Awaited[] = [];

/** The component that `load` imports. Render it within Suspense; the server's HTML contains it at once. */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> | LazyExoticComponent<ComponentType<P>> {
  if (!import.meta.env.SSR) return lazy(async () => ({ default: await load() }));
  const here: { component?: ComponentType<P> } = {};
  awaited.push({
    isLoaded: () => here.component !== undefined,
    async load() {
      here.component = await load();
    },
  });
  return (props: P) => {
    if (!here.component) throw new Error("loadLater has not run before this render.");
    return <here.component {...props} />;
  };
}

/**
 * Loads every such component. The server calls it before each render, and only the first waits. Requests share no
 * promise, because workerd refuses to settle one across them.
 */
export async function loadLater(): Promise<void> {
  const missing = awaited.filter(({ isLoaded }) => !isLoaded());
  await Promise.all(missing.map(({ load }) => load()));
}

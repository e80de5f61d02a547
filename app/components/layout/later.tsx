// Components with chunks of their own: the browser loads each when a page shows it, the server before it renders.
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";
import { HydratedPart } from "~/hooks/use-now";
import { HYDRATED } from "~/wire/hydrated";
import { loadAgain } from "./loading-again";

type Awaited = { isLoaded(): boolean; load(): Promise<void> };
const awaited: Awaited[] = [];

/**
 * The component that `load` imports. The server's HTML contains it at once, and the browser keeps that HTML until the
 * chunk has arrived. Links and forms in it work natively until then; a press on any other button is repeated.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  if (!import.meta.env.SSR) return inBrowser(load);
  const here: { component?: ComponentType<P> } = {};
  awaited.push({
    isLoaded: () => here.component !== undefined,
    async load() {
      here.component = await load();
    },
  });
  return (props: P) => {
    if (!here.component) throw new Error("loadLater has not run before this render.");
    return (
      <Suspense>
        <here.component {...props} />
      </Suspense>
    );
  };
}

/** The boundaries on the page whose content React does not know yet. */
const waiting = new Set<object>();
let whenNoneWaits: (() => void)[] = [];
let pressed: Element | null = null;

function arrived(boundary: object): void {
  waiting.delete(boundary);
  if (pressed && isKnown(pressed)) {
    const button = pressed;
    pressed = null;
    if (button instanceof HTMLElement) button.click();
  }
  if (waiting.size > 0) return;
  removeEventListener("click", remember, true);
  for (const go of whenNoneWaits) go();
  whenNoneWaits = [];
}

/** React marks each element that it has hydrated or made. */
const isKnown = (element: Element): boolean =>
  Object.keys(element).some((key) => key.startsWith("__reactProps"));

const remember = ({ target }: Event): void => {
  const button = target instanceof Element ? target.closest('button[type="button"]') : null;
  if (button && !isKnown(button)) pressed = button;
};

type Part = { isAlive: boolean };
type Inner<P> = { boundary: Part; given: P; onHere: (isHere: true) => void };

function inBrowser<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Content = lazy(async () => {
    const Loaded = await loadAgain(load);
    const content = ({ given, ...arrival }: Inner<P>) => (
      <Arrival {...arrival}>
        <Loaded {...given} />
      </Arrival>
    );
    return { default: content };
  });
  return (props: P) => <Boundary Content={Content} given={props} />;
}

function Boundary<P>({ Content, given }: { Content: ComponentType<Inner<P>>; given: P }) {
  const page = useContext(HydratedPart);
  const [boundary] = useState(() => ({ isAlive: page.isAlive }));
  const [first] = useState(given);
  const [isHere, setHere] = useState(false);
  useBrowserLayoutEffect(() => {
    addEventListener("click", remember, true);
    waiting.add(boundary);
    return () => arrived(boundary);
  }, [boundary]);
  // Until it is here the content keeps its props: React would render an unhydrated part again, with a flash.
  const shown = isHere ? given : first;
  return useMemo(
    () => (
      <HydratedPart.Provider value={boundary}>
        <Suspense>
          <Content boundary={boundary} given={shown} onHere={setHere} />
        </Suspense>
      </HydratedPart.Provider>
    ),
    [Content, boundary, shown],
  );
}

function Arrival({ boundary, onHere, children }: Omit<Inner<unknown>, "given"> & { children: ReactNode }) {
  useEffect(() => {
    boundary.isAlive = true;
    arrived(boundary);
    onHere(true);
  }, [boundary, onHere]);
  return children;
}

/**
 * Calls `go` once no part of the page waits for its chunk. React renders a part again, with a flash, when it changes
 * before it is hydrated. Returns how to call it off.
 */
export function onceComplete(go: () => void): () => void {
  if (waiting.size === 0) go();
  else whenNoneWaits.push(go);
  return () => {
    whenNoneWaits = whenNoneWaits.filter((one) => one !== go);
  };
}

let isLanded = false;
if (!import.meta.env.SSR) addEventListener(HYDRATED, () => (isLanded = true), { once: true });

/**
 * Fetches a chunk beside the data of a navigation, because nothing of it is on the screen yet. A document shows it
 * without the chunk. The module that shows it calls this while it loads.
 */
export function fetchForNavigation(load: () => Promise<unknown>): void {
  if (isLanded) void load().catch(() => {});
}

/** Fetches a chunk that a press may need, a second after hydration. `load` is the same function in every render. */
export function useSoon(load: () => Promise<unknown>, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    const soon = setTimeout(() => void load().catch(() => {}), 1000);
    return () => clearTimeout(soon);
  }, [load, isWanted]);
}

/**
 * Loads every such component. The server calls it before each render, and only the first waits. Requests share no
 * promise, because workerd refuses to settle one across them.
 */
export async function loadLater(): Promise<void> {
  const missing = awaited.filter(({ isLoaded }) => !isLoaded());
  await Promise.all(missing.map(({ load }) => load()));
}

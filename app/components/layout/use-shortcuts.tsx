// Listens for `?`, `/`, `g` and the keys of the page's own controls. The code behind them loads on the first press and
// takes the presses until then.
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";

const Shortcuts = lazy(() => import("./shortcuts"));
const FIRST_KEYS = new Set(["?", "/", "g"]);

/** `timeStamp` in milliseconds. */
export type Press = Pick<KeyboardEvent, "key" | "timeStamp">;

/** True while the user is typing text. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [role=textbox]"));

/** Keys of the browser, of a control or of a text, and a held key, are no shortcuts. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  !(event.defaultPrevented || event.repeat || isTyping(event.target));

export function useShortcuts(): ReactNode {
  const [isWanted, setIsWanted] = useState(false);
  /** Null once the code has loaded and listens itself. */
  const early = useRef<Press[] | null>([]);
  useBrowserLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!early.current || !isShortcut(event)) return;
      const { key } = event;
      const isFirst = early.current.length === 0;
      if (isFirst && !FIRST_KEYS.has(key) && !document.querySelector("[aria-keyshortcuts]")) return;
      const wouldScroll = key === " " && event.target === document.body;
      if (key === "/" || wouldScroll) event.preventDefault();
      early.current.push(event);
      setIsWanted(true);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return isWanted ? (
    <Suspense>
      <Shortcuts early={early} />
    </Suspense>
  ) : null;
}

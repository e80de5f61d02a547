// Listens for `?`, `/`, `g` and the keys of the page's own controls; the code behind them loads on the first press.
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";

const Shortcuts = lazy(() => import("./shortcuts"));
const FIRST_KEYS = new Set(["?", "/", "g"]);

/** True while the user is typing text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [role=textbox]"));

export function useShortcuts(): ReactNode {
  const [firstKey, setFirstKey] = useState<string | null>(null);
  useEffect(() => {
    if (firstKey !== null) return;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target))
        return;
      if (!FIRST_KEYS.has(event.key) && !document.querySelector("[aria-keyshortcuts]")) return;
      const wouldScroll = event.key === " " && event.target === document.body;
      if (event.key === "/" || wouldScroll) event.preventDefault();
      setFirstKey(event.key);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [firstKey]);
  return firstKey === null ? null : (
    <Suspense>
      <Shortcuts firstKey={firstKey} />
    </Suspense>
  );
}

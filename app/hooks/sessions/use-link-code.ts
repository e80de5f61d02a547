// The join code in the fragment of a join link (G-36). The page removes it from the address bar at once.
import { useState } from "react";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";

const PREFIX = "#code=";

/** Empty until the browser has read the fragment, and for a page without a code. */
export function useLinkCode(): string {
  const [code, setCode] = useState("");
  // In a layout effect: React replays a press that came before hydration, and that press needs the code.
  useBrowserLayoutEffect(() => {
    const takeCode = () => {
      const { hash, pathname, search } = window.location;
      if (!hash.startsWith(PREFIX)) return;
      window.history.replaceState(window.history.state, "", pathname + search);
      try {
        setCode(decodeURIComponent(hash.slice(PREFIX.length)));
      } catch {
        // A truncated fragment holds no code.
      }
    };
    takeCode();
    window.addEventListener("hashchange", takeCode);
    return () => window.removeEventListener("hashchange", takeCode);
  }, []);
  return code;
}

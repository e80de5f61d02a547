// The join code in the fragment of a join link (G-36). The page removes it from the address bar at once.
import { useEffect, useState } from "react";

const PREFIX = "#code=";

/** Empty until the browser has read the fragment, and for a page without a code. */
export function useLinkCode(): string {
  const [code, setCode] = useState("");
  useEffect(() => {
    const take = () => {
      const { hash, pathname, search } = window.location;
      if (!hash.startsWith(PREFIX)) return;
      window.history.replaceState(window.history.state, "", pathname + search);
      try {
        setCode(decodeURIComponent(hash.slice(PREFIX.length)));
      } catch {
        // A fragment that was cut holds no code.
      }
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, []);
  return code;
}

// After a change of page: focus goes to the new heading and its title is announced. Tabs keep the focus where it is
// (links with `state={{ keepFocus: true }}`), and a dialog keeps it inside.
import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

export function useArrival(): string {
  const location = useLocation();
  const isIdle = useNavigation().state === "idle";
  const [announced, setAnnounced] = useState("");
  const shownPath = useRef(location.pathname);
  const keepsFocus = Boolean((location.state as { keepFocus?: boolean } | null)?.keepFocus);

  useEffect(() => {
    if (!isIdle || shownPath.current === location.pathname) return;
    shownPath.current = location.pathname;
    setAnnounced(document.title);
    if (keepsFocus || location.hash || document.querySelector("dialog:modal")) return;
    const main = document.getElementById("main");
    const heading = main?.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    (heading ?? main)?.focus({ preventScroll: true });
  }, [isIdle, location.pathname, location.hash, keepsFocus]);

  return announced;
}

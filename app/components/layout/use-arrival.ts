// After navigation: focus moves to the new heading, and its title is announced. Tabs keep the focus (links with
// `state={{ keepFocus: true }}`), and a dialog keeps it inside.
import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";

// Outside the component, because an error page has a frame of its own and is a navigation too.
let shownPath: string | null = null;

export function useArrival(): string {
  const location = useLocation();
  const isIdle = useNavigation().state === "idle";
  const [announcement, setAnnouncement] = useState("");
  const keepsFocus = Boolean((location.state as { keepFocus?: boolean } | null)?.keepFocus);

  useEffect(() => {
    if (!isIdle || shownPath === location.pathname) return;
    const isFirst = shownPath === null;
    shownPath = location.pathname;
    if (isFirst) return;
    setAnnouncement(document.title);
    if (keepsFocus || location.hash || document.querySelector("dialog:modal")) return;
    const main = document.getElementById("main");
    const heading = main?.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    (heading ?? main)?.focus({ preventScroll: true });
  }, [isIdle, location.pathname, location.hash, keepsFocus]);

  return announcement;
}

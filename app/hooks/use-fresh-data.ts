// Reads the page's data again, one reading at a time: a wish during a reading, or while a form or link of the page is
// under way, is met when that is done. (A second one at once would abort the first, which the router reports as an error.)
import { useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

export function useFreshData(): () => void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const isIdle = state === "idle" && navigation.state === "idle";
  const now = useRef({ revalidate, isIdle, isWanted: false });
  now.current.revalidate = revalidate;
  now.current.isIdle = isIdle;
  useEffect(() => {
    if (!isIdle || !now.current.isWanted) return;
    now.current.isWanted = false;
    now.current.revalidate();
  }, [isIdle]);
  // Who has left the page sees no reading end, and can still wish for one: paid for elsewhere, what was pressed here is done.
  useEffect(
    () => () => {
      now.current.isIdle = true;
    },
    [],
  );
  return useCallback(() => {
    if (now.current.isIdle) now.current.revalidate();
    else now.current.isWanted = true;
  }, []);
}

const channel = () => (typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("bothy-my"));

/** Something of the user's own has changed here. */
export function tellOtherTabs(): void {
  const said = channel();
  said?.postMessage("changed");
  said?.close();
}

const STALE_MS = 15_000;

/** Reads the page again when another tab changed something, and when it is seen after a while (a closed laptop). */
export function useFreshWhenSeen(): void {
  const readAgain = useFreshData();
  useEffect(() => {
    const said = channel();
    if (said) said.onmessage = readAgain;
    let hiddenAt = 0;
    const look = () => {
      if (document.visibilityState === "hidden") hiddenAt = Date.now();
      else if (hiddenAt > 0 && Date.now() - hiddenAt > STALE_MS) readAgain();
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("online", readAgain);
    return () => {
      said?.close();
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("online", readAgain);
    };
  }, [readAgain]);
}

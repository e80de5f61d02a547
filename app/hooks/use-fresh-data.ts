// Reloads the page's data, one reload at a time. A request during a reload or navigation runs after it, because a
// second reload would abort the first, which the router reports as an error.
import { useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { afterParts } from "./lazy-parts";
import { isForeignPage } from "./made-for";

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
  // After navigation the component sees no reload end, yet may still request one: a payment on another page completes
  // the action here.
  useEffect(
    () => () => {
      now.current.isIdle = true;
    },
    [],
  );
  const read = useCallback(() => {
    if (isForeignPage()) return;
    if (now.current.isIdle) now.current.revalidate();
    else now.current.isWanted = true;
  }, []);
  return useCallback(() => void afterParts(read), [read]);
}

const open = () => (typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("bothy-my"));

/** The channel on which this page listens. It does not hear its own messages, unlike a second one of the same page. */
let listening: BroadcastChannel | null = null;

/** Notifies other tabs that the user's data changed here. */
export function notifyOtherTabs(): void {
  const tabs = listening ?? open();
  tabs?.postMessage("changed");
  if (tabs !== listening) tabs?.close();
}

const STALE_MS = 15_000;

/** Reloads the page's data when another tab changed it, and when the page is visible again after a while. */
export function useFreshWhenSeen(): void {
  const readAgain = useFreshData();
  useEffect(() => {
    const tabs = open();
    if (tabs) tabs.onmessage = readAgain;
    listening = tabs;
    let hiddenAt = 0;
    const look = () => {
      if (document.visibilityState === "hidden") hiddenAt = Date.now();
      else if (hiddenAt > 0 && Date.now() - hiddenAt > STALE_MS) readAgain();
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("online", readAgain);
    return () => {
      tabs?.close();
      if (listening === tabs) listening = null;
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("online", readAgain);
    };
  }, [readAgain]);
}

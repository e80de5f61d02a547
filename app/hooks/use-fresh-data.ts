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
  const latest = useRef({ revalidate, isIdle, isWanted: false });
  latest.current.revalidate = revalidate;
  latest.current.isIdle = isIdle;
  useEffect(() => {
    if (!isIdle || !latest.current.isWanted) return;
    latest.current.isWanted = false;
    latest.current.revalidate();
  }, [isIdle]);
  // After navigation the component sees no reload end, yet may still request one: a payment on another page completes
  // the action here.
  useEffect(
    () => () => {
      latest.current.isIdle = true;
    },
    [],
  );
  const reload = useCallback(() => {
    if (isForeignPage()) return;
    if (latest.current.isIdle) latest.current.revalidate();
    else latest.current.isWanted = true;
  }, []);
  return useCallback(() => void afterParts(reload), [reload]);
}

const openChannel = () => (typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("bothy-my"));

/** The channel on which this page listens. A second channel of the same page would receive the page's own messages. */
let listening: BroadcastChannel | null = null;

/** Notifies other tabs that this page has changed the user's data. */
export function notifyOtherTabs(): void {
  const tabs = listening ?? openChannel();
  tabs?.postMessage("changed");
  if (tabs !== listening) tabs?.close();
}

const STALE_MS = 15_000;

/** Reloads the page's data when another tab changed it, and when the page is visible again after a while. */
export function useFreshWhenSeen(): void {
  const reloadData = useFreshData();
  useEffect(() => {
    const tabs = openChannel();
    if (tabs) tabs.onmessage = reloadData;
    listening = tabs;
    let hiddenAt = 0;
    const onVisibilityChange = () => {
      if (document.visibilityState === "hidden") hiddenAt = Date.now();
      else if (hiddenAt > 0 && Date.now() - hiddenAt > STALE_MS) reloadData();
    };
    document.addEventListener("visibilitychange", onVisibilityChange);
    window.addEventListener("online", reloadData);
    return () => {
      tabs?.close();
      if (listening === tabs) listening = null;
      document.removeEventListener("visibilitychange", onVisibilityChange);
      window.removeEventListener("online", reloadData);
    };
  }, [reloadData]);
}

// Whether Home announces the free tokens to a new user (U-58). Showing it posts it as read; it stays until it is closed or
// the page reloads, and other messages wait for it.
import { useLocation } from "@remix-run/react";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { callServer } from "~/hooks/call-server";
import { useShell } from "~/hooks/use-shell";
import * as paths from "~/wire/paths";

const KEY = "free_tokens";

export const WelcomeContext = createContext(false);
/** Whether the page welcomes the viewer, so that no second message is beside it. */
export const useIsWelcome = (): boolean => useContext(WelcomeContext);

export function useWelcome(): { isShown: boolean; close: () => void } {
  const { viewer } = useShell();
  const { pathname, search } = useLocation();
  // A page of results greets nobody.
  const isHome = pathname === "/" && !new URLSearchParams(search).has("q");
  const isFlagged = isHome && viewer?.isNew === true && viewer.newMessages.includes(KEY);
  const [shownTo, setShownTo] = useState<number | null>(null);
  const [isClosed, setClosed] = useState(false);
  const isPosted = useRef(false);
  const id = viewer?.id ?? null;

  useEffect(() => {
    if (!isFlagged || isPosted.current) return;
    isPosted.current = true;
    setShownTo(id);
    // After a failure it is shown again next time.
    callServer(paths.readNewMessage, { body: { message_key: KEY } }).catch(() => {});
  }, [isFlagged, id]);

  return {
    isShown: isHome && !isClosed && id !== null && (isFlagged || shownTo === id),
    close: () => setClosed(true),
  };
}

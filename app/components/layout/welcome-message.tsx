// Announces the free tokens once to new users on Home (U-58). Showing it posts it as read; it stays until it is closed
// or the page reloads. Other messages wait for it.
import { Link, useLocation } from "@remix-run/react";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { Button, buttonClass } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { tokensOf, WELCOME_TOKENS } from "~/domain/tokens";
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
  // A page of results greets nobody (Y-01).
  const isHome = pathname === "/" && !new URLSearchParams(search).has("q");
  // Somebody who has spent or bought tokens has other numbers in the header, and is no newcomer.
  const hasAll = viewer?.tokens === tokensOf(WELCOME_TOKENS);
  const isFlagged = isHome && hasAll && viewer.isNew && viewer.newMessages.includes(KEY);
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

export const WelcomeMessage = ({ close }: { close: () => void }) => (
  <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
    <Notice
      tone="success"
      action={
        <span className="needs-script flex flex-wrap gap-2">
          <Link to="/?tour=welcome" preventScrollReset className={buttonClass("quiet")}>
            Take the tour
          </Link>
          <Button variant="ghost" onClick={close}>
            Close
          </Button>
        </span>
      }
    >
      Welcome! You have 10 free tokens to begin with, and they never expire.{" "}
      <TextLink to="/tokens#token-rates">What tokens are for</TextLink>
    </Notice>
  </div>
);

// Announces the free tokens once to new users on Home (U-58). It is marked as read when it shows, and stays until it is
// closed or the page reloads.
import { Link, useLocation } from "@remix-run/react";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { Button, buttonClass } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { tokensOf, WELCOME_TOKENS } from "~/domain/tokens";
import { callServer } from "~/hooks/call-server";
import { useShell } from "~/hooks/use-shell";
import * as paths from "~/wire/paths";

const MESSAGE_KEY = "free_tokens";
const WELCOME = `Welcome! You have ${tokensOf(WELCOME_TOKENS)} free tokens to begin with, and they never expire.`;

export const WelcomeContext = createContext(false);
/** True while the page welcomes the viewer. Other messages then wait. */
export const useIsWelcome = (): boolean => useContext(WelcomeContext);

export function useWelcome(): { isShown: boolean; close: () => void } {
  const { viewer } = useShell();
  const { pathname, search } = useLocation();
  // Search results, which Home shows too, have no welcome (Y-01).
  const isHome = pathname === "/" && !new URLSearchParams(search).has("q");
  // A user who has spent or bought tokens is no newcomer, and the header shows another number.
  const hasAllTokens = viewer?.tokens === tokensOf(WELCOME_TOKENS);
  const isFlagged = isHome && hasAllTokens && viewer.isNew && viewer.newMessages.includes(MESSAGE_KEY);
  const [shownTo, setShownTo] = useState<number | null>(null);
  const [isClosed, setClosed] = useState(false);
  const isPosted = useRef(false);
  const id = viewer?.id ?? null;

  useEffect(() => {
    if (!isFlagged || isPosted.current) return;
    isPosted.current = true;
    setShownTo(id);
    // After a failure the message shows again on the next visit.
    callServer(paths.readNewMessage, { body: { message_key: MESSAGE_KEY } }).catch(() => {});
  }, [isFlagged, id]);

  return {
    isShown: isHome && !isClosed && id !== null && (isFlagged || shownTo === id),
    close: () => setClosed(true),
  };
}

export const WelcomeMessage = ({ onClose }: { onClose: () => void }) => (
  <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
    <Notice
      tone="success"
      action={
        <span className="needs-script flex flex-wrap gap-2">
          <Link to="/?tour=welcome" preventScrollReset className={buttonClass("quiet")}>
            Take the tour
          </Link>
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
        </span>
      }
    >
      {WELCOME} <TextLink to="/tokens#token-rates">What tokens are for</TextLink>
    </Notice>
  </div>
);

// Announces the free tokens once to new users on Home (U-58). Showing it posts it as read; it stays until it is closed
// or the page reloads.
import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { callServer } from "~/hooks/call-server";
import { useShell } from "~/hooks/use-shell";
import * as paths from "~/wire/paths";

const KEY = "free_tokens";

export function WelcomeMessage() {
  const { viewer } = useShell();
  const isHome = useLocation().pathname === "/";
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

  if (!isHome || isClosed || id === null || !(isFlagged || shownTo === id)) return null;
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
      <Notice
        tone="success"
        action={
          <Button className="needs-script" onClick={() => setClosed(true)}>
            Close
          </Button>
        }
      >
        Welcome! You have 10 free tokens to begin with, and they never expire.{" "}
        <TextLink to="/tokens#token-rates">What tokens are for</TextLink>
      </Notice>
    </div>
  );
}

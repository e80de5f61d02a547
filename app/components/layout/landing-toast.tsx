// The toast of an action that redirected to this page. Without scripts a document shows it as a notice, or the refusal
// of the form that it answers.
import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { useContext, useEffect } from "react";
import { MadeFor } from "~/components/form/made-for";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { readableCookie } from "~/domain/cookies";
import { toast } from "~/hooks/toasts";
import { type LandingToast as Landing, readLandingToast } from "~/wire/landing-toast";
import { cookieValue, isSecure, setCookie } from "./cookies";
import { RefusalContext, useIsScriptless } from "./nonce";

/** The location whose toast was shown last, by its key; null until the document's own page was hydrated. */
let shownKey: string | null = null;

export function LandingToast() {
  const landing = useRouteLoaderData<{ toast?: Landing | null }>("root")?.toast;
  const isScriptless = useIsScriptless();
  const { key } = useLocation();

  useEffect(() => {
    if (shownKey === key) return;
    // A document's data contains its toast. The cookie may already have the toast of the next document, if a native
    // submit is under way.
    const isDocument = shownKey === null;
    shownKey = key;
    showLandingToast(isDocument ? landing : takeLandingToast());
  }, [key, landing]);

  // React renders the content of noscript only on the server, so that the browser need not know what is in there.
  const notice = import.meta.env.SSR && (landing ? <LandingNotice {...landing} /> : <RefusalNotice />);
  return isScriptless ? notice : <noscript>{notice}</noscript>;
}

/** Reads the toast of a redirect that loaded no document, and deletes its cookie. */
function takeLandingToast(): Landing | null {
  const value = cookieValue("toast");
  if (value) setCookie(readableCookie(isSecure(), "toast", "", 0));
  return readLandingToast(value);
}

function showLandingToast(landing: Landing | null | undefined): void {
  if (!landing) return;
  const { sentence, log } = landing;
  if (log === null) toast.success(sentence);
  else toast.logged(log, sentence);
}

const NOTICE_CLASS = "mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6";

/** The refusal of a button, a dialog or a form that the page has no more. Fields and forms hide it with their own. */
function RefusalNotice() {
  const refusal = useContext(RefusalContext);
  if (!refusal) return null;
  const isForSale = refusal.code === "INSUFFICIENT_TOKENS" && refusal.lacksTokens !== "host";
  return (
    <div className={`${NOTICE_CLASS} page-refusal`}>
      <Notice tone="error" action={isForSale && <TextLink to="/tokens">Buy tokens</TextLink>}>
        {[...new Set(refusal.sentences)].join(" ")}
      </Notice>
    </div>
  );
}

const LandingNotice = ({ sentence, log }: Landing) => (
  <div className={NOTICE_CLASS}>
    <Notice tone="success" action={log !== null && <PlainUndo log={log} />}>
      {sentence}
    </Notice>
  </div>
);

/** Every page to which a log's form redirects handles this intent. */
const PlainUndo = ({ log }: { log: number }) => (
  <form method="post" aria-label="Undo the log">
    <MadeFor />
    <input type="hidden" name="intent" value="log.delete" />
    <input type="hidden" name="log" value={log} />
    <Button type="submit">Undo</Button>
  </form>
);

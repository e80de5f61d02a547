// The toast of an action that led here by a redirect: a notice in a new document until scripts show it as a toast.
import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { MadeFor } from "~/components/form/made-for";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import type { LandingToast as Landing } from "~/wire/landing-toast";
import { showLanding } from "./after-hydration";
import { useIsScriptless } from "./nonce";

/** The location whose toast was shown last, by its key; null until the document's own page was hydrated. */
let shownAt: string | null = null;

export function LandingToast() {
  const landing = useRouteLoaderData<{ toast?: Landing | null }>("root")?.toast;
  const isScriptless = useIsScriptless();
  const { key } = useLocation();

  useEffect(() => {
    if (shownAt === key) return;
    // A document brings its toast. The cookie may already belong to the next one, when a native submit is under way.
    const isDocument = shownAt === null;
    shownAt = key;
    showLanding(isDocument, landing);
  }, [key, landing]);

  if (!landing) return null;
  // React renders the content of noscript only on the server.
  const notice = import.meta.env.SSR && <LandingNotice {...landing} />;
  return isScriptless ? notice : <noscript>{notice}</noscript>;
}

const LandingNotice = ({ sentence, log }: Landing) => (
  <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
    <Notice tone="success" action={log !== null && <PlainUndo log={log} />}>
      {sentence}
    </Notice>
  </div>
);

/** The page that a log's form leads back to takes this intent too. */
const PlainUndo = ({ log }: { log: number }) => (
  <form method="post" aria-label="Undo the log">
    <MadeFor />
    <input type="hidden" name="intent" value="log.delete" />
    <input type="hidden" name="log" value={log} />
    <Button type="submit">Undo</Button>
  </form>
);

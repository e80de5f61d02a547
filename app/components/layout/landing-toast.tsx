// The toast of an action that led here by a redirect: a notice in a new document until scripts show it as a toast.
import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { lazy, Suspense, useEffect, useState } from "react";
import { MadeFor } from "~/components/form/made-for";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { toast } from "~/hooks/toasts";
import { type LandingToast as Landing, readLandingToast } from "~/wire/landing-toast";
import { useIsScriptless } from "./nonce";
import { takeCookie } from "./use-browser-facts";

const LoggedToast = lazy(() => import("~/components/goals/logged-toast"));

/** The location whose toast was shown last, by its key; null until the document's own page was hydrated. */
let shownAt: string | null = null;

export function LandingToast() {
  const landing = useRouteLoaderData<{ toast?: Landing | null }>("root")?.toast ?? null;
  const isScriptless = useIsScriptless();
  const { key } = useLocation();
  const [logged, setLogged] = useState<{ sentence: string; log: number } | null>(null);

  useEffect(() => {
    if (shownAt === key) return;
    // A document brings its toast. The cookie may already belong to the next one, when a native submit is under way.
    const shown = shownAt === null ? landing : readLandingToast(takeCookie("toast"));
    shownAt = key;
    if (!shown) return;
    const { sentence, log } = shown;
    if (log === null) toast.success(sentence);
    else setLogged({ sentence, log });
  }, [key, landing]);

  const notice = landing && (
    <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
      <Notice tone="success" action={landing.log !== null && <PlainUndo log={landing.log} />}>
        {landing.sentence}
      </Notice>
    </div>
  );
  return (
    <>
      {logged && (
        <Suspense>
          <LoggedToast key={logged.log} {...logged} />
        </Suspense>
      )}
      {notice && (isScriptless ? notice : <noscript>{notice}</noscript>)}
    </>
  );
}

/** The page that a log's form leads back to takes this intent too. */
const PlainUndo = ({ log }: { log: number }) => (
  <form method="post" aria-label="Undo the log">
    <MadeFor />
    <input type="hidden" name="intent" value="log.delete" />
    <input type="hidden" name="log" value={log} />
    <Button type="submit">Undo</Button>
  </form>
);

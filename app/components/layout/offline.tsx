// The page without a network: a notice, the links that still work, the outbox and the stored pages (W-05). It also
// registers the service worker.
import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { MINUTE } from "~/domain/time";
import { OFFLINE_TOGGLE_ATTRIBUTE, toggleForm } from "~/hooks/form-toggle";
import { awaitLateParts } from "~/hooks/load-late";
import { deleteEntries, pruneOutbox, readOutbox, sendOutbox, useOutbox } from "~/hooks/outbox/outbox";
import { canOpenOffline, deletePagesOfOthers, isInstalled, storePage } from "~/hooks/outbox/stored-pages";
import { useIsOffline } from "~/hooks/outbox/use-is-offline";
import { toast } from "~/hooks/toasts";
import { notifyOtherTabs, useFreshData } from "~/hooks/use-fresh-data";
import { useShell } from "~/hooks/use-shell";
import { LeavingQuestion } from "./leaving-question";
import { Outbox } from "./outbox";

/**
 * Opens links to stored pages, and calls `onUnavailable` for other links, because following them would replace this page
 * by the browser's error.
 */
function watchLinks(onUnavailable: () => void): () => void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.origin !== location.origin) return;
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    // The router would fetch data, but only the service worker has the page, which the browser must load.
    event.stopPropagation();
    // These keys open a new tab, which leaves this page as it is.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.hasAttribute(OFFLINE_TOGGLE_ATTRIBUTE)) return toggleForm();
    const { href, pathname } = link;
    canOpenOffline(pathname).then(
      (isStored) => (isStored ? location.assign(href) : onUnavailable()),
      onUnavailable,
    );
  };
  addEventListener("click", onClick, true);
  return () => removeEventListener("click", onClick, true);
}

/** The wait between two attempts to send the waiting entries. */
const RETRY_EVERY_MS = 30_000;
/** The wait until the page has settled; it is then stored. */
const STORE_AFTER_MS = 1500;

export function Offline() {
  const { viewer, timeZone, now } = useShell();
  const { pathname } = useLocation();
  const isOffline = useIsOffline();
  const entries = useOutbox(timeZone);
  const [hasTried, setHasTried] = useState(false);
  const username = viewer?.username;

  useEffect(() => {
    if (import.meta.env.PROD && "serviceWorker" in navigator)
      void navigator.serviceWorker.register("/sw.js").catch(() => {});
    void pruneOutbox().catch(() => {});
  }, []);

  useEffect(() => {
    setHasTried(false);
    if (isOffline) return watchLinks(() => setHasTried(true));
  }, [isOffline]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has its own entries and pages.
  useEffect(() => {
    void readOutbox().catch(() => {});
    if ("caches" in window) void deletePagesOfOthers().catch(() => {});
  }, [username]);

  const readAgain = useFreshData();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once, for the page that the browser loaded.
  useEffect(() => {
    // An old page with a network is the stored page, which the service worker sent when the network failed for a moment.
    if (navigator.onLine && isInstalled() && Date.now() - now > MINUTE) readAgain();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each load of data has another instant.
  useEffect(() => {
    if (username === undefined) return;
    // The toasts load now, because a press without a network shows one.
    const toaster = import("~/components/ui/toaster").catch(() => {});
    if (!("caches" in window) || !isInstalled()) return;
    const forms = import("~/components/goals/log-forms-chunk");
    const store = () => Promise.all([toaster, forms, awaitLateParts()]).then(() => storePage(pathname));
    const timer = setTimeout(() => void store().catch(() => {}), STORE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [pathname, now, username]);

  const send = useSending(readAgain);
  const hasWaiting = entries.some(({ isRefused }) => !isRefused);
  useEffect(() => {
    if (isOffline || !hasWaiting) return;
    void send();
    const timer = setInterval(() => void send(), RETRY_EVERY_MS);
    return () => clearInterval(timer);
  }, [isOffline, hasWaiting, send]);

  return (
    <>
      <div role="status" className="sticky top-15 z-20 short:top-0">
        {isOffline && (
          <p className="border-b border-line bg-dusk-wash px-4 py-2 text-center text-sm text-ink">
            {hasTried
              ? "You are still offline. You can open that page as soon as you are online."
              : username
                ? "You are offline. This page may be out of date. Logs, ticks and notes of your goals wait here; other changes may not be saved."
                : "You are offline. This page may be out of date, and your changes may not be saved."}
          </p>
        )}
      </div>
      {entries.length > 0 && <Outbox entries={entries} isOffline={isOffline} send={send} />}
      <LeavingQuestion
        count={entries.length}
        canSend={!isOffline}
        send={send}
        deleteAll={() => deleteEntries(entries)}
      />
    </>
  );
}

/** Sends the waiting entries, and shows which of them were stored. */
function useSending(readAgain: () => void): () => Promise<void> {
  const [send] = useState(() => async () => {
    const storedEntries = await sendOutbox();
    const [first] = storedEntries;
    if (!first) return;
    const { log } = (first.answer ?? {}) as { log?: { id: number } };
    if (storedEntries.length === 1 && log) toast.logged(log.id, first.entry.words);
    else
      toast.success(
        storedEntries.length === 1 ? "One entry is stored." : `${storedEntries.length} entries are stored.`,
      );
    notifyOtherTabs();
    readAgain();
  });
  return send;
}

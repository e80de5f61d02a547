// Hydrates the page in the browser.
import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { apart } from "~/hooks/apart";

// Leaving a page before its data has arrived aborts the fetch. That is no error, but the stream's abandoned reader
// reports one.
window.addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof DOMException && event.reason.name === "AbortError") event.preventDefault();
});

/**
 * Remix decodes the page's data in its first render, before its hooks, and suspends meanwhile. A key or press at that
 * moment would make React hydrate at once and fail, so the data is decoded first.
 */
async function decodeData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (thrown) {
    if (thrown instanceof Promise) await thrown;
  }
}

void decodeData().then(() => {
  // The page lists the locales when it is idle (scripts.server.ts). Scripts that arrive before that do it in two tasks,
  // because React would do it within a task of its own. React already listens then, but renders after them.
  apart(() => Intl.Collator.supportedLocalesOf("en"));
  apart(() => new Intl.DateTimeFormat());
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
});

// The service worker (public/sw.js) answers when offline. It registers after everything else has loaded.
const register = () => void navigator.serviceWorker.register("/sw.js").catch(() => {});
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}

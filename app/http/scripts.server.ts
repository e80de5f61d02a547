// Decides when the scripts of a page load: never, after its first paint, or at once (decision 60).
import type { EntryContext } from "@remix-run/cloudflare";
import { HYDRATED } from "~/wire/hydrated";

type Start = "never" | "later" | "now";

/** Query keys of dialogs. An open dialog keeps the focus inside, which needs scripts. */
const DIALOGS = ["auth", "expand"];

/** Pages of text set it as their `handle`. */
const isText = (handle: unknown): boolean =>
  typeof handle === "object" && handle !== null && "isText" in handle;

export function startOf(remix: EntryContext, url: URL): Start {
  const { loaderData, errors, matches } = remix.staticHandlerContext;
  const root = loaderData.root as { viewer?: unknown } | undefined;
  if (root?.viewer || DIALOGS.some((name) => url.searchParams.has(name))) return "now";
  const page = remix.routeModules[matches.at(-1)?.route.id ?? ""];
  return errors || isText(page?.handle) ? "never" : "later";
}

/**
 * Runs inside the page while its scripts load. A browser lists all its locales for its first date format, which would
 * hold up hydration. The names alone take more than half of that time, so they are a task of their own.
 */
const LIST_LOCALES = `requestAnimationFrame(() =>
  window.requestIdleCallback?.(() => {
    Intl.Collator.supportedLocalesOf("en");
    requestIdleCallback(() => new Intl.DateTimeFormat());
  }));`;

/**
 * Runs inside the page: its scripts start once it is painted and idle, or at the first interaction. A button without a
 * native effect is pressed again after hydration. A page that appears under a resting mouse gets a move without a
 * distance, which does not count.
 */
const START_LATER = `(() => {
  const waiting = document.querySelector('script[type="text/later"]');
  const signs = ["pointermove", "pointerdown", "touchstart", "keydown", "focusin"];
  let isStarted = false;
  let pressed = null;
  const press = ({ target }) => {
    pressed = (target instanceof Element && target.closest('button[type="button"]')) || pressed;
  };
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    for (const sign of signs) removeEventListener(sign, stir, true);
    for (const link of document.querySelectorAll('link[itemprop="later"]')) link.rel = "modulepreload";
    const script = document.createElement("script");
    script.type = "module";
    script.nonce = waiting.nonce;
    script.text = waiting.text;
    document.body.append(script);
    ${LIST_LOCALES}
  };
  const stir = ({ type, movementX, movementY }) => {
    if (type !== "pointermove" || movementX || movementY) start();
  };
  const startWhenIdle = () =>
    window.requestIdleCallback ? requestIdleCallback(start, { timeout: 2000 }) : setTimeout(start, 200);
  const startAfterPaint = () =>
    new PerformanceObserver((_, paints) => {
      paints.disconnect();
      startWhenIdle();
    }).observe({ type: "paint", buffered: true });
  for (const sign of signs) addEventListener(sign, stir, { capture: true, passive: true });
  addEventListener("click", press, true);
  addEventListener("${HYDRATED}", () => {
    removeEventListener("click", press, true);
    pressed?.click();
  });
  if (document.readyState === "complete") startAfterPaint();
  else addEventListener("load", startAfterPaint);
})();`.replace(/\n\s*/g, "\n");

/** Sets the page's scripts aside until it has been painted. React ignores elements after the last script. */
export const startLater = (page: Response, nonce: string): Response =>
  new HTMLRewriter()
    .on('link[rel="modulepreload"]', {
      element(link) {
        // Valid in the body without fetching anything.
        link.removeAttribute("rel");
        link.setAttribute("itemprop", "later");
      },
    })
    .on('script[type="module"]', {
      element(script) {
        script.setAttribute("type", "text/later");
        script.after(`<script nonce="${nonce}">${START_LATER}</script>`, { html: true });
      },
    })
    .transform(page);

/** A page is readable before it is hydrated, so its styles and fonts are preloaded ahead of its scripts. */
export const scriptsAfterLooks = (page: Response, nonce: string): Response =>
  new HTMLRewriter()
    .on('link[rel="modulepreload"]', {
      element(link) {
        link.setAttribute("fetchpriority", "low");
      },
    })
    .on('script[type="module"]', {
      element(script) {
        script.after(`<script nonce="${nonce}">${LIST_LOCALES}</script>`, { html: true });
      },
    })
    .transform(page);

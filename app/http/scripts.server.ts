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

/** How the preloads and the module begin, and the script after the module. React ignores elements after the last script. */
const STARTS = {
  // Sets the scripts aside until the page has been painted. Such a link is valid in the body and fetches nothing.
  later: { preload: '<link itemprop="later"', type: "text/later", after: START_LATER },
  // A page is readable before it is hydrated, so its styles and fonts are preloaded ahead of its scripts.
  now: { preload: '<link rel="modulepreload" fetchpriority="low"', type: "module", after: LIST_LOCALES },
};

/** The page with its scripts as they start. Texts of the page contain no "<", so the places are React's own. */
export function withStart(html: string, start: Start, nonce: string): string {
  const open = (type: string) => `<script nonce="${nonce}" type="${type}" async="">`;
  const module = html.lastIndexOf(open("module"));
  if (start === "never" || module === -1) return html;
  const { preload, type, after } = STARTS[start];
  const end = html.indexOf("</script>", module) + "</script>".length;
  return [
    html.slice(0, module).replaceAll('<link rel="modulepreload"', preload),
    open(type),
    html.slice(module + open("module").length, end),
    `<script nonce="${nonce}">${after}</script>`,
    html.slice(end),
  ].join("");
}

// Decides when the scripts of a page load: never, when it is idle, after its first paint, or at once (decision 60).
import type { EntryContext } from "@remix-run/cloudflare";
import { HYDRATED } from "~/wire/hydrated";

type Start = "never" | "idle" | "painted" | "now";

/** Query keys of dialogs. An open dialog keeps the focus inside, which needs scripts. */
const DIALOGS = ["auth", "expand"];

/** Pages of text set it as their `handle`. */
const isText = (handle: unknown): boolean =>
  typeof handle === "object" && handle !== null && "isText" in handle;

export function startOf(remix: EntryContext, url: URL): Start {
  const { loaderData, errors, matches } = remix.staticHandlerContext;
  const root = loaderData.root as { viewer?: unknown } | undefined;
  if (DIALOGS.some((name) => url.searchParams.has(name))) return "now";
  if (root?.viewer) return "painted";
  const page = remix.routeModules[matches.at(-1)?.route.id ?? ""];
  return errors || isText(page?.handle) ? "never" : "idle";
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

/** Calls `start` once the page is loaded, painted and idle. */
const WHEN_IDLE = `const startWhenIdle = () =>
    window.requestIdleCallback ? requestIdleCallback(start, { timeout: 2000 }) : setTimeout(start, 200);
  if (document.readyState === "complete") afterPaint(startWhenIdle);
  else addEventListener("load", () => afterPaint(startWhenIdle));`;

/** Calls `start` after the first paint. A hidden page is not painted, and a session in it keeps its live room. */
const WHEN_PAINTED = `const startHidden = () => document.hidden && start();
  addEventListener("visibilitychange", startHidden);
  startHidden();
  afterPaint(start);`;

/**
 * Runs inside the page: its scripts start at `when`, or at the first interaction. A button without a native effect is
 * pressed again after hydration. A page that appears under a resting mouse gets a move without a distance, which does
 * not count.
 */
const startLater = (when: string): string =>
  `(() => {
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
  const afterPaint = (then) =>
    new PerformanceObserver((_, paints) => {
      paints.disconnect();
      then();
    }).observe({ type: "paint", buffered: true });
  for (const sign of signs) addEventListener(sign, stir, { capture: true, passive: true });
  addEventListener("click", press, true);
  addEventListener("${HYDRATED}", () => {
    removeEventListener("click", press, true);
    pressed?.click();
  });
  ${when}
})();`.replace(/\n\s*/g, "\n");

/** How the preloads and the module begin, and the script after the module. React ignores elements after the last script. */
const STARTS = {
  // Sets the scripts aside until the page has been painted. Such a link is valid in the body and fetches nothing.
  idle: { preload: '<link itemprop="later"', type: "text/later", after: startLater(WHEN_IDLE) },
  painted: { preload: '<link itemprop="later"', type: "text/later", after: startLater(WHEN_PAINTED) },
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

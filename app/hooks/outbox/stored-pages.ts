// Pages of the installed app that open without a network, as they were last seen (W-05). public/sw.js answers with
// them.
import { isForeignPage, madeFor, usernameOfPage } from "~/hooks/made-for";

/** The pages that are stored: Home, My Goals, a goal, its one-press page, and pages of notes. */
const STORED_PATHS = /^\/(my\/(notes|goals(\/\d+(\/(log|notes))?)?))?$/;
const GOAL_PATH = /^\/my\/goals\/\d+$/;
const PAGES = "pages:";
const ASSETS = "assets-1";
/** The files of each build have new names, so those of old builds pile up. */
const MAX_ASSETS = 400;
const MAX_PAGES = 60;

export const isInstalled = (): boolean => !matchMedia("(display-mode: browser)").matches;

export async function canOpenOffline(pathname: string): Promise<boolean> {
  const name = `${PAGES}${usernameOfPage()}`;
  if (!("caches" in window) || !(await caches.has(name))) return false;
  return (await (await caches.open(name)).match(pathname, { ignoreVary: true })) !== undefined;
}

/** Deletes the pages of every other account. */
export async function deletePagesOfOthers(): Promise<void> {
  const username = usernameOfPage();
  for (const name of await caches.keys())
    if (name.startsWith(PAGES) && name !== `${PAGES}${username}`) await caches.delete(name);
}

/** Asks for the page again, as a document, and stores it with the files that this one loaded. */
export async function storePage(pathname: string): Promise<void> {
  // The one-press page has no scripts, so it cannot store itself.
  if (GOAL_PATH.test(pathname)) await storePage(`${pathname}/log`);
  const username = usernameOfPage();
  const mark = madeFor();
  if (
    !STORED_PATHS.test(pathname) ||
    username === null ||
    mark === null ||
    isForeignPage() ||
    !navigator.onLine
  )
    return;
  const page = await fetch(pathname, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!page.ok || page.redirected) return;
  // Somebody else may have signed in meanwhile.
  if (!(await page.clone().text()).includes(mark)) return;
  // The files come first, so that an interruption leaves no page without its files.
  await storeAssets();
  const cache = await caches.open(`${PAGES}${username}`);
  await cache.put(pathname, page);
  await dropOldest(cache, MAX_PAGES);
}

async function storeAssets(): Promise<void> {
  const cache = await caches.open(ASSETS);
  const loadedUrls = performance.getEntriesByType("resource").map(({ name }) => name);
  const linked = [...document.querySelectorAll<HTMLLinkElement>("link[href]")].map(({ href }) => href);
  const files = new Set(
    [...loadedUrls, ...linked].filter((url) => url.startsWith(`${location.origin}/assets/`)),
  );
  for (const { url } of await cache.keys()) files.delete(url);
  await Promise.all([...files].map((url) => cache.add(url).catch(() => {})));
  await dropOldest(cache, MAX_ASSETS);
}

/** Drops the oldest entries beyond `max`. */
async function dropOldest(cache: Cache, max: number): Promise<void> {
  const requests = await cache.keys();
  for (const request of requests.slice(0, Math.max(0, requests.length - max))) await cache.delete(request);
}

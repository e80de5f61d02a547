// The edge's copies of visitors' pages (E1, decision 99). A copy renders only from the parts of its key, and each answer
// gets a nonce and countdowns of its own.
import type { Context, MiddlewareHandler } from "hono";
import { cookieName } from "~/domain/cookies";
import { RELEASE } from "~/domain/log-line";
import { COPY_SECONDS, type ShownThing } from "~/domain/shown-thing";
import { isReservedSegment } from "~/domain/slugs";
import { type Instant, instant, SECOND } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { newToken } from "~/use-cases/tokens.server";
import { type Cookies, isSecure, readCookies, xsrfCookie } from "./cookies";
import { fillCopy, type Places, placesIn } from "./edge-places";
import type { HonoEnv } from "./serve";
import { settingsOf } from "./settings";
import { FRAME_KEYS, isForEverybody } from "./visitor-pages";

const FRESH_MS = 15 * SECOND;
const LONGEST_MS = COPY_SECONDS * SECOND;
/** Characters of a query; our own links have fewer. */
const LONGEST_QUERY = 1000;
/** How often, and how long, a request looks for the copy that another one renders. */
const LOOK_AGAIN_MS = 10;
const MOST_LOOKS = 300;

export const CACHE_HEADER = "X-Bothy-Cache";
const RENDERED_AT = "X-Rendered-At";

/** Cookies that change no visitor's page, or that the key holds; any other of ours needs a page of its own. */
const HARMLESS = ["theme", "tz", "device"];

/** The parts of a request on which a page for visitors depends. */
export type VisitorContext = Pick<App, "theme" | "locale"> & {
  timeZone: string | undefined;
  isForwarded: boolean;
};
/** `things`: those on the page. */
type Rendered = { response: Response; at: Instant; isForEverybody: boolean; things: readonly ShownThing[] };
type Render = (
  c: Context<HonoEnv>,
  request: Request,
  visitor: VisitorContext,
  nonce: string,
) => Promise<Rendered>;
/** The first line of a stored copy; a header would be too short for it. */
type CopyHeader = { places: Places; things: readonly ShownThing[] };
type Copy = CopyHeader & { html: string; renderedAt: Instant; headers: Headers };
export type VisitorSite = {
  visitorContextOf(c: Context<HonoEnv>, cookies: Cookies): VisitorContext;
  render: Render;
  /** Whether visitors may read each: one that is gone, private, unpublished or has a code is in no copy. */
  visitorsMayRead(c: Context<HonoEnv>, shownThings: readonly ShownThing[]): Promise<boolean>;
};

/** A copy up to 15 seconds old answers; up to 30 it answers, and a new one renders; an older one is not used. */
const useOf = (ageMs: number): "answer" | "answer-and-renew" | "render" =>
  ageMs <= FRESH_MS ? "answer" : ageMs <= LONGEST_MS ? "answer-and-renew" : "render";

/** Keys that this isolate renders at present. */
const rendering = new Set<string>();

/** Answers the page at `path`, which reads `query`; any other request than a plain visitor's goes on. */
export const answerVisitors =
  (
    [path, query]: [path: string, query: readonly string[]],
    { visitorContextOf, render, visitorsMayRead }: VisitorSite,
  ): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    const url = new URL(c.req.url);
    const cookies = isForEverybody(url.pathname) ? {} : readCookies(c.req.raw);
    // The catch-alls match each address of one or two segments.
    const isOther = path.startsWith("/:") && isReservedSegment(url.pathname.split("/")[1] ?? "");
    if (isOther || !isPlainVisit(c, url, cookies)) return next();
    const page = pageOf(url, query);
    const visitor = visitorContextOf(c, cookies);
    const key = keyFor(page, visitor);
    const copies = await caches.open("pages");
    const renew = () => {
      const renewing = renderCopy(c, copies, key, page, visitor, render);
      // The runtime ends a request whose visitor leaves, and others wait for this copy.
      c.executionCtx.waitUntil(renewing);
      return renewing;
    };
    const find = async () => {
      const copy = await readCopy(copies, key);
      if (!copy || (copy.things.length > 0 && !(await visitorsMayRead(c, copy.things)))) return null;
      const age = Math.max(0, Date.now() - copy.renderedAt);
      return { copy, age, use: useOf(age) };
    };

    let cachedPage = await find();
    if (rendering.has(key) && (cachedPage?.use ?? "render") === "render") {
      // No request may wait for a promise of another, so it looks until the copy exists.
      for (let looks = 0; looks < MOST_LOOKS && rendering.has(key); looks++)
        await scheduler.wait(LOOK_AGAIN_MS);
      cachedPage = await find();
    }
    if (cachedPage && cachedPage.use !== "render") {
      if (cachedPage.use === "answer-and-renew" && !rendering.has(key)) void renew();
      const state = cachedPage.use === "answer" ? "hit" : "stale";
      return answer(c, cachedPage.copy, cookies, `${state}; age=${Math.floor(cachedPage.age / SECOND)}`);
    }
    const renewed = await renew();
    if ("html" in renewed) return answer(c, renewed, cookies, "miss");
    c.set("nonce", renewed.nonce);
    return withXsrf(c, renewed.response, cookies);
  };

function isPlainVisit(c: Context<HonoEnv>, url: URL, cookies: Cookies): boolean {
  const { req } = c;
  const https = isSecure(url);
  const harmless = new Set(["XSRF-TOKEN", ...HARMLESS.map((name) => cookieName(https, name))]);
  // Over https nobody reads a cookie without our prefix.
  const isOurs = (name: string) => !https || name.startsWith("__Host-");
  return (
    settingsOf(c.env).EDGE_CACHE === "on" &&
    req.method === "GET" &&
    req.header("Upgrade") === undefined &&
    req.header("Authorization") === undefined &&
    /text\/html|\*\/\*/.test(req.header("Accept") ?? "*/*") &&
    url.search.length <= LONGEST_QUERY &&
    Object.keys(cookies).every((name) => harmless.has(name) || !isOurs(name))
  );
}

/** The address with the query keys that the page reads, in one order. */
function pageOf(url: URL, query: readonly string[]): URL {
  const page = new URL(url.pathname, url);
  for (const name of [...query, ...FRAME_KEYS])
    for (const value of url.searchParams.getAll(name)) page.searchParams.append(name, value);
  return page;
}

/** The address of the copy. Chunks belong to a release, and so do the pages that load them. */
function keyFor(page: URL, { theme, timeZone = "", locale, isForwarded }: VisitorContext): string {
  const key = new URL(page);
  const parts = { theme, timeZone, locale, isForwarded: String(isForwarded), release: RELEASE };
  for (const [name, value] of Object.entries(parts)) key.searchParams.append(`_${name}`, value);
  return key.href;
}

async function readCopy(copies: Cache, key: string): Promise<Copy | null> {
  const response = await copies.match(new Request(key));
  if (!response) return null;
  const headers = new Headers(response.headers);
  const renderedAt = instant(Number(headers.get(RENDERED_AT)));
  for (const name of [RENDERED_AT, "Cache-Control", "CF-Cache-Status"]) headers.delete(name);
  const storedText = await response.text();
  const line = storedText.indexOf("\n");
  const head = JSON.parse(storedText.slice(0, line)) as CopyHeader;
  return { ...head, html: storedText.slice(line + 1), renderedAt, headers };
}

/** Renders the page from its key and stores it; returns a response that must not be kept as it is. */
async function renderCopy(
  c: Context<HonoEnv>,
  copies: Cache,
  key: string,
  page: URL,
  visitor: VisitorContext,
  render: Render,
): Promise<Copy | { response: Response; nonce: string }> {
  const nonce = newToken().slice(0, 22);
  rendering.add(key);
  let storing: Promise<unknown> = Promise.resolve();
  try {
    const request = new Request(page, { headers: { Accept: "text/html" } });
    const { response, at, isForEverybody, things: shownThings } = await render(c, request, visitor, nonce);
    if (!isForEverybody || !isKept(response)) return { response, nonce };
    const { headers } = response;
    const html = await response.text();
    const head: CopyHeader = { places: placesIn(html, nonce), things: shownThings };
    const storedPage = new Response(`${JSON.stringify(head)}\n${html}`, { headers });
    storedPage.headers.set("Cache-Control", `public, max-age=${LONGEST_MS / SECOND}`);
    storedPage.headers.set(RENDERED_AT, String(at));
    storing = copies.put(key, storedPage);
    return { ...head, html, renderedAt: at, headers: new Headers(headers) };
  } finally {
    c.executionCtx.waitUntil(storing.finally(() => rendering.delete(key)));
  }
}

const isKept = ({ status, headers }: Response): boolean =>
  status === 200 &&
  headers.get("Content-Type")?.startsWith("text/html") === true &&
  !headers.has("Set-Cookie") &&
  !headers.has("Cache-Control");

function answer(c: Context<HonoEnv>, copy: Copy, cookies: Cookies, state: string): Response {
  const nonce = newToken().slice(0, 22);
  c.set("nonce", nonce);
  const html = fillCopy(copy, { nonce, now: instant(Date.now()) });
  const headers = new Headers(copy.headers);
  headers.set(CACHE_HEADER, state);
  return withXsrf(c, new Response(html, { headers }), cookies);
}

function withXsrf(c: Context<HonoEnv>, response: Response, cookies: Cookies): Response {
  if (cookies["XSRF-TOKEN"] || isForEverybody(new URL(c.req.url).pathname)) return response;
  const copy = new Response(response.body, response);
  copy.headers.append("Set-Cookie", xsrfCookie(isSecure(new URL(c.req.url)), newToken()));
  return copy;
}

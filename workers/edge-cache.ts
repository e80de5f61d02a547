// Caches visitors' pages at the edge (E1, decision 99). A copy is rendered only from the parts of its key, and each answer
// gets its own nonce and countdowns.
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
const MAX_AGE_MS = COPY_SECONDS * SECOND;
/** Characters of a query; our own links have fewer. */
const MAX_QUERY_CHARS = 1000;
/** How often, and how many times, a request checks for the copy that another request renders. */
const POLL_MS = 10;
const MAX_POLLS = 300;

export const CACHE_HEADER = "X-Bothy-Cache";
const RENDERED_AT = "X-Rendered-At";

/** Cookies that do not change a visitor's page, or that are part of the key. With any other of ours, no copy is used. */
const HARMLESS = ["theme", "tz", "device"];

/** The parts of a request on which a page for visitors depends. */
export type VisitorContext = Pick<App, "theme" | "locale"> & {
  timeZone: string | undefined;
  isForwarded: boolean;
};
/** `things` are the records that the page shows. */
type Rendered = { response: Response; at: Instant; isForEverybody: boolean; things: readonly ShownThing[] };
type Render = (
  c: Context<HonoEnv>,
  request: Request,
  visitor: VisitorContext,
  nonce: string,
) => Promise<Rendered>;
/** The first line of a stored copy, because a header is limited in length. */
type CopyHeader = { places: Places; things: readonly ShownThing[] };
type Copy = CopyHeader & { html: string; renderedAt: Instant; headers: Headers };
export type VisitorSite = {
  visitorContextOf(c: Context<HonoEnv>, cookies: Cookies): VisitorContext;
  render: Render;
  /** False when one of the records is deleted, private, unpublished or has a join code, and so may be in no copy. */
  visitorsMayRead(c: Context<HonoEnv>, shownThings: readonly ShownThing[]): Promise<boolean>;
};

/** The use of a copy by its age. A stale copy still answers, while a new copy is rendered. */
const useOf = (ageMs: number): "answer" | "answer-and-renew" | "render" =>
  ageMs <= FRESH_MS ? "answer" : ageMs <= MAX_AGE_MS ? "answer-and-renew" : "render";

/** The keys whose copy this isolate is rendering. */
const renderingKeys = new Set<string>();

/** Answers a visitor's request for the page at `path`, which reads the query keys `query`. Other requests pass on. */
export const answerVisitors =
  (
    [path, query]: [path: string, query: readonly string[]],
    { visitorContextOf, render, visitorsMayRead }: VisitorSite,
  ): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    const url = new URL(c.req.url);
    const cookies = isForEverybody(url.pathname) ? {} : readCookies(c.req.raw);
    // The catch-alls match every address of one or two segments, also those of other pages.
    const isOtherPage = path.startsWith("/:") && isReservedSegment(url.pathname.split("/")[1] ?? "");
    if (isOtherPage || !isPlainVisit(c, url, cookies)) return next();
    const page = pageOf(url, query);
    const visitor = visitorContextOf(c, cookies);
    const key = keyFor(page, visitor);
    const copies = await caches.open("pages");
    const renew = () => {
      const renewing = renderCopy(c, copies, key, page, visitor, render);
      // The runtime cancels a request whose visitor leaves, but other requests wait for this copy.
      c.executionCtx.waitUntil(renewing);
      return renewing;
    };
    const findCopy = async () => {
      const copy = await readCopy(copies, key);
      if (!copy || (copy.things.length > 0 && !(await visitorsMayRead(c, copy.things)))) return null;
      const age = Math.max(0, Date.now() - copy.renderedAt);
      return { copy, age, use: useOf(age) };
    };

    let cachedPage = await findCopy();
    if (renderingKeys.has(key) && (cachedPage?.use ?? "render") === "render") {
      // A request may not await a promise of another, so it polls until the copy exists.
      for (let polls = 0; polls < MAX_POLLS && renderingKeys.has(key); polls++) await scheduler.wait(POLL_MS);
      cachedPage = await findCopy();
    }
    if (cachedPage && cachedPage.use !== "render") {
      if (cachedPage.use === "answer-and-renew" && !renderingKeys.has(key)) void renew();
      const state = cachedPage.use === "answer" ? "hit" : "stale";
      return answer(c, cachedPage.copy, cookies, `${state}; age=${Math.floor(cachedPage.age / SECOND)}`);
    }
    const renewed = await renew();
    if ("html" in renewed) return answer(c, renewed, cookies, "miss");
    c.set("nonce", renewed.nonce);
    return withXsrf(c, renewed.response, cookies);
  };

/** True for a request for a page that nothing but the parts of the key can change. */
function isPlainVisit(c: Context<HonoEnv>, url: URL, cookies: Cookies): boolean {
  const { req } = c;
  const https = isSecure(url);
  const harmless = new Set(["XSRF-TOKEN", ...HARMLESS.map((name) => cookieName(https, name))]);
  // Over https our other cookies have the prefix, so a cookie without it is not ours.
  const isOurs = (name: string) => !https || name.startsWith("__Host-");
  return (
    settingsOf(c.env).EDGE_CACHE === "on" &&
    req.method === "GET" &&
    req.header("Upgrade") === undefined &&
    req.header("Authorization") === undefined &&
    /text\/html|\*\/\*/.test(req.header("Accept") ?? "*/*") &&
    url.search.length <= MAX_QUERY_CHARS &&
    Object.keys(cookies).every((name) => harmless.has(name) || !isOurs(name))
  );
}

/** The address with only the query keys that the page reads, in a fixed order. */
function pageOf(url: URL, query: readonly string[]): URL {
  const page = new URL(url.pathname, url);
  for (const name of [...query, ...FRAME_KEYS])
    for (const value of url.searchParams.getAll(name)) page.searchParams.append(name, value);
  return page;
}

/** The key of the copy. It contains the release, because a page loads chunks of its own release. */
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

/** Renders the page from its key, and stores it as a copy. A response that may not be stored is returned unchanged. */
async function renderCopy(
  c: Context<HonoEnv>,
  copies: Cache,
  key: string,
  page: URL,
  visitor: VisitorContext,
  render: Render,
): Promise<Copy | { response: Response; nonce: string }> {
  const nonce = newToken().slice(0, 22);
  renderingKeys.add(key);
  let storing: Promise<unknown> = Promise.resolve();
  try {
    const request = new Request(page, { headers: { Accept: "text/html" } });
    const { response, at, isForEverybody, things: shownThings } = await render(c, request, visitor, nonce);
    if (!isForEverybody || !isStorable(response)) return { response, nonce };
    const { headers } = response;
    const html = await response.text();
    const head: CopyHeader = { places: placesIn(html, nonce), things: shownThings };
    const storedPage = new Response(`${JSON.stringify(head)}\n${html}`, { headers });
    storedPage.headers.set("Cache-Control", `public, max-age=${MAX_AGE_MS / SECOND}`);
    storedPage.headers.set(RENDERED_AT, String(at));
    storing = copies.put(key, storedPage);
    return { ...head, html, renderedAt: at, headers: new Headers(headers) };
  } finally {
    c.executionCtx.waitUntil(storing.finally(() => renderingKeys.delete(key)));
  }
}

const isStorable = ({ status, headers }: Response): boolean =>
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

/** The response with a new XSRF token, unless the visitor has one or the page is for everybody. */
function withXsrf(c: Context<HonoEnv>, response: Response, cookies: Cookies): Response {
  if (cookies["XSRF-TOKEN"] || isForEverybody(new URL(c.req.url).pathname)) return response;
  const copy = new Response(response.body, response);
  copy.headers.append("Set-Cookie", xsrfCookie(isSecure(new URL(c.req.url)), newToken()));
  return copy;
}

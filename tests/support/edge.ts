// A site whose pages have copies at the edge, with an address of its own, so that no test finds the copies of another.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Pages } from "#workers/doors";
import { CACHE_HEADER } from "#workers/edge-cache";
import type { Env } from "#workers/env";
import { createHttp } from "#workers/http";
import { pages } from "./pages";

let sites = 0;
const newOrigin = (isHttps = false) => `${isHttps ? "https" : "http"}://edge-${++sites}.localhost`;

type Options = { isHttps?: boolean; origin?: string; over?: Partial<Env>; render?: Pages };
export function edgeSite({ isHttps, origin = newOrigin(isHttps), over = {}, render = pages }: Options = {}) {
  const counted = { renders: 0 };
  const http = createHttp(async (request, context) => {
    counted.renders++;
    return render(request, context);
  });
  const bindings = { ...env, EDGE_CACHE: "on", ...over };
  const send = (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const context = createExecutionContext();
    const request = new Request(origin + path, {
      method,
      redirect: "manual",
      headers: { Accept: "text/html", ...headers },
    });
    return { answer: Promise.resolve(http.fetch(request, bindings, context)), context };
  };
  /** The work after the answer is over as well. */
  const get = async (...asked: Parameters<typeof send>) => {
    const { answer: answering, context } = send(...asked);
    const answer = await answering;
    const html = await answer.text();
    await waitOnExecutionContext(context);
    const { status, headers: answered } = answer;
    return { status, html, headers: answered, state: answered.get(CACHE_HEADER) };
  };
  return { get, send, counted, origin };
}

export const nonceIn = (html: string): string => /<script[^>]* nonce="([^"]+)"/.exec(html)?.[1] ?? "";

/** The uuid that a page's forms carry behind the mark of its reader; empty for a visitor's page. */
export const pageUuidIn = (html: string): string =>
  /\bname="madeFor" value="[^".]+\.[^".]+\.([0-9a-f-]{36})"/.exec(html)?.[1] ?? "";

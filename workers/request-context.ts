// The parts of a request that an answer may depend on besides its login: theme, time zone, language, and its source.
import type { Context } from "hono";
import { cookieName, themeOf } from "~/domain/cookies";
import { memoiseByKey } from "~/domain/memoise";
import { type Cookies, isSecure } from "./cookies";
import type { AppOptions } from "./create-app";
import type { VisitorContext } from "./edge-cache";
import { isForwarded } from "./own-machine";
import { originOf } from "./request-origin";
import type { HonoEnv } from "./serve";

/** True when a browser asks for a page. */
export const isPageRequest = (c: Context<HonoEnv>): boolean =>
  c.req.method === "GET" &&
  c.req.header("Upgrade") === undefined &&
  c.req.header("Accept")?.includes("text/html") === true;

/** The options of `createApp` that every request has. */
export const requestOptionsOf = (c: Context<HonoEnv>): AppOptions => ({
  ownOrigin: new URL(c.req.url).origin,
  origin: originOf(c),
  defer: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
});

/** The parts of a request without a login that its page may show. */
export function visitorContextOf(c: Context<HonoEnv>, cookies: Cookies): VisitorContext {
  const cookie = (name: string) => cookies[cookieName(isSecure(new URL(c.req.url)), name)];
  return {
    theme: themeOf(cookie("theme")),
    timeZone: validZone(cookie("tz")),
    locale: preferredLocale((c.req.header("Accept-Language") ?? "").slice(0, 100)),
    isForwarded: isForwarded(c.req.raw),
  };
}

const validZone = (zone: string | undefined): string | undefined =>
  zone && zone.length <= 60 && isZone(zone) ? zone : undefined;

const isZone = memoiseByKey((zone): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
});

const preferredLocale = memoiseByKey((header): string => {
  const first = header.split(",")[0]?.split(";")[0]?.trim() ?? "";
  try {
    // Tags that format alike become the same locale, such as de-XX and de.
    return new Intl.DateTimeFormat(first).resolvedOptions().locale;
  } catch {
    return "en-GB";
  }
});

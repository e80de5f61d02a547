// Serves the calendar feeds. They need no login, so no cookie is read or set (F-04).
import type { Context, Hono } from "hono";
import { AppError } from "~/domain/errors";
import { loadOnce } from "~/domain/load-once";
import { instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { hashToken } from "~/use-cases/tokens.server";
import { bareError } from "./bare-page";
import { createApp } from "./create-app";
import { originOf } from "./request-origin";
import type { HonoEnv } from "./serve";

const loadFeeds = loadOnce(() => import("~/use-cases/sessions/calendar.server"));

/** How long the edge keeps a built feed (F-15). */
const COPY_MINUTES = 15;
const COPY_SECONDS = COPY_MINUTES * 60;
const BUILT_AT = "X-Built-At";

/** A personal feed's file: its secret, 256 bits in base64url, and the ending. */
const FEED_FILE = /^([\w-]{43})\.ics$/;

export function mountCalendars(hono: Hono<HonoEnv>): void {
  hono.get("/account/calendar/:file", servePersonal);
  hono.get("/group/:hut/calendar.ics", async (c) =>
    servePublic(c, await (await loadFeeds()).readHutFeed(await appFor(c), { hut: c.req.param("hut") })),
  );
  hono.get("/activities/:activity/calendar.ics", async (c) =>
    servePublic(
      c,
      await (await loadFeeds()).readActivityFeed(await appFor(c), { activity: c.req.param("activity") }),
    ),
  );
  hono.get("/series/:series/calendar.ics", async (c) =>
    servePublic(
      c,
      await (await loadFeeds()).readSeriesFeed(await appFor(c), { series: c.req.param("series") }),
    ),
  );
  for (const path of [
    "/account/calendar/:file",
    "/group/:hut/calendar.ics",
    "/activities/:activity/calendar.ics",
    "/series/:series/calendar.ics",
  ])
    hono.all(path, (c) => c.body(null, 405, { Allow: "GET, HEAD" }));
}

/** Reads the primary database, because a replica may still know a secret that was just replaced (F-03). */
async function appFor(c: Context<HonoEnv>): Promise<App> {
  const { app } = await createApp(c.env, {
    ownOrigin: new URL(c.req.url).origin,
    origin: originOf(c),
    defer: (work) => c.executionCtx.waitUntil(work),
  });
  return app;
}

type BuiltFeed = { text: string; etag: string };

async function servePersonal(c: Context<HonoEnv>): Promise<Response> {
  const secret = FEED_FILE.exec(c.req.param("file") ?? "")?.[1];
  if (secret === undefined) return bareError(c, new AppError("NOT_FOUND"));
  const app = await appFor(c);
  const copies = await caches.open("calendars");
  // The key has the secret's hash, so that no list of cached addresses contains a secret.
  const key = `${app.settings.origin}/account/calendar/${await hashToken(secret)}`;
  const copy = await freshCopy(copies, key, app);
  const { readFeed } = await loadFeeds();
  const feed = await readFeed(app, { secret, hasCopy: copy !== null });
  if (feed === null) return bareError(c, new AppError("NOT_FOUND"));
  const builtFeed = copy ?? (await buildFeed(feed.text ?? ""));
  if (copy === null)
    await copies.put(
      key,
      new Response(builtFeed.text, {
        headers: {
          ETag: builtFeed.etag,
          "Cache-Control": `public, max-age=${COPY_SECONDS}`,
          [BUILT_AT]: String(app.now),
        },
      }),
    );
  return answer(c, builtFeed, {
    "Cache-Control": `private, max-age=${COPY_SECONDS}`,
    "X-Robots-Tag": "noindex",
    "Referrer-Policy": "no-referrer",
  });
}

/** The cached feed; null when there is none, or it is too old. */
async function freshCopy(copies: Cache, key: string, app: App): Promise<BuiltFeed | null> {
  const copy = await copies.match(new Request(key));
  const builtAt = instant(Number(copy?.headers.get(BUILT_AT)));
  const etag = copy?.headers.get("ETag");
  if (!copy || !etag || app.now - builtAt >= COPY_MINUTES * MINUTE) return null;
  return { text: await copy.text(), etag };
}

const buildFeed = async (text: string): Promise<BuiltFeed> => ({ text, etag: `"${await hashToken(text)}"` });

const servePublic = async (c: Context<HonoEnv>, text: string): Promise<Response> =>
  answer(c, await buildFeed(text), { "Cache-Control": "public, no-cache" });

function answer(c: Context<HonoEnv>, { text, etag }: BuiltFeed, headers: Record<string, string>): Response {
  const cachedTags = (c.req.header("If-None-Match") ?? "")
    .split(",")
    .map((value) => value.trim().replace(/^W\//, ""));
  if (cachedTags.includes(etag)) return c.body(null, 304, { ETag: etag, ...headers });
  return c.body(text, 200, { "Content-Type": "text/calendar; charset=utf-8", ETag: etag, ...headers });
}

// Data for search engines: robots.txt, and sitemap.xml with the public pages and their last changes.
import { listNewestSeries } from "#db/queries/series/page";
import * as sitemap from "#db/queries/sitemap";
import { seriesAddress } from "~/domain/series/address";
import type { Instant } from "~/domain/time";
import type { App } from "./app.server";

export type PublicPage = { url: string; changedAt: Instant | null };

/** Maximum entries of each kind; together well below the 50,000 of one sitemap. */
const MAX_ENTRIES = { activities: 10_000, huts: 5000, sessions: 5000, series: 5000, books: 1000 };
const FIXED_PATHS = [
  "/",
  "/events",
  "/activities",
  "/groups",
  "/books",
  "/pricing",
  "/tokens",
  "/about",
  "/terms-of-service",
  "/privacy-policy",
];

export async function listPublicPages(app: App): Promise<PublicPage[]> {
  const [activities, huts, sessions, series, books] = await app.db.batch([
    sitemap.listNewestActivities(app.db, MAX_ENTRIES.activities),
    sitemap.listNewestHuts(app.db, MAX_ENTRIES.huts),
    sitemap.listOpenSessions(app.db, app.now, MAX_ENTRIES.sessions),
    listNewestSeries(app.db, MAX_ENTRIES.series),
    sitemap.listPublishedBooks(app.db, MAX_ENTRIES.books),
  ]);
  const page = (path: string, changedAt: Instant | null): PublicPage => ({
    url: app.settings.origin + path,
    changedAt,
  });
  return [
    ...FIXED_PATHS.map((path) => page(path, null)),
    ...activities.map(({ slug, updatedAt }) => page(`/activities/${slug}`, updatedAt)),
    ...huts.map(({ slug, updatedAt }) => page(`/group/${slug}`, updatedAt)),
    ...sessions.map(({ id, updatedAt }) => page(`/sessions/${id}`, updatedAt)),
    ...series.map((row) => page(seriesAddress(row), row.updatedAt)),
    ...books.map(({ slug, updatedAt }) => page(`/books/${slug}`, updatedAt)),
  ];
}

/** Folders that are closed to robots, with the page of that path. A longer name, such as /meadow, is open. */
const CLOSED_FOLDERS = ["/account", "/my", "/me", "/auth", "/api", "/local"];
/** Forms and search results. */
const CLOSED_QUERIES = ["/*?auth=", "/*?q="];
const CLOSED_TO_ROBOTS = [
  ...CLOSED_FOLDERS.flatMap((folder) => [`${folder}$`, `${folder}?`, `${folder}/`]),
  ...CLOSED_QUERIES,
];
/** Pages of closed folders with content for everybody: examples of goals, and the reference of the API. */
const OPEN_TO_ROBOTS = ["/my/goals$", "/api/docs", "/api/openapi.json$"];

export async function viewRobots(app: App): Promise<string> {
  return [
    "User-agent: *",
    ...OPEN_TO_ROBOTS.map((path) => `Allow: ${path}`),
    ...CLOSED_TO_ROBOTS.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${app.settings.origin}/sitemap.xml`,
    "",
  ].join("\n");
}

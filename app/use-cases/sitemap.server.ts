// What search engines are told: robots.txt and sitemap.xml, the public pages with the day they last changed.
import * as sitemap from "#db/queries/sitemap";
import type { Instant } from "~/domain/time";
import type { App } from "./app.server";

export type PublicPage = { url: string; changedAt: Instant | null };

/** Of each kind; together well under the 50,000 that one sitemap may name. */
const NAMED = { activities: 10_000, huts: 5000, sessions: 5000, books: 1000 };
const STANDING = [
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
  const [activities, huts, sessions, books] = await app.db.batch([
    sitemap.listNewestActivities(app.db, NAMED.activities),
    sitemap.listNewestHuts(app.db, NAMED.huts),
    sitemap.listOpenSessions(app.db, app.now, NAMED.sessions),
    sitemap.listPublishedBooks(app.db, NAMED.books),
  ]);
  const page = (path: string, changedAt: Instant | null): PublicPage => ({
    url: app.settings.origin + path,
    changedAt,
  });
  return [
    ...STANDING.map((path) => page(path, null)),
    ...activities.map((one) => page(`/activities/${one.slug}`, one.updatedAt)),
    ...huts.map((one) => page(`/group/${one.slug}`, one.updatedAt)),
    ...sessions.map((one) => page(`/sessions/${one.id}`, one.updatedAt)),
    ...books.map((one) => page(`/books/${one.slug}`, one.updatedAt)),
  ];
}

/** Where robots need not go: what is one's own, forms, the search's many addresses. */
const CLOSED_TO_ROBOTS = ["/account", "/my/", "/me", "/auth/", "/api/", "/local/", "/*?auth=", "/*?q="];
/** Strangers, and so robots, see there what goals look like; it is the one page of /my that says something to them. */
const OPEN_TO_ROBOTS = ["/my/goals$"];

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

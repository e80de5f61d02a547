// Every list, page and export that shows a reader other people's things, as the role matrix declares it.
import { and, desc, eq } from "drizzle-orm";
import { schema } from "#db/connect.server";
import { db } from "#tests/support/factories";
import { EVERYTHING, EXPORT_KINDS, exportPath } from "~/wire/export";
import { CALL_ROWS } from "../roles/calls";
import type { Thing } from "../roles/cast";
import { PAGE_ROWS, place } from "../roles/pages";
import type { Row } from "../roles/table";
import { type CallName, everyCall } from "../support/every-call";

const LIST_PAGES = ["", "?page=2", "?page=9"];

/** The published things outside private huts, the `most` recently changed of each kind. */
async function thingsByKind(most: number): Promise<Record<string, Thing[]>> {
  const { sessions, activities, huts, items, persons, snippets } = schema;
  const [ofSessions, ofActivities, ofHuts, ofItems, ofPersons, ofSnippets] = await db.batch([
    db
      .select({ id: sessions.id, slug: sessions.slug })
      .from(sessions)
      .where(eq(sessions.isPrivate, false))
      .orderBy(desc(sessions.updatedAt))
      .limit(most),
    db
      .select({ slug: activities.slug })
      .from(activities)
      .where(eq(activities.isPrivate, false))
      .orderBy(desc(activities.updatedAt))
      .limit(most),
    db
      .select({ slug: huts.slug })
      .from(huts)
      .where(eq(huts.isPrivate, false))
      .orderBy(desc(huts.updatedAt))
      .limit(most),
    db
      .select({ slug: items.slug, username: persons.username })
      .from(items)
      .innerJoin(persons, eq(persons.id, items.personId))
      .where(and(eq(items.status, 1), eq(items.isPrivate, false)))
      .orderBy(desc(items.updatedAt))
      .limit(most),
    db.select({ username: persons.username }).from(persons).orderBy(desc(persons.id)).limit(most),
    db
      .select({ id: snippets.id, slug: items.slug })
      .from(snippets)
      .innerJoin(items, eq(items.id, snippets.itemId))
      .where(eq(items.isPrivate, false))
      .orderBy(desc(snippets.id))
      .limit(most),
  ]);
  return {
    "-": [{}],
    session: ofSessions.map(({ id, slug }) => ({ session: id, event: id, challenge: slug })),
    activity: ofActivities.map(({ slug }) => ({ slug, challenge: slug })),
    hut: ofHuts.map(({ slug }) => ({ hut: slug, group: slug })),
    item: ofItems.map(({ slug, username }) => ({ parentItem: username, childItem: slug })),
    user: ofPersons.map(({ username }) => ({ person: username })),
    snippet: ofSnippets.map(({ id, slug }) => ({ snippet: id, book: slug })),
  };
}

const isOpen = (row: Row) => row.expected("theirs", "stranger") === "ok";

/** Paths of exports; each contains only the reader's own data. */
export const EXPORTS: readonly string[] = [EVERYTHING, ...EXPORT_KINDS.map((kind) => `${kind}.csv`)].map(
  exportPath,
);

/** Paths of the pages and GET calls that any signed-in user may read. */
export async function openPaths(most: number): Promise<string[]> {
  const things = await thingsByKind(most);
  const filled = (row: Row, address: (thing: Thing) => string) =>
    (things[row.kind] ?? []).flatMap((thing) =>
      row.kind === "-" ? LIST_PAGES.map((page) => address(thing) + page) : [address(thing)],
    );
  const encoded = (thing: Thing): Thing =>
    Object.fromEntries(Object.entries(thing).map(([name, value]) => [name, encodeURIComponent(value)]));
  const pages = PAGE_ROWS.filter((row) => isOpen(row) && !row.name.startsWith("account/export/")).flatMap(
    (row) => filled(row, (thing) => `/${place(row.name, encoded(thing)).replace(/^\//, "")}`),
  );
  const calls = CALL_ROWS.filter(isOpen).flatMap((row) => {
    const { method, path: template } = everyCall[row.name as CallName] ?? {};
    if (method !== "GET" || !template?.startsWith("/api/")) return [];
    return filled(row, (thing) =>
      template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(thing[name] ?? "")),
    );
  });
  return [...new Set([...pages, ...calls])];
}

// The palette's search over everything that the viewer may find: one batch (Y-01).
import * as activities from "#db/queries/activities/activities";
import * as huts from "#db/queries/huts/huts";
import * as palette from "#db/queries/palette";
import * as sessionCards from "#db/queries/sessions/cards";
import { shorten } from "~/domain/beginnings";
import { cursorAt } from "~/domain/list-pages";
import { byMatch, type PaletteResult, usernamePrefixOf } from "~/domain/palette";
import { ownWordsOf, searchWordsOf, spellingsOf } from "~/domain/search-words";
import { countUse } from "~/use-cases/rate-limits.server";
import { viewerOf } from "~/use-cases/viewer.server";
import type { App } from "./app.server";
import { networkOf } from "./network.server";
import { showCard } from "./sessions/list.server";
import { sessionPath } from "./sessions/read.server";

const MAX_ENTRIES_OF_KIND = 5;
/** The beginning of a text without a title. */
const MAX_TITLE_CHARS = 60;

const NO_DETAILS = { place: null, status: null, startedAt: null };

/** RATE_LIMITED beyond 3,000 searches an hour of one account, or of one network of visitors. */
export async function search(app: App, { q }: { q: string }): Promise<{ results: PaletteResult[] }> {
  const searchWords = searchWordsOf(q);
  const name = usernamePrefixOf(q);
  if (searchWords.length === 0) return { results: [] };
  await countUse(app, "search", app.user?.id ?? networkOf(app));
  const userId = app.user?.id ?? 0;
  const ownWords = ownWordsOf(q);
  const spellings = spellingsOf(q);
  const filter = { userId: viewerOf(app), words: spellings, page: 1, perPage: MAX_ENTRIES_OF_KIND };
  const [sessions, activityRows, hutRows, people, books, goals, notes, logs] = await app.db.batch([
    sessionCards.selectSessionCards(app.db, { ...filter, now: app.now }),
    activities.listActivities(app.db, filter),
    huts.listHuts(app.db, { ...filter, now: app.now }),
    palette.findPeople(app.db, { name, userId, now: app.now, limit: MAX_ENTRIES_OF_KIND }),
    palette.findBooks(app.db, { words: spellings, userId, limit: MAX_ENTRIES_OF_KIND }),
    palette.findOwnGoals(app.db, userId, ownWords, MAX_ENTRIES_OF_KIND),
    palette.findOwnNotes(app.db, userId, ownWords, MAX_ENTRIES_OF_KIND),
    palette.findOwnLogs(app.db, userId, ownWords, MAX_ENTRIES_OF_KIND),
  ]);
  const results: PaletteResult[] = [
    ...sessions.slice(0, MAX_ENTRIES_OF_KIND).map((row): PaletteResult => {
      const { title, status, startedAt, hut } = showCard(app, row);
      return {
        kind: "session",
        title,
        path: sessionPath(row.id),
        place: hut?.title ?? null,
        status,
        startedAt,
      };
    }),
    ...activityRows.slice(0, MAX_ENTRIES_OF_KIND).map(
      (row): PaletteResult => ({
        ...NO_DETAILS,
        kind: "activity",
        title: row.title,
        path: `/activities/${row.slug}`,
        place: row.hutTitle,
      }),
    ),
    ...hutRows.slice(0, MAX_ENTRIES_OF_KIND).map(
      (row): PaletteResult => ({
        ...NO_DETAILS,
        kind: "hut",
        title: row.title,
        path: `/group/${row.slug}`,
      }),
    ),
    ...people.map(
      (row): PaletteResult => ({
        ...NO_DETAILS,
        kind: "person",
        title: row.username,
        path: `/${row.username}`,
      }),
    ),
    ...books.map(
      (row): PaletteResult => ({
        ...NO_DETAILS,
        kind: "book",
        title: row.title,
        path: `/books/${row.slug}`,
      }),
    ),
    ...goals.map(
      (row): PaletteResult => ({
        ...NO_DETAILS,
        kind: "goal",
        title: row.title,
        path: `/my/goals/${row.id}`,
      }),
    ),
    ...notes.map(
      (row): PaletteResult => ({
        ...NO_DETAILS,
        kind: "note",
        title: row.title || shorten(row.summary, MAX_TITLE_CHARS) || "A note",
        path: `/my/notes?after=${cursorAt(row.id)}`,
      }),
    ),
    ...logs.map(
      (row): PaletteResult => ({
        ...NO_DETAILS,
        kind: "log",
        title: row.title || shorten(row.summary, MAX_TITLE_CHARS) || "A log",
        path: `/my/logs?after=${cursorAt(row.id)}`,
      }),
    ),
  ];
  return { results: results.sort(byMatch(q)) };
}

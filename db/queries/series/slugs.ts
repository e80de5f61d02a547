// Statements on the slugs of series (H-09, H-14); use cases run them.
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";

const { series, seriesSlugs, sessions } = schema;

/** A slug that the series has or had (H-14), or its id. */
export type SeriesRef = number | string;

/** The id of the series at this address; NULL where there is none. */
export const seriesIdAt = (ref: SeriesRef): SQL =>
  typeof ref === "number" || /^\d{1,15}$/.test(ref)
    ? sql`${Number(ref)}`
    : sql`(SELECT seen_slug.series_id FROM series_slugs seen_slug WHERE seen_slug.slug = ${ref})`;

/** The session if it is a date of the series. */
export const findDateOf = (db: Database, ref: SeriesRef, sessionId: number) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(sql`${sessions.id} = ${sessionId} AND ${sessions.seriesId} = ${seriesIdAt(ref)}`);

/** The candidates that are in use, each with its series; with `ofSeries` also all slugs of that series. */
export const findSeriesSlugs = (db: Database, candidates: readonly string[], ofSeries = 0) =>
  db
    .select({ slug: seriesSlugs.slug, seriesId: seriesSlugs.seriesId })
    .from(seriesSlugs)
    .where(
      sql`${seriesSlugs.slug} IN (SELECT value FROM json_each(${JSON.stringify(candidates)})) OR ${seriesSlugs.seriesId} = ${ofSeries}`,
    );

/** Inserts the slug of the series inserted in this batch; breaks a constraint if another series has or had it. */
export const insertSeriesSlug = (db: Database, slug: string): Statement =>
  insertFrom(db, seriesSlugs, { slug: sql`slug`, seriesId: sql`id` }, sql`FROM series WHERE slug = ${slug}`);

/** Gives a series another slug beside its old ones; changes nothing if another series has taken it. Two statements. */
export const renameSeries = (db: Database, id: number, slug: string): [Statement, Statement] => [
  db.insert(seriesSlugs).values({ slug, seriesId: id }).onConflictDoNothing(),
  db
    .update(series)
    .set({ slug })
    .where(
      sql`id = ${id} AND EXISTS (SELECT 1 FROM series_slugs g WHERE g.slug = ${slug} AND g.series_id = ${id})`,
    ),
];

// The address of a series whose title changes (H-14).
import type { Statement } from "#db/connect.server";
import { findSeriesSlugs, renameSeries } from "#db/queries/series/slugs";
import { titleForSlug } from "~/domain/series/address";
import { slugify } from "~/domain/slugs";
import type { App } from "~/use-cases/app.server";
import { randomId } from "~/use-cases/random-id.server";

/** The statements that give the series the slug of its new title, for the batch that stores it. The old slugs stay. */
export async function renameStatements(
  app: App,
  series: { id: number; title: string },
  title: string,
): Promise<Statement[]> {
  if (title === series.title) return [];
  const base = slugify(titleForSlug(title));
  const candidates = [base, `${base}-${randomId()}`];
  const rows = await findSeriesSlugs(app.db, candidates, series.id);
  const holders = new Map(rows.map(({ slug, seriesId }) => [slug, seriesId]));
  const isFree = (slug: string) => (holders.get(slug) ?? series.id) === series.id;
  // A series that takes up a former title gets its former address again, even if another series has the plain one.
  const ownSlugs = rows.filter(({ slug, seriesId }) => seriesId === series.id && slug.startsWith(base));
  const formerSlug = ownSlugs.find(({ slug }) => /^-[0-9a-z]{5}$/.test(slug.slice(base.length)))?.slug;
  const slug = isFree(base) ? base : (formerSlug ?? candidates.find(isFree));
  return slug === undefined ? [] : renameSeries(app.db, series.id, slug);
}

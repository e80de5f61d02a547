// The address of a series (H-09): `/series/{slug}`. Pure.
import { slugify } from "~/domain/slugs";

/** A series of the last release has no slug, so its address has its id. */
export const seriesAddress = ({ slug, id }: { slug: string | null; id: number }): string =>
  `/series/${slug ?? id}`;

/** The title from which the slug is made. A slug of digits only would be the id of another series. */
export const titleForSlug = (title: string): string =>
  /^\d+$/.test(slugify(title)) ? `series ${title}` : title;

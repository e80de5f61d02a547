// Creates records under the slug of their title, with a random suffix if it is taken (K-06).
import { brokenConstraint } from "~/domain/errors";
import { slugify } from "~/domain/slugs";
import { randomId } from "./random-id.server";

const MAX_ATTEMPTS = 5;

/**
 * Runs `insertWithSlug` with a free slug and returns its result. If another request takes the slug meanwhile, it tries
 * another slug. `listTaken` returns those of the given slugs that are in use.
 */
export async function withFreeSlug<T>(
  title: string,
  listTaken: (slugs: readonly string[]) => PromiseLike<readonly { slug: string }[]>,
  insertWithSlug: (slug: string) => Promise<T>,
): Promise<T> {
  const baseSlug = slugify(title);
  for (let attempt = 1; ; attempt++) {
    const candidates = [baseSlug, `${baseSlug}-${randomId()}`];
    const takenSlugs = new Set((await listTaken(candidates)).map(({ slug }) => slug));
    const freeSlug = candidates.find((slug) => !takenSlugs.has(slug));
    try {
      return await insertWithSlug(freeSlug ?? `${baseSlug}-${crypto.randomUUID()}`);
    } catch (error) {
      if (!/\.slug$/.test(brokenConstraint(error) ?? "") || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

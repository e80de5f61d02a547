// Creates records under the slug of their title, with a random suffix if it is taken (K-06).
import { brokenConstraint } from "~/domain/errors";
import { slugify } from "~/domain/slugs";
import { randomId } from "./random-id.server";

const MAX_ATTEMPTS = 5;

/**
 * The result of `make` with a free slug. Another request may take the slug meanwhile; then the next one is tried.
 * `listTaken` returns the used slugs among some.
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

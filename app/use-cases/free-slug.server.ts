// Making what has an address of its own: under the slug of its title, or that with a random end where it is taken (K-06).
import { brokenConstraint } from "~/domain/errors";
import { slugify } from "~/domain/slugs";
import { randomId } from "./random-id.server";

const MAX_ATTEMPTS = 5;

/**
 * What `make` answers with a slug that is free. Somebody may take it between asking and making: then another is tried.
 * `listTaken` says which of some slugs are taken.
 */
export async function withFreeSlug<T>(
  title: string,
  listTaken: (slugs: readonly string[]) => PromiseLike<readonly { slug: string }[]>,
  make: (slug: string) => Promise<T>,
): Promise<T> {
  const wanted = slugify(title);
  for (let attempt = 1; ; attempt++) {
    const candidates = [wanted, `${wanted}-${randomId()}`];
    const taken = new Set((await listTaken(candidates)).map(({ slug }) => slug));
    const free = candidates.find((slug) => !taken.has(slug));
    try {
      return await make(free ?? `${wanted}-${crypto.randomUUID()}`);
    } catch (error) {
      if (!/\.slug$/.test(brokenConstraint(error) ?? "") || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

// Statements on categories of activities and sessions; use cases run them.
import { asc, eq } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { categories } = schema;

export const findCategory = (db: Database, slug: string) =>
  db.select({ slug: categories.slug }).from(categories).where(eq(categories.slug, slug)).limit(1);
export const listCategories = (db: Database) => db.select().from(categories).orderBy(asc(categories.title));

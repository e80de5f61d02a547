// Categories of activities and sessions. Built here, run by use cases.
import { asc } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { categories } = schema;

export const listCategories = (db: Database) => db.select().from(categories).orderBy(asc(categories.title));

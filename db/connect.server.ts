// The database as use cases see it: Drizzle over a D1 session, so that a request reads its own writes.
import { Column, is, SQL } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import * as schema from "./schema";

export { schema };

/** `batch` is D1's only transaction. */
export type Database = ReturnType<typeof connect>;
export type Statement = BatchItem<"sqlite">;

/** `d1` may be the binding or one of its sessions (`env.DB.withSession(bookmark)`). */
export const connect = (d1: D1Database | D1DatabaseSession) => {
  // Drizzle does not get the schema, because only relational queries need it and each request would parse it.
  const db = drizzle(d1 as D1Database);
  const batch = db.batch.bind(db) as (items: Statement[]) => Promise<unknown>;
  return Object.assign(db, {
    d1: d1 as D1Database,
    batch: ((items: Statement[]) => batch(items.map(requireUniqueNames))) as typeof db.batch,
  });
};

type Prepared = { fields?: { field: unknown }[] };

/**
 * D1 keys the rows of a batch by column name: two columns of one name (`users.id`, `persons.id`) collapse and shift
 * all later fields. Such a select throws here instead.
 */
function requireUniqueNames(item: Statement): Statement {
  const prepare = (item as unknown as { _prepare(): Prepared })._prepare.bind(item);
  return {
    _prepare() {
      const prepared = prepare();
      const names = new Set<string>();
      for (const { field } of prepared.fields ?? []) {
        const name = is(field, SQL.Aliased) ? field.fieldAlias : is(field, Column) ? field.name : null;
        if (name !== null && names.has(name))
          throw new Error(
            `Two columns of a batched select are called "${name}": give one a name, sql\`\${table.column}\`.as("other_name").`,
          );
        if (name !== null) names.add(name);
      }
      return prepared;
    },
  } as unknown as Statement;
}

/** Runs a list of statements, built at run time, in one atomic round trip. */
export async function runBatch<S extends Statement>(
  db: Database,
  statements: S[],
): Promise<BatchResponse<[S, ...S[]]> | []> {
  const [first, ...otherStatements] = statements;
  return first ? db.batch([first, ...otherStatements]) : [];
}

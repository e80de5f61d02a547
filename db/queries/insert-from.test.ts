import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { connect } from "#db/connect.server";
import { flagColumn, idColumn, jsonColumn } from "#db/schema/columns";
import { insertFrom } from "./insert-from";

const table = sqliteTable("visits", {
  id: idColumn(),
  first: text("first_name").notNull(),
  last: text("last_name").notNull(),
  isNew: flagColumn("is_new"),
  tags: jsonColumn<string[]>("tags").notNull(),
  note: text("note").default("none"),
  day: integer("day").generatedAlwaysAs(sql`id / 7`),
  leftAt: integer("left_at"),
  code: text("code").$defaultFn(() => sql`hex(randomblob(8))`),
});
/** Only builds statements. */
const db = connect({} as D1Database);

test("an insert from a SELECT writes each value to the column of its name, in any order", () => {
  const row = { tags: ["a"], last: sql`upper(p.last)`, isNew: true, first: "Ada" };
  expect(insertFrom(db, table, row, sql`FROM people p WHERE p.id = ${7}`).toSQL()).toEqual({
    sql: 'insert into "visits" ("id", "first_name", "last_name", "is_new", "tags", "note", "left_at", "code") SELECT NULL, ?, upper(p.last), ?, ?, ?, NULL, hex(randomblob(8)) FROM people p WHERE p.id = ?',
    params: ["Ada", 1, '["a"]', "none", 7],
  });
});

test("an insert from a SELECT writes NULL over a default when it is given", () => {
  const row = { first: "a", last: "b", tags: [], note: null };
  expect(insertFrom(db, table, row, sql`WHERE true`).toSQL().sql).toContain(
    "SELECT NULL, ?, ?, ?, ?, NULL, NULL, ",
  );
});

test("an insert from a SELECT does not compile without a column that has no default", () => {
  // @ts-expect-error `last` is missing
  insertFrom(db, table, { first: "a", tags: [] }, sql`WHERE true`);
  // @ts-expect-error no such column
  insertFrom(db, table, { first: "a", last: "b", tags: [], middle: "c" }, sql`WHERE true`);
});

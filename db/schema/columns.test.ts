// Every table of rich text is listed in UPLOAD_TEXTS: cron would delete the images of a missing table.
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { UPLOAD_TEXTS } from "./columns";
import * as schema from "./index";

test("every table with rich text lists its columns in UPLOAD_TEXTS", () => {
  const rich = Object.values(schema)
    .filter((one) => is(one, SQLiteTable))
    .filter((table) => "contentHtml" in getTableColumns(table))
    .map(getTableName);
  expect(rich.length).toBeGreaterThan(5);
  // The texts of a series are in the JSON of its template.
  expect(Object.keys(UPLOAD_TEXTS).sort()).toEqual([...rich, "series"].sort());
});

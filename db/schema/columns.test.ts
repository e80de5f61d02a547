// Every table of rich text is among those whose images are kept: one left out would lose its images to the cleaning.
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { UPLOAD_TEXTS } from "./columns";
import * as schema from "./index";

test("every table with rich text says where it may show an uploaded image", () => {
  const rich = Object.values(schema)
    .filter((one) => is(one, SQLiteTable))
    .filter((table) => "contentHtml" in getTableColumns(table))
    .map(getTableName);
  expect(rich.length).toBeGreaterThan(5);
  expect(Object.keys(UPLOAD_TEXTS).sort()).toEqual(rich.sort());
});

// Limits on the size of a database row.
import { expect, test } from "vitest";
import { bytesOf, fitRow, ROW_BYTES } from "./row-size";

test("X-02 a row takes a million bytes, in any letters and any number of texts", () => {
  expect([bytesOf("a"), bytesOf("é"), bytesOf("語"), bytesOf("🏔")]).toEqual([1, 2, 3, 4]);
  expect([fitRow("a".repeat(ROW_BYTES)), fitRow("a".repeat(ROW_BYTES + 1))]).toEqual([true, false]);
  expect([fitRow("é".repeat(ROW_BYTES / 2)), fitRow(`${"é".repeat(ROW_BYTES / 2)}a`)]).toEqual([true, false]);
  const half = "a".repeat(ROW_BYTES / 2);
  expect([fitRow(half, half), fitRow(half, half, "a"), fitRow()]).toEqual([true, false, true]);
});

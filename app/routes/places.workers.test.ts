import { expect, test } from "vitest";
import { ask } from "#tests/support/ask";

test("a page", async () => {
  const response = await ask("/activities");
  const html = await response.text();
  console.log(response.status, html.slice(0, 3000));
  expect(html).toContain("Activities");
});

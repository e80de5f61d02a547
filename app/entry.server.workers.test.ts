// What every page is sent with.
import { expect, test } from "vitest";
import { visit } from "#tests/support/visit";

test("scripts are fetched after what a page looks like", async () => {
  const page = await visit(null, "/about");
  const scripts = await page.all('link[rel="modulepreload"]');
  expect(scripts.length).toBeGreaterThan(0);
  for (const { attributes } of scripts) expect(attributes.fetchpriority, attributes.href).toBe("low");
});

// The headers of every page.
import { expect, test } from "vitest";
import { visit } from "#tests/support/visit";

test("scripts are preloaded after styles and fonts", async () => {
  const page = await visit(null, "/about");
  const scripts = await page.all('link[rel="modulepreload"]');
  expect(scripts.length).toBeGreaterThan(0);
  for (const { attributes } of scripts) expect(attributes.fetchpriority, attributes.href).toBe("low");
});

// The preloads of a page.
import { expect, test } from "vitest";
import { makeUser } from "#tests/support/factories";
import { visit } from "#tests/support/visit";

test("scripts are preloaded after styles and fonts", async () => {
  const page = await visit(await makeUser(), "/");
  const scripts = await page.all('link[rel="modulepreload"]');
  expect(scripts.length).toBeGreaterThan(0);
  for (const { attributes } of scripts) expect(attributes.fetchpriority, attributes.href).toBe("low");
});

test("the browser lists its locales while the scripts of a page load", async () => {
  for (const user of [null, await makeUser()]) {
    const scripts = await (await visit(user, "/")).all("script");
    const warm = scripts.find(({ text }) => text.includes("new Intl.DateTimeFormat()"));
    expect(warm?.attributes.nonce).toMatch(/./);
  }
});

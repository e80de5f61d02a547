// The icon of a page, and the order in which it loads.
import { expect, test } from "vitest";
import { ask } from "#tests/support/ask";
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

test("P2 a page and the manifest contain their icon, so that it takes no request before the first paint", async () => {
  const [icon] = await (await visit(null, "/pricing")).all('link[rel="icon"][type="image/svg+xml"]');
  expect(decodeURIComponent(icon?.attributes.href ?? "")).toMatch(/^data:image\/svg\+xml,<svg .*<\/svg>/);
  const manifest: { icons: { src: string }[] } = await (await ask("/site.webmanifest")).json();
  expect(manifest.icons.map(({ src }) => src)).toContain(icon?.attributes.href);
});

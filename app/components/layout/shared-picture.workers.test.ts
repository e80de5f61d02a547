// The preview of a shared link.
import { expect, test } from "vitest";
import { visit } from "#tests/support/visit";

test("a page names its preview image with size and description", async () => {
  const page = await visit(null, "/about");
  const metas = await page.all("meta");
  const said = (name: string) =>
    metas.find(({ attributes }) => attributes.property === name || attributes.name === name)?.attributes
      .content;
  expect(said("og:image")).toBe("http://127.0.0.1:8787/social-card.png");
  expect([said("og:image:width"), said("og:image:height")]).toEqual(["1200", "630"]);
  expect(said("og:image:alt")).toMatch(/hut/);
  expect(said("twitter:card")).toBe("summary_large_image");
});

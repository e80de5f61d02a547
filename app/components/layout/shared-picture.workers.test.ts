// The preview of a shared link.
import { expect, test } from "vitest";
import { visit } from "#tests/support/visit";

test("a page names its preview image with size and description", async () => {
  const page = await visit(null, "/about");
  const metaTags = await page.all("meta");
  const contentOf = (name: string) =>
    metaTags.find(({ attributes }) => attributes.property === name || attributes.name === name)?.attributes
      .content;
  expect(contentOf("og:image")).toBe("http://127.0.0.1:8787/social-card.png");
  expect([contentOf("og:image:width"), contentOf("og:image:height")]).toEqual(["1200", "630"]);
  expect(contentOf("og:image:alt")).toMatch(/hut/);
  expect(contentOf("twitter:card")).toBe("summary_large_image");
});

// The breakpoints of K-04, in the stylesheet and in the media queries of the code.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");

test("K-04 the breakpoints are 640, 768, 1024 and 1200 px, and there are no others", () => {
  const app = read("app.css");
  // The framework's defaults are removed.
  expect(app).toContain("--breakpoint-*: initial;");
  expect([...app.matchAll(/--breakpoint-(\w+): (\d+)px/g)].map(([, name, px]) => [name, Number(px)])).toEqual(
    [
      ["sm", 640],
      ["md", 768],
      ["lg", 1024],
      ["xl", 1200],
    ],
  );
  const known = new Set(["640px", "639px", "768px", "767px", "1024px", "64rem", "1200px"]);
  for (const file of ["app.css", "kit.css", "rich-text.css", "tokens.css"])
    for (const [query, width = ""] of read(file).matchAll(/@media[^{]*width\s*(?::|[<>]=?)\s*([\d.]+\w+)/g))
      expect(known.has(width), `${file}: ${query}`).toBe(true);
});

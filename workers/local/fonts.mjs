// Makes the font files of app/styles/fonts (`npm run fonts`, decision 78). One file of a family has the letters of almost
// every page, the other has accented letters and rare signs.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import { ROOT } from "./processes.mjs";

const FOLDER = join(ROOT, "app/styles/fonts");
const FAMILIES = [
  {
    name: "figtree",
    from: "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
    // No text of ours is lighter or heavier.
    variationAxes: { wght: { min: 400, max: 700 } },
  },
  {
    name: "bricolage",
    from: "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2",
  },
];
/** The features of the fonts that have an effect in our texts. */
const FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "calt", "tnum", "lnum"];

/** The characters of a file, from its `unicode-range` in fonts.css. */
function textOf(file, css) {
  const face = [...css.matchAll(/@font-face \{[^}]+\}/g)].find(([text]) => text.includes(`/${file}"`));
  return [...face[0].matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].map(charactersOf).join("");
}

function charactersOf([, from, to = from]) {
  const [first, last] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

const css = readFileSync(join(FOLDER, "../fonts.css"), "utf8");
for (const { name, from, ...options } of FAMILIES) {
  const path = fileURLToPath(import.meta.resolve(from));
  for (const file of [`${name}-first.woff2`, `${name}-more.woff2`]) {
    const subset = await subsetFont(readFileSync(path), textOf(file, css), {
      targetFormat: "woff2",
      keepFeatures: FEATURES,
      ...options,
    });
    writeFileSync(join(FOLDER, file), subset);
    console.log(`${file}: ${subset.length} bytes`);
  }
  copyFileSync(join(dirname(path), "../LICENSE"), join(FOLDER, `${name}-licence.txt`));
}

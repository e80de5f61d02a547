// Draws the letters of the preview pictures once, in a browser, from the fonts the pages use, and writes glyphs.json.
// Run it again when a font changes: `node workers/pictures/make-glyphs.mjs`.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deflateRawSync } from "node:zlib";
import { chromium } from "@playwright/test";

const require = createRequire(import.meta.url);
const font = (file) => readFileSync(require.resolve(`@fontsource-variable/${file}`)).toString("base64");
const faces = [
  {
    name: "title",
    size: 78,
    weight: 700,
    data: font("bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2"),
  },
  { name: "text", size: 34, weight: 500, data: font("figtree/files/figtree-latin-wght-normal.woff2") },
];
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i));
const letters = [...range(0x20, 0x7e), ...range(0xa1, 0xac), ...range(0xae, 0xff), ..."–—‘’“”…•"];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage();
const drawn = await page.evaluate(
  async ({ faces, letters }) => {
    const all = [];
    for (const { name, size, weight, data } of faces) {
      const face = new FontFace(name, `url(data:font/woff2;base64,${data})`, { weight: "100 900" });
      document.fonts.add(await face.load());
      const canvas = new OffscreenCanvas(size * 2, size * 2);
      const pen = canvas.getContext("2d", { willReadFrequently: true });
      const glyphs = [];
      for (const letter of letters) {
        pen.clearRect(0, 0, canvas.width, canvas.height);
        pen.font = `${weight} ${size}px ${name}`;
        pen.textBaseline = "alphabetic";
        const left = Math.round(size / 2);
        const base = Math.round(size * 1.3);
        pen.fillText(letter, left, base);
        const { width, height } = canvas;
        const pixels = pen.getImageData(0, 0, width, height).data;
        let [x0, y0, x1, y1] = [width, height, -1, -1];
        for (let y = 0; y < height; y++)
          for (let x = 0; x < width; x++)
            if (pixels[(y * width + x) * 4 + 3] > 7) {
              x0 = Math.min(x0, x);
              x1 = Math.max(x1, x);
              y0 = Math.min(y0, y);
              y1 = Math.max(y1, y);
            }
        const bits = [];
        for (let y = y0; y <= y1; y++)
          for (let x = x0; x <= x1; x++) bits.push(Math.round(pixels[(y * width + x) * 4 + 3] / 17));
        const advance = Math.round(pen.measureText(letter).width * 10) / 10;
        const box = x1 < 0 ? [0, 0, 0, 0] : [x0 - left, y0 - base, x1 - x0 + 1, y1 - y0 + 1];
        glyphs.push({ facts: [letter, advance, ...box], bits });
      }
      all.push({ name, size, glyphs });
    }
    return all;
  },
  { faces, letters },
);
await browser.close();

const shades = drawn.flatMap(({ glyphs }) => glyphs.flatMap(({ bits }) => bits));
const packed = Buffer.alloc(Math.ceil(shades.length / 2));
shades.forEach((shade, i) => {
  packed[i >> 1] |= i % 2 === 0 ? shade << 4 : shade;
});
const fonts = Object.fromEntries(
  drawn.map(({ name, size, glyphs }) => [name, { size, glyphs: glyphs.map(({ facts }) => facts) }]),
);
const coverage = deflateRawSync(packed, { level: 9 }).toString("base64");
writeFileSync(new URL("glyphs.json", import.meta.url), `${JSON.stringify({ fonts, coverage })}\n`);

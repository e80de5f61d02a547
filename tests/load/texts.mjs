// The time that hostile texts keep the process busy: every shape at full length, by a warm renderer.
//   npm run bench texts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "./bundled.mjs";

const BOUND_MS = 200;
const folder = mkdtempSync(join(tmpdir(), "bothy-texts-"));
const load = async (entry) => {
  const outfile = join(folder, `${entry.replaceAll("/", "-")}.mjs`);
  await bundle(entry, outfile);
  return import(pathToFileURL(outfile).href);
};
const { renderMarkdown } = await load("workers/adapters/markdown.ts");
const { HOSTILE_TEXTS } = await load("tests/support/hostile-texts.ts");
rmSync(folder, { recursive: true });

const ORDINARY =
  "# Title\n\nA *word* and a [link](https://example.com).\n\n- one\n- two\n\n```css\na{b:c}\n```\n";
for (let i = 0; i < 20; i++) renderMarkdown(ORDINARY.repeat(10));

let slowest = 0;
for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
  // The best of three: other processes slow a run down, none speeds it up.
  let ms = Number.POSITIVE_INFINITY;
  let contentHtml = "";
  for (let i = 0; i < 3; i++) {
    const started = performance.now();
    ({ contentHtml } = renderMarkdown(text));
    ms = Math.min(ms, performance.now() - started);
  }
  slowest = Math.max(slowest, ms);
  console.log(
    `${name.padEnd(28)} ${ms.toFixed(0).padStart(5)} ms ${String(contentHtml.length).padStart(9)} characters`,
  );
}
console.log(`slowest: ${slowest.toFixed(0)} ms, bound ${BOUND_MS} ms`);
if (slowest > BOUND_MS) process.exitCode = 1;

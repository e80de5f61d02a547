// Footnotes of several texts on one page.
import { expect, test } from "vitest";
import { renderMarkdown } from "#workers/adapters/markdown";
import { withOwnIds } from "./own-ids";

const idsIn = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
const html = renderMarkdown("one[^1] two[^b]\n\n[^1]: first\n[^b]: second").contentHtml;

test("R-80 each footnote link leads to an id of its own text", () => {
  const [first, second] = [withOwnIds(html, ":r1:"), withOwnIds(html, ":r2:")];
  const all = [...idsIn(first), ...idsIn(second)];
  expect(new Set(all).size).toBe(all.length);
  for (const text of [first, second]) {
    const targets = [...text.matchAll(/href="#([^"]*)"|aria-describedby="([^"]*)"/g)].map(
      ([, target, label]) => target ?? label,
    );
    expect(targets.length).toBeGreaterThanOrEqual(6);
    for (const target of targets) expect(idsIn(text)).toContain(target);
  }
});

test("R-80 a text keeps the words that look like an id, and a title with brackets", () => {
  const typed = renderMarkdown(
    'one[^1] id="text-x" `<p id="text-x">` [a](/x "1 > 0 id=\'text-x\'") b > c\n\n[^1]: first',
  ).contentHtml;
  const shown = withOwnIds(typed, ":r1:");
  expect(shown).toContain('id="text-x" <code>&#x3C;p id="text-x">');
  expect(shown).toContain('title="1 > 0 id=&#x27;text-x&#x27;"');
  expect(shown.replaceAll('"r1-', '"text-').replaceAll('"#r1-', '"#text-')).toBe(typed);
});

// Stored HTML on a page: footnotes of several texts, and the sides of lists and quotes.
import { expect, test } from "vitest";
import { renderMarkdown } from "#workers/adapters/markdown";
import { shownHtml } from "./shown-html";

const idsIn = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
const html = renderMarkdown("one[^1] two[^b]\n\n[^1]: first\n[^b]: second").contentHtml;

test("R-80 each footnote link leads to an id of its own text", () => {
  const [first, second] = [shownHtml(html, ":r1:"), shownHtml(html, ":r2:")];
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
  const shown = shownHtml(typed, ":r1:");
  expect(shown).toContain('id="text-x" <code>&#x3C;p id="text-x">');
  expect(shown).toContain('title="1 > 0 id=&#x27;text-x&#x27;"');
  expect(
    shown.replaceAll('"r1-', '"text-').replaceAll('"#r1-', '"#text-').replaceAll(' dir="auto"', ""),
  ).toBe(typed);
});

test("R-80 lists, quotes and tables of a text in Hebrew begin on their own side", () => {
  const shown = shownHtml(
    renderMarkdown("> ציטוט\n\n- אחת\n- two\n\n1. אחת\n\n| א |\n| - |\n| `<ul>` |").contentHtml,
    ":r1:",
  );
  for (const tag of ["blockquote", "ul", "ol", "table"]) expect(shown).toContain(`<${tag} dir="auto">`);
  expect(shown.match(/ dir="auto"/g)).toHaveLength(4);
});

test("R-80 a text in Latin letters is shown as it is stored", () => {
  const { contentHtml } = renderMarkdown("> “quote”\n\n- één – two");
  expect(shownHtml(contentHtml, ":r1:")).toBe(contentHtml);
});

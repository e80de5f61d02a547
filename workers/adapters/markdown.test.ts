// Markdown to HTML: what is documented comes out, and nothing that could run survives.
import { expect, test } from "vitest";
import { ATTACKS, unsafeIn } from "#tests/support/attacks";
import { CODE_LANGUAGES } from "~/domain/rich-text";
import { renderMarkdown } from "./markdown";

const html = (markdown: string) => renderMarkdown(markdown).contentHtml;
const KEY = "0123456789abcdef0123456789abcdef01234567.png";

test("D-01 Markdown stays as written, its HTML and its plain text are made from it", () => {
  const made = renderMarkdown("# Why\n\nTo *think*, and **walk**.\n\n- one\n- two");
  expect(made.content).toBe("# Why\n\nTo *think*, and **walk**.\n\n- one\n- two");
  expect(made.contentHtml).toBe(
    "<h1>Why</h1>\n<p>To <em>think</em>, and <strong>walk</strong>.</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
  );
  expect(made.summary).toBe("Why To think, and walk. one two");
  expect(renderMarkdown("word ".repeat(200)).summary).toHaveLength(300);
});

test("D-02 headings end at the fourth", () => {
  expect(html("# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f")).toBe(
    "<h1>a</h1>\n<h2>b</h2>\n<h3>c</h3>\n<h4>d</h4>\n<h4>e</h4>\n<h4>f</h4>",
  );
});

test("D-04 an image is shown whole, at 75% or at 50%, and keeps its place free", () => {
  expect(html(`![A hut](/uploads/${KEY}#size=800x600&show=50 "At dusk")`)).toBe(
    `<p><img src="/uploads/${KEY}" alt="A hut" title="At dusk" width="800" height="600" class="image-50" loading="lazy" decoding="async"></p>`,
  );
  expect(html(`![](/uploads/${KEY}#show=75)`)).toContain('class="image-75"');
  expect(html(`![](/uploads/${KEY}#show=100)`)).not.toContain("class");
  expect(html(`![](/uploads/${KEY}#show=10)`)).not.toContain("class");
  expect(html(`![](/uploads/${KEY}#size=0x9)`)).not.toContain("width");
  expect(html("![far](https://example.com/a.png)")).toContain('referrerpolicy="no-referrer"');
});

test("images of no address that may be shown leave their words", () => {
  for (const address of [
    "http://example.com/a.png",
    "//example.com/a.png",
    "/logout",
    "a.png",
    "/uploads/../logout",
  ])
    expect(html(`![the hut](${address})`), address).toBe("<p>the hut</p>");
});

test("D-05 code says one of the fourteen languages or none", () => {
  expect(CODE_LANGUAGES.map(({ value }) => value).join(", ")).toBe(
    "plaintext, c, cs, cpp, css, diff, html, java, javascript, php, python, ruby, typescript, xml",
  );
  for (const { value } of CODE_LANGUAGES)
    expect(html(`\`\`\`${value}\nif (x) return 1;\n\`\`\``), value).toContain(`language-${value}`);
  expect(html("```typescript\nconst a = 1;\n```")).toContain('<span class="hljs-keyword">const</span>');
  expect(html("```rust\nfn main() {}\n```")).toBe("<pre><code>fn main() {}\n</code></pre>");
});

test("nobody vouches for a link", () => {
  expect(html("[a](https://example.com) [b](/events) <mail@example.com>")).toBe(
    '<p><a href="https://example.com" rel="nofollow noopener ugc">a</a> <a href="/events" rel="nofollow noopener ugc">b</a> <a href="mailto:mail@example.com" rel="nofollow noopener ugc">mail@example.com</a></p>',
  );
});

test("nothing executable survives of any attack", () => {
  expect(ATTACKS.length).toBeGreaterThan(60);
  for (const attack of ATTACKS) expect(unsafeIn(html(attack)), attack).toEqual([]);
});

test("the check would see what it looks for", () => {
  for (const bad of [
    "<script>x</script>",
    '<img src="x" onerror="x">',
    '<a href="javascript:x">x</a>',
    '<a href="data:text/html,x">x</a>',
    "<svg></svg>",
    '<p style="x">',
    '<iframe src="/"></iframe>',
    '<form action="/logout">',
  ])
    expect(unsafeIn(bad), bad).not.toEqual([]);
});

test("markup that no person writes is shown as it is, at once", () => {
  const machines = {
    quotes: ">".repeat(100_000),
    quotesApart: "> ".repeat(100_000),
    numbers: "1. ".repeat(60_000),
    bullets: "- ".repeat(100_000),
    brackets: "[".repeat(200_000),
    bangs: "![".repeat(100_000),
    stars: "**_".repeat(60_000),
    pairs: `${"*_".repeat(50_000)}a${"_*".repeat(50_000)}`,
    links: "[a](".repeat(50_000),
    definitions: "[a]: b\n".repeat(25_000),
    footnotes: `${"[^a]".repeat(40_000)}\n\n[^a]: x`,
    tags: "<a ".repeat(60_000),
    nested: Array.from({ length: 600 }, (_, i) => `${"  ".repeat(i)}- a`).join("\n"),
  };
  for (const [name, text] of Object.entries(machines)) {
    const started = performance.now();
    const made = html(text);
    expect(unsafeIn(made), name).toEqual([]);
    expect(performance.now() - started, name).toBeLessThan(1500);
  }
});

test("D-01 the box of a task says whether it is done, to who cannot see it", () => {
  const { contentHtml } = renderMarkdown("- [x] Boil water\n- [ ] Pack");
  expect(contentHtml.match(/<input[^>]*>/g)).toEqual([
    expect.stringMatching(/checked.*aria-label="Done"/),
    expect.stringMatching(/aria-label="Not done"/),
  ]);
});

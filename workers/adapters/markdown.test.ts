// Markdown to HTML: the documented syntax is rendered, and nothing executable survives.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTACKS, unsafeIn } from "#tests/support/attacks";
import { readByIcal } from "#tests/support/calendars";
import { HOSTILE_TEXTS } from "#tests/support/hostile-texts";
import { runsOf } from "#tests/support/property-seed";
import { entryOf } from "~/domain/calendar";
import { plainFromLine, STRUCTURE, structureEnd } from "~/domain/markdown-bounds";
import { CODE_LANGUAGES, MARKDOWN_VERSION } from "~/domain/rich-text";
import { instant, seconds } from "~/domain/time";
import { createCalendar } from "./calendar";
import { renderMarkdown, renderPost } from "./markdown";

const html = (markdown: string) => renderMarkdown(markdown).contentHtml;
const KEY = "0123456789abcdef0123456789abcdef01234567.png";

test("D-01 Markdown is stored as written, and HTML and plain text are rendered from it", () => {
  const made = renderMarkdown("# Why\n\nTo *think*, and **walk**.\n\n- one\n- two");
  expect(made.content).toBe("# Why\n\nTo *think*, and **walk**.\n\n- one\n- two");
  expect(made.contentHtml).toBe(
    "<h1>Why</h1>\n<p>To <em>think</em>, and <strong>walk</strong>.</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
  );
  expect(made.summary).toBe("Why To think, and walk. one two");
  expect(renderMarkdown("word ".repeat(200)).summary).toHaveLength(300);
});

test("D-02 a heading has level four at most", () => {
  expect(html("# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f")).toBe(
    "<h1>a</h1>\n<h2>b</h2>\n<h3>c</h3>\n<h4>d</h4>\n<h4>e</h4>\n<h4>f</h4>",
  );
});

test("D-04 an image is shown at 100%, 75% or 50% and reserves its space", () => {
  expect(html(`![A hut](/uploads/${KEY}#size=800x600&show=50 "At dusk")`)).toBe(
    `<p><img src="/uploads/${KEY}" alt="A hut" title="At dusk" width="800" height="600" class="image-50" loading="lazy" decoding="async"></p>`,
  );
  expect(html(`![](/uploads/${KEY}#show=75)`)).toContain('class="image-75"');
  expect(html(`![](/uploads/${KEY}#show=100)`)).not.toContain("class");
  expect(html(`![](/uploads/${KEY}#show=10)`)).not.toContain("class");
  expect(html(`![](/uploads/${KEY}#size=0x9)`)).not.toContain("width");
  expect(html("![far](https://example.com/a.png)")).toContain('referrerpolicy="no-referrer"');
});

test("an image whose address is not allowed is replaced by its alternative text", () => {
  for (const address of [
    "http://example.com/a.png",
    "//example.com/a.png",
    "/logout",
    "a.png",
    "/uploads/../logout",
  ])
    expect(html(`![the hut](${address})`), address).toBe("<p>the hut</p>");
});

test.each(["//elsewhere.example/x", "///elsewhere.example", "//"])(
  "D-03 a link to %s, which names only a host, gets no address",
  (target) => {
    const made = html(`[press](<${target}>)`);
    expect(made).toBe("<p><a>press</a></p>");
  },
);

test("D-03 a link to a page of ours keeps its address", () => {
  expect(html("[press](/sessions/7)")).toContain('href="/sessions/7"');
});

test("D-05 a code block has one of the fourteen languages or none", () => {
  expect(CODE_LANGUAGES.map(({ value }) => value).join(", ")).toBe(
    "plaintext, c, cs, cpp, css, diff, html, java, javascript, php, python, ruby, typescript, xml",
  );
  for (const { value } of CODE_LANGUAGES)
    expect(html(`\`\`\`${value}\nif (x) return 1;\n\`\`\``), value).toContain(`language-${value}`);
  expect(html("```typescript\nconst a = 1;\n```")).toContain('<span class="hljs-keyword">const</span>');
  expect(html("```rust\nfn main() {}\n```")).toBe("<pre><code>fn main() {}\n</code></pre>");
});

test("a link carries nofollow and noopener", () => {
  expect(html("[a](https://example.com) [b](/events) <mail@example.com>")).toBe(
    '<p><a href="https://example.com" rel="nofollow noopener ugc">a</a> <a href="/events" rel="nofollow noopener ugc">b</a> <a href="mailto:mail@example.com" rel="nofollow noopener ugc">mail@example.com</a></p>',
  );
});

test("nothing executable survives of any attack", () => {
  expect(ATTACKS.length).toBeGreaterThan(60);
  for (const attack of ATTACKS) expect(unsafeIn(html(attack)), attack).toEqual([]);
});

test("the check for executable HTML detects what it looks for", () => {
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

test("D-01 R-25 the parsed structure is bounded, whatever the text", () => {
  expect(Object.keys(HOSTILE_TEXTS).length).toBeGreaterThanOrEqual(40);
  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    const marked = text.slice(0, structureEnd(text));
    expect(marked.length, name).toBeLessThanOrEqual(STRUCTURE.characters);
    expect(marked.split("\n").length - 1, name).toBeLessThanOrEqual(STRUCTURE.lines);
    // A line is in one list for each two columns before its words.
    for (const line of marked.split("\n").filter((one) => /^[ \t]*[>*+-]/.test(one)))
      expect(/^[ \t>*+-]*/.exec(line)?.[0].length, name).toBeLessThanOrEqual(
        STRUCTURE.indent + STRUCTURE.depth,
      );
    for (const block of marked.replace(/^```[\s\S]*?^```$/gm, "").split(/\n[ \t]*\n/)) {
      expect(block.match(/[*_~[\]`<&\\@|]/g)?.length ?? 0, name).toBeLessThanOrEqual(STRUCTURE.blockMarks);
      if (!block.startsWith("```"))
        expect(block.trim().split("\n").length, name).toBeLessThanOrEqual(STRUCTURE.blockLines);
    }
  }
});

test("D-01 R-25 a rendered text has at most 10,000 elements and a megabyte, whatever the text", () => {
  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    const made = html(text);
    // The rest is plain: paragraphs and line breaks.
    expect(made.match(/<(?!br>|p>)[a-z]/g)?.length ?? 0, name).toBeLessThanOrEqual(10_000);
    expect(unsafeIn(made), name).toEqual([]);
    expect(made.length, name).toBeLessThanOrEqual(1_000_000);
  }
});

test("D-01 R-25 beyond the bound of the formatting, every word is shown as typed", () => {
  const list = Array.from({ length: 300 }, (_, i) => `- row ${i}`).join("\n");
  const made = html(`# Title\n\n${list}\n\n**bold** <b>`);
  expect(made).toContain("<h1>Title</h1>");
  expect(made).toContain("<li>row 199</li>");
  expect(made.split("</ul>")[1]).toMatch(
    /^\n<p>- row 200<br>[\s\S]*- row 299<\/p>\n<p>\*\*bold\*\* &lt;b&gt;<\/p>$/,
  );
});

test("D-01 R-25 the first line that would be shown as typed is known before the text is saved", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => `- row ${i}`).join("\n");
  expect(plainFromLine(`# Title\n\n${rows(300)}`)).toBe(203);
  expect(plainFromLine(`${rows(200)}\n\n- more`)).toBe(null);
  expect(plainFromLine("")).toBe(null);
});

test("D-01 R-25 lines with words count towards the bound of a text, a quoted one once for each quote", () => {
  const paragraphs = (count: number, prefix = "") => Array(count).fill(`${prefix}word`).join("\n\n");
  const { filledLines } = STRUCTURE;
  expect(plainFromLine(paragraphs(filledLines))).toBeNull();
  expect(plainFromLine(paragraphs(filledLines + 1))).toBe(2 * filledLines + 1);
  expect(plainFromLine(paragraphs(filledLines / 4, "> > > > "))).toBeNull();
  expect(plainFromLine(paragraphs(filledLines / 4 + 1, "> > > > "))).toBe(filledLines / 2 + 1);
});

test("D-01 R-25 a list of eight levels is formatted, indented by two columns or by four", () => {
  for (const columns of [2, 4]) {
    const levels = Array.from({ length: 8 }, (_, level) => `${" ".repeat(level * columns)}- level ${level}`);
    expect(plainFromLine(levels.join("\n"))).toBeNull();
    expect(html(levels.join("\n")).match(/<ul>/g)).toHaveLength(8);
  }
});

test("D-01 R-25 a long line without indentation is formatted", () => {
  expect(plainFromLine(`${"A long line ".repeat(50)}\n> ${"and a quote ".repeat(50)}`)).toBeNull();
});

test("P7 D-05 code has colours up to a bound of work, and is whole without them beyond it", () => {
  const block = (language: string, code: string) => `\`\`\`${language}\n${code}\`\`\`\n\n`;
  const coloursOf = (markdown: string) =>
    html(markdown)
      .split("<pre>")
      .slice(1)
      .map((made) => made.includes("hljs-"));
  const css = (lines: number) => block("css", "a { b: c }\n".repeat(lines));
  expect(coloursOf(css(350))).toEqual([true]);
  expect(coloursOf(css(370))).toEqual([false]);
  // Four halves are one whole, because the work grows with the square.
  expect(coloursOf(css(178).repeat(5))).toEqual([true, true, true, true, false]);
  expect(coloursOf(css(370) + css(10))).toEqual([false, true]);
  // Short blocks together have twice the characters of a long one.
  expect(coloursOf(css(10).repeat(100)).filter(Boolean)).toHaveLength(72);
  expect(coloursOf(css(1).repeat(300)).filter(Boolean)).toHaveLength(256);
  expect(html(css(370)).match(/a \{ b: c \}/g)).toHaveLength(370);
  for (const language of ["c", "cpp", "cs"]) {
    expect(coloursOf(block(language, "return 1;\n".repeat(99)))).toEqual([true]);
    expect(coloursOf(block(language, "return 1;\n".repeat(101)))).toEqual([false]);
  }
  expect(coloursOf(block("typescript", `const a = "${"x".repeat(188)}"\n`))).toEqual([true]);
  expect(coloursOf(block("typescript", `const a = "${"x".repeat(189)}"\n`))).toEqual([false]);
});

test("D-01 the checkbox of a task has a label for screen readers", () => {
  const { contentHtml } = renderMarkdown("- [x] Boil water\n- [ ] Pack");
  expect(contentHtml.match(/<input[^>]*>/g)).toEqual([
    expect.stringMatching(/checked.*aria-label="Done"/),
    expect.stringMatching(/aria-label="Not done"/),
  ]);
});

test("R-60 HTML is shown as the text that it is", () => {
  expect(html("if a<b and c>d then")).toBe("<p>if a&#x3C;b and c>d then</p>");
  expect(html("<x>")).toBe("<p>&#x3C;x></p>");
  expect(html("<details>\n\n**word**\n\n</details>")).toBe(
    "<p>&#x3C;details></p>\n<p><strong>word</strong></p>\n<p>&#x3C;/details></p>",
  );
  expect(html('- <script>alert("x")</script>')).toContain("&#x3C;script>");
  expect(html("> <!-- said\n> aside -->")).toContain("said");
  expect(renderMarkdown("if a<b and c>d then\n\n<details>\nmore").summary).toBe(
    "if a<b and c>d then <details> more",
  );
});

test("R-60 <br> and <br /> are line breaks", () => {
  expect(html("one<br>two<br />three<BR/>four")).toBe("<p>one<br>two<br>three<br>four</p>");
  expect(html("one\n\n<br />\n\ntwo")).toBe("<p>one</p>\n<p><br></p>\n<p>two</p>");
  expect(html("| a |\n| - |\n| one<br>two |")).toContain("<td>one<br>two</td>");
  expect(html("one\\<br>two `<br>` <br class=x>")).toBe(
    "<p>one&#x3C;br>two <code>&#x3C;br></code> &#x3C;br class=x></p>",
  );
  expect(renderMarkdown("one<br>two\n\n<br />\n\nthree").summary).toBe("one two three");
});

/** Text that HTML shows. */
const shownText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#x3C;", "<")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replace(/&amp;|&#x26;/g, "&");

const TAGS = [
  "<x>",
  "</x>",
  "<b and c>",
  "<details>",
  "</details>",
  "<script>",
  "</script>",
  "<!-- ",
  " -->",
];
const piece = fc.oneof(
  fc.constantFrom(
    ...TAGS,
    "<?php ",
    "?>",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE ",
    "<pre>",
    '<a href="/',
    '">',
    "<",
  ),
  fc.constantFrom("\n", "\n\n", "<br>", "<br />", "> ", "- ", "1. ", "**", "# ", " "),
  fc.constantFrom("word", "字", "👩‍👩‍👧"),
);

test("R-60 the words of a text are those of its page, its summary and its calendar line, in order", async () => {
  const calendar = createCalendar("Bothy", "hello@bothy.example");
  const startedAt = instant(Date.UTC(2026, 10, 21));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
      let count = 0;
      const text = pieces.map((one) => (one === "word" ? ` w${++count} ` : one)).join("");
      const words = Array.from({ length: count }, (_, i) => `w${i + 1}`);
      const tags = pieces.filter((one) => /^<\/?[a-z]+>$/.test(one) && !one.startsWith("<br"));
      const { contentHtml, summary } = renderMarkdown(text);
      expect(unsafeIn(contentHtml)).toEqual([]);
      const row = { id: 1, title: "T", summary, sequence: 0, changedAt: startedAt, closedAt: null };
      const times = { startedAt, endedAt: null, duration: seconds(600), cancelledStart: null };
      const entry = entryOf(
        { ...row, ...times },
        { origin: "https://bothy.example", name: "bothy.example" },
        true,
      );
      const file = await calendar.write(entry ? [entry] : [], { name: "C", method: "PUBLISH" });
      const [event] = readByIcal(file);
      for (const shown of [shownText(contentHtml), summary, event?.description ?? ""]) {
        expect(shown.match(/w\d+/g) ?? [], text).toEqual(words);
        const found = shown.match(/<\/?[a-z]+>/g) ?? [];
        expect(found.filter((tag) => tags.includes(tag)).sort(), text).toEqual([...tags].sort());
      }
    }),
    { numRuns: runsOf(5000, 500) },
  );
}, 120_000);

test.each([
  ["Hello @ann and **@ben**", ["ann", "ben"]],
  ["`@ann` and ``x @ben``", []],
  ["```\n@ann\n```\n\n    @ben", []],
  ["> @ann said\n> > @ben\n\n- > @cas", []],
  ["> quoted\n\n@ann answers", ["ann"]],
  ["[@ann](https://example.com/@ben) <https://example.com/@cas>", ["ann"]],
  ["\\@ann &#64;ben", ["ann", "ben"]],
  ["mail ann@example.com", []],
  ["@an**n**", ["ann"]],
  ["<b>@ann</b>", ["ann"]],
  ["one\n\n@ann\n- @ben\n\n| @cas |\n| - |\n| @dan |", ["ann", "ben", "cas", "dan"]],
])("N-26 %j mentions %j", (text, names) => {
  expect(renderPost(text).mentions).toEqual(names);
});

test("N-26 names beyond the bound of the formatting are mentions too", () => {
  const list = Array.from({ length: 900 }, (_, i) => `- row ${i}`).join("\n");
  expect(renderPost(`@ann\n\n${list}\n\n@ben`).mentions).toEqual(["ann", "ben"]);
});

test.each(["3~4 sets, 5~6 min", "about ~5 km or ~10 km", "~a~", "a ~b~ c"])(
  "R-80 a single tilde stays a tilde in %s",
  (text) => {
    expect(renderMarkdown(text)).toMatchObject({ contentHtml: `<p>${text}</p>`, summary: text });
  },
);

test("R-80 two tildes strike out", () => {
  expect(html("~~done~~")).toBe("<p><del>done</del></p>");
});

test.each([
  ["https://example.com/a。次", "https://example.com/a", "。次"],
  ["（https://example.com/a）です", "https://example.com/a", "）です"],
  ["見て「https://example.com/a?b=1」と", "https://example.com/a?b=1", "」と"],
  ["https://example.com、次", "https://example.com", "、次"],
  ["詳細はhttps://example.com/a、次", "https://example.com/a", "、次"],
  ["https://example.com、次はhttps://example.com/b。", "https://example.com/b", "。"],
  ["https://example.com/a.（次）", "https://example.com/a", ".（次）"],
  ["انظر https://example.com/a، ثم", "https://example.com/a", "، ثم"],
  ["देखो https://example.com/a। फिर", "https://example.com/a", "। फिर"],
  ["“https://example.com/a”", "https://example.com/a", "”"],
  ["https://example.com/a_(b) c", "https://example.com/a_(b)", " c"],
  ["https://ja.wikipedia.org/wiki/東京・大阪 と", "https://ja.wikipedia.org/wiki/東京・大阪", " と"],
])("R-80 an address ends before the punctuation in %s", (text, address, after) => {
  const made = html(text);
  expect(made).toContain(`>${address}</a>${after}</p>`);
  expect(decodeURI([...made.matchAll(/href="([^"]*)"/g)].at(-1)?.[1] ?? "")).toBe(address);
  expect(renderMarkdown(text).summary).toBe(text);
});

test("R-80 an address that somebody marked as a link keeps its punctuation", () => {
  expect(html("<https://example.com/a。b>")).toContain(">https://example.com/a。b</a></p>");
  expect(html("[https://example.com/a。b](https://example.com/a。b)")).toContain("%E3%80%82b");
});

test("R-80 a summary separates the cells of a table by spaces", () => {
  expect(renderMarkdown("| Name | Km |\n| - | - |\n| Ann | 5 |").summary).toBe("Name Km Ann 5");
});

test("R-80 a summary of 400 emoji ends with a whole one", () => {
  expect(renderMarkdown("😀".repeat(400)).summary).toBe(`${"😀".repeat(149)}…`);
});

const wide = `${"a|".repeat(297)}a\n${"-|".repeat(297)}-\n${"b\n".repeat(197)}`;
test.each([
  ["a table whose rows are shorter than its head", wide, 4],
  ["such a table in a quote", `> ${wide.trimEnd().replaceAll("\n", "\n> ")}`, 4],
  ["such tables in a row", `${wide}\n`.repeat(4), 4],
  ["footnotes that are used often", `${`${"[^a]".repeat(140)}\n\n`.repeat(6)}[^a]: x`, 8],
  ["addresses without a space to rest", `${"a@b.cd ".repeat(25)}\n\n`.repeat(150), 8],
])("P7 %s makes no more HTML than a few times its length", (_, text, times) => {
  const { contentHtml } = renderMarkdown(text);
  expect(contentHtml.length).toBeLessThan(times * text.length + 40_000);
});

test("P7 a table of thirty rows and ten columns is a table", () => {
  const row = `${"| cell ".repeat(10)}|\n`;
  const { contentHtml } = renderMarkdown(`${row}${"|---".repeat(10)}|\n${row.repeat(30)}`);
  expect(contentHtml.match(/<td/g)).toHaveLength(300);
});

test.each([
  "https://bank.example@evil.example/x",
  "https://name:word@evil.example",
  "see http://a@b.example, please",
])("R-80 %s with a name before its host gets no address, as in a line of chat", (text) => {
  expect(html(text)).not.toContain("href");
  expect(
    html(text)
      .replace(/<[^>]*>/g, "")
      .trim(),
  ).toBe(text);
  expect(html(`${text} https://example.com/x`)).toContain('href="https://example.com/x"');
});

/** The hash of the rendered sample, by version of the rules. A change that stored texts need has its version. */
const RENDERED: Record<number, string> = { 1: "d66248067f924936" };
const SAMPLE = `# Why

To *think*, and **walk** ~~fast~~, a<b; <b>HTML</b><br>next, www.example.com/a. [^1]

- [x] one
  1. two

> quoted ![A hill](/uploads/${KEY}#size=8x6&show=50) [link](https://example.com)

| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
const a = 1;
\`\`\`

[^1]: A note.`;

test("R-60 a change of what is rendered has a version of its own", () => {
  const rendered = JSON.stringify(renderMarkdown(SAMPLE));
  expect(createHash("sha256").update(rendered).digest("hex").slice(0, 16)).toBe(RENDERED[MARKDOWN_VERSION]);
});

// Texts that repeat one unit at full length, before each function that reads a person's text: none costs more than four
// times the processor time of words (P7).
import { beforeAll, expect, test } from "vitest";
import { createCalendar } from "#workers/adapters/calendar";
import { renderMarkdown } from "#workers/adapters/markdown";
import { extract } from "#workers/adapters/summaries";
import { fillCopy, placesIn } from "#workers/edge-places";
import { maskKeys } from "~/domain/accounts/api-keys";
import { linkPieces } from "~/domain/autolinks";
import { entryOf } from "~/domain/calendar";
import { foldText } from "~/domain/folding";
import { isTicked, planLines, tickLine } from "~/domain/goals/note-lines";
import { plainFromLine } from "~/domain/markdown-bounds";
import { mentionsIn } from "~/domain/notices/mentions";
import { CODE_LANGUAGES } from "~/domain/rich-text";
import { indexedWords, pairsOf, searchWordsOf } from "~/domain/search-words";
import { slugify } from "~/domain/slugs";
import { cleanLines, foldLine } from "~/domain/text-lines";
import { instant, seconds } from "~/domain/time";
import { decisionEmail } from "~/use-cases/notices/emails.server";
import { refuseStaleEdit } from "~/use-cases/stale-edits.server";
import { drawn, runsOf } from "./support/property-seed";

const LENGTH = 190_000;
const LINE = 180;

/** These once held the processor for seconds. */
const LISTED = [' data-until="1"', "a\t", "a b ", "a", "[](", "a\n"];
const UNITS = [
  ..."()[]{}<>*_`~#'\"/\\|&@$%^+-=!?:;,.0 \t\n",
  ..."![ a( a< <a </ <!-- ]( ** __ ~~ *a a* _a a_ `a && &a; @a $a $( a: :: => -> // /* */ a. a, 1. http:// www. a@ \\n {} () [] [a] [a]: <b>".split(
    " ",
  ),
  ' nonce="a"',
  ' class="a"',
  "<b data-until=",
  "| a |\n",
  "> ",
  "> > ",
  "# ",
  "- [ ] ",
  "+ ",
  "- - ",
  "a\n\n",
  "```\n",
  "function a(",
  "class a ",
  "return a ",
];

const WORDS = "The quick brown fox jumps over the lazy dog. ";
const repeated = (unit: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
/** In lines that code with colours may have. */
const inLines = (unit: string, length: number) => repeated(`${repeated(unit, LINE)}\n`, length);
const inParagraphs = (unit: string) => repeated(`${repeated(`${repeated(unit, 90)}\n`, 900)}\n`, LENGTH);

const calendar = createCalendar("Bothy", "hello@bothy.example");
const mail = { to: "ann@example.com", appName: "Bothy", username: "ann", url: "/account/appeal", days: 30 };

/** Each reader of a whole text. */
const READERS: Record<string, (text: string) => unknown> = {
  clean: (text) => [cleanLines(text), foldLine(text)],
  render: renderMarkdown,
  "warn of plain text": plainFromLine,
  summarise: (content) => extract({ title: "", content }),
  "mentions and keys": (text) => [mentionsIn(text), maskKeys(text)],
  "search words": (text) => [foldText(text), searchWordsOf(text), pairsOf(text), indexedWords(text)],
  slug: slugify,
  "links of a line": linkPieces,
  "lines of a note": (text) => {
    const note = { content: text, todo: text, done: text };
    return [planLines(text), tickLine(note, "todo", "b"), isTicked(note, "done", "b")];
  },
  "difference of two versions": (content) => {
    const stored = { updatedAt: instant(2), content: `${content}.` };
    expect(() => refuseStaleEdit(stored, { content }, instant(1))).toThrow();
  },
  mail: (reason) => decisionEmail({ ...mail, kind: "notice", sentence: reason, reason }),
  calendar: (text) => {
    const entry = entryOf(
      {
        id: 1,
        title: text,
        summary: text,
        sequence: 0,
        changedAt: instant(0),
        closedAt: null,
        startedAt: instant(0),
        endedAt: null,
        duration: seconds(600),
        cancelledStart: null,
      },
      { origin: "https://bothy.example", name: "bothy.example" },
      true,
    );
    return calendar.write(entry ? [entry] : [], { name: text, method: "PUBLISH" });
  },
  "answer from a copy": (text) => {
    const html = `<main><b data-until="5">1</b>${renderMarkdown(text).contentHtml}<p title="${text.replaceAll('"', "&quot;")}"></p></main>`;
    return fillCopy({ html, places: placesIn(html, "a") }, { nonce: "b", now: instant(0) });
  },
};

/** Milliseconds of only this thread, so that its neighbours on the machine do not count. */
async function costOf(act: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Below this a ratio says nothing. */
const FLOOR_MS = 50;

/** The least of three, because compiling and collecting garbage are part of some runs; null within the bound. */
async function tooMuch(act: () => unknown, words: number): Promise<string | null> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    least = Math.min(least, await costOf(act));
    if (least <= 4 * Math.max(words, FLOOR_MS)) return null;
  }
  return `${Math.round(least)} ms, words ${Math.round(words)} ms`;
}

/** The last of three runs is warm. */
async function costOfWords(act: () => unknown): Promise<number> {
  await act();
  return Math.min(await costOf(act), await costOf(act));
}

const units = [...LISTED, ...drawn(UNITS, runsOf(8, 8, 4))];
const named = units.map((unit) => [JSON.stringify(unit), unit] as const);

const words: Record<string, number> = {};
beforeAll(async () => {
  const text = inParagraphs(WORDS);
  for (const [name, read] of Object.entries(READERS)) words[name] = await costOfWords(() => read(text));
}, 60_000);

test("P7 there are about 60 units, and each is another", () => {
  expect(new Set([...LISTED, ...UNITS]).size).toBe(LISTED.length + UNITS.length);
  expect(UNITS.length).toBeGreaterThan(60);
});

test.each(named)("P7 %s costs each reader at most four times the work of words", async (_, unit) => {
  const wrong: string[] = [];
  const shapes = [repeated(unit, LENGTH), inLines(unit, LENGTH), inParagraphs(unit)];
  for (const [name, read] of Object.entries(READERS))
    for (const [shape, text] of shapes.entries()) {
      const found = await tooMuch(() => read(text), words[name] ?? 0);
      if (found) wrong.push(`${name}, shape ${shape}: ${found}`);
    }
  expect(wrong).toEqual([]);
});

/** More than a text may have in colours (D-05). */
const COLOURED = 20_000;
/** These languages once held the processor. */
const SLOW = ["c", "cs", "typescript"] as const;
const languages = CODE_LANGUAGES.map(({ value }) => value);

test.each([...new Set([...SLOW, ...drawn(languages, runsOf(2, 2, 1))])])(
  "P7 D-05 code of %s costs at most four times the work of words",
  { timeout: 120_000 },
  async (language) => {
    const block = (code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n\n`;
    /** Blocks of lines, from the many and short to a single one, and a single line. */
    const shapes = [12, LINE, 990, 3990].map((length) => (unit: string) => {
      const short = block(inLines(unit, length));
      return short.repeat(Math.ceil(COLOURED / short.length));
    });
    shapes.push((unit) => block(repeated(unit, COLOURED)));
    const wrong: string[] = [];
    for (const [at, shape] of shapes.entries()) {
      const plain = shape(WORDS);
      const least = await costOfWords(() => renderMarkdown(plain));
      for (const unit of units) {
        const text = shape(unit);
        const found = await tooMuch(() => renderMarkdown(text), least);
        if (found) wrong.push(`shape ${at} of ${JSON.stringify(unit)}: ${found}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);

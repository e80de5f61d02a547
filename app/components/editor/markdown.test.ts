// The editor's Markdown: a document that is written and parsed again is the same document.
import {
  Editor,
  editorViewTimerCtx,
  parserCtx,
  SerializerReady,
  schemaCtx,
  serializerCtx,
} from "@milkdown/kit/core";
import { createTimer } from "@milkdown/kit/ctx";
import type { Mark, Node, Schema } from "@milkdown/kit/prose/model";
import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runsOf } from "#tests/support/property-seed";
import { renderMarkdown } from "#workers/adapters/markdown";
import { configureMarkdown, markdownPlugins, STRIKETHROUGH } from "./markdown.client";

let parse: (markdown: string) => Node;
let write: (doc: Node) => string;
let schema: Schema;

beforeAll(async () => {
  // The editor's timers give up after three seconds; on a fast machine the stubs below are gone by then.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  await new Promise<void>((resolve) => {
    // The editor names the page's body at once; its view, which would need it, waits for a timer that never fires.
    vi.stubGlobal("document", { body: null });
    const events = new EventTarget();
    for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"] as const)
      vi.stubGlobal(name, events[name].bind(events));
    const never = createTimer("never", 2 ** 31 - 1);
    void Editor.make()
      .config((ctx) => {
        ctx.record(never);
        ctx.set(editorViewTimerCtx, [never]);
        configureMarkdown(ctx);
      })
      .use(markdownPlugins)
      .use((ctx) => async () => {
        await ctx.wait(SerializerReady);
        parse = ctx.get(parserCtx) as never;
        write = ctx.get(serializerCtx);
        schema = ctx.get(schemaCtx);
        resolve();
      })
      .create();
  });
  vi.useRealTimers();
});

/** A document without the sign that a mark was written with, `*` or `_`. */
const plain = (doc: Node): unknown =>
  JSON.parse(JSON.stringify(doc.toJSON()), (key, value) => (key === "marker" ? undefined : value));
/** Each letter with its marks. Milkdown takes the marks off spaces, where nobody sees them. */
const letters = (doc: Node): string[][] =>
  doc.children.map((paragraph) =>
    paragraph.children.flatMap((node) =>
      [...(node.text ?? `<${node.type.name}>`)].map((letter) =>
        letter === " " ? letter : [letter, ...node.marks.map(({ type }) => type.name).sort()].join(" "),
      ),
    ),
  );
const again = (doc: Node): Node => parse(write(doc));

describe("D-03 R-60 the editor keeps", () => {
  test.each([
    "half**way** there",
    "*a*b*c*",
    "~~done.~~next",
    "***both.***next",
    "**👩‍👩‍👧**字",
    "if a<b and c>d then",
    "a <x> b",
    "one<br>two",
    "| a |\n| - |\n| one<br />two |",
    "### one<br />two",
    "<details>\n\nword\n\n</details>",
  ])("%j", (markdown) => {
    const doc = parse(markdown);
    expect(plain(again(doc))).toEqual(plain(doc));
    const shown = (text: string) => renderMarkdown(text).contentHtml;
    expect(shown(write(doc))).toBe(shown(markdown.replace("<br>", "\\\n")));
  });

  test.each([
    ["警告：", "请注意"],
    ["「这里」", "吧"],
    ["Warning:", "text"],
    ["!", "b"],
  ])("%s in bold before %s, also on the page", (bold, text) => {
    const strong = schema.text(bold, [schema.mark("strong")]);
    const doc = schema.node("doc", null, [schema.node("paragraph", null, [strong, schema.text(text)])]);
    expect(letters(again(doc))).toEqual(letters(doc));
    expect(renderMarkdown(write(doc)).contentHtml).toBe(`<p><strong>${bold}</strong>${text}</p>`);
  });

  const words = fc
    .array(fc.constantFrom(..."ab 。，:!（）😀字éß*_~<>`\\.#-1)[]&|"), { minLength: 1, maxLength: 6 })
    .map((all) => all.join(""));
  const NAMES = ["strong", "emphasis", "strike_through", "inlineCode"];
  const runs = fc.array(fc.tuple(words, fc.subarray(NAMES, { maxLength: 2 })), {
    minLength: 1,
    maxLength: 5,
  });

  const paragraphOf = (all: [string, string[]][]): Node => {
    const marks = (names: string[]): Mark[] => {
      const given = names.includes("inlineCode") ? ["inlineCode"] : names;
      return given.flatMap((name) => schema.marks[name]?.create() ?? []);
    };
    return schema.node(
      "paragraph",
      null,
      all.map(([text, names]) => schema.text(text, marks(names))),
    );
  };
  /** Spaces at the ends of a line, and of code, are not part of a Markdown text. */
  const isWritable = (all: [string, string[]][]) => {
    const text = all.map(([words]) => words).join("");
    return (
      text === text.trim() &&
      all.every(([words, names]) => !names.includes("inlineCode") || words.trim() === words)
    );
  };

  test("every document of marks, punctuation, emoji and half words", () => {
    fc.assert(
      fc.property(fc.array(runs.filter(isWritable), { minLength: 1, maxLength: 3 }), (paragraphs) => {
        const doc = schema.node("doc", null, paragraphs.map(paragraphOf));
        expect(letters(again(doc)), write(doc)).toEqual(letters(doc));
      }),
      { numRuns: runsOf(5000, 1000) },
    );
  }, 120_000);
});

describe("R-80 the editor", () => {
  test.each(["about ~5 km or ~10 km", "3~4 sets, 5~6 min"])("keeps single tildes of %s", (text) => {
    const doc = parse(text);
    expect(doc.textContent).toBe(text);
    expect(letters(doc).flat()).toEqual([...text]);
    expect(letters(again(doc))).toEqual(letters(doc));
  });

  test.each(["about ~5 km or ~", "~a~", "~ ~~ ~"])("strikes nothing out when somebody types %s", (text) => {
    for (let end = 1; end <= text.length; end++)
      expect(STRIKETHROUGH.test(text.slice(0, end)), text).toBe(false);
  });

  test("strikes out what is typed between two pairs of tildes", () => {
    expect(STRIKETHROUGH.exec("it is ~~done~~")?.[1]).toBe("done");
  });

  test.each(["https://example.com/a。次", "次はhttps://example.com/a。"])(
    "ends the address of %s where the page does, also after it was written again",
    (text) => {
      const doc = parse(text);
      expect(
        letters(doc)
          .flat()
          .filter((letter) => letter.endsWith(" link")).length,
      ).toBe(21);
      expect(letters(again(doc))).toEqual(letters(doc));
    },
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { ItemInput, MAX_RAISED, ORDER_GAP, orderBetween, ParaphraseInput, raiseItems } from "./items";
import { firstWords, splitIntoSnippets } from "./split-book";

test("D-09 a moved item gets the midpoint, at the end the last order minus 10000, and null when the gap has closed", () => {
  expect(orderBetween(40, 20)).toBe(30);
  expect(orderBetween(null, 20)).toBe(20 + ORDER_GAP);
  expect(orderBetween(20, null)).toBe(20 - 10_000);
  expect(orderBetween(20, 20)).toBeNull();
  expect(orderBetween(1.0000001, 1)).toBeNull();
});

test("D-09 repeated halving of a gap ends in renumbering, never in a wrong order", () => {
  let above = 1_795_253_400_000;
  const below = above - ORDER_GAP;
  for (let i = 0; i < 200; i++) {
    const middle = orderBetween(above, below);
    if (middle === null) return;
    expect(middle).toBeLessThan(above);
    expect(middle).toBeGreaterThan(below);
    above = middle;
  }
  throw new Error("the gap never closed");
});

test("D-11 a text is split into passages of readable length without losing a word", () => {
  fc.assert(
    fc.property(
      fc.array(fc.lorem({ maxCount: 60, mode: "sentences" }), { minLength: 1, maxLength: 12 }),
      (paragraphs) => {
        const text = paragraphs.join("\n\n");
        const snippets = splitIntoSnippets(text);
        const words = (of: string) => of.split(/\s+/).filter(Boolean);
        expect(words(snippets.join(" "))).toEqual(words(text));
      },
    ),
  );
  expect(splitIntoSnippets(`${"A short one. ".repeat(200)}`).every((snippet) => snippet.length <= 900)).toBe(
    true,
  );
});

test("D-11 the boilerplate that a library adds to a text is left out", () => {
  const text =
    "\uFEFFThe library's words\r\n\r\n*** START OF THE BOOK ***\r\n\r\nThe book.\r\n\r\n*** END OF THE BOOK ***\r\nMore";
  expect(splitIntoSnippets(text)).toEqual(["The book."]);
});

test("an excerpt of a passage ends at a word, followed by an ellipsis", () => {
  expect(firstWords("Short and\nwhole.", 20)).toBe("Short and whole.");
  expect(firstWords("A hut is the least, a", 21)).toBe("A hut is the least …");
  expect(firstWords("A hut is the lea", 16)).toBe("A hut is the …");
});

test("D-09 a gap of a thousandth is closed, a wider one has a midpoint", () => {
  expect(orderBetween(10.001, 10)).toBeNull();
  expect(orderBetween(10.002, 10)).toBeCloseTo(10.001, 6);
  expect(orderBetween(10, 20)).toBeNull();
  expect(orderBetween(null, null)).toBe(0);
  expect(orderBetween(null, 0)).toBe(ORDER_GAP);
});

test("D-09 a closed gap raises the moved item and those above it that have no room, and no others", () => {
  const listOf = (orders: number[]) => orders.map((orderMs, id) => ({ id, orderMs }));
  expect(raiseItems(10, listOf([10, 20]))).toEqual({ orderMs: 11, raised: [{ id: 0, orderMs: 12 }] });
  expect(raiseItems(10, listOf([12]))).toEqual({ orderMs: 11, raised: [] });
  expect(raiseItems(10, listOf([10, 10, 13.5, 14, 40]))).toEqual({
    orderMs: 11,
    raised: [12, 13, 14, 15].map((orderMs, id) => ({ id, orderMs })),
  });
});

test("D-09 a move raises at most 200 items, and none whose orders are too great for a step", () => {
  const crowd = (count: number, orderMs: number) =>
    Array.from({ length: count }, (_, id) => ({ id, orderMs }));
  expect(raiseItems(10, crowd(MAX_RAISED, 10))?.raised).toHaveLength(MAX_RAISED);
  expect(raiseItems(10, crowd(MAX_RAISED + 1, 10))).toBeNull();
  expect(raiseItems(1e300, crowd(1, 1e300))).toBeNull();
});

test("D-11 a short passage absorbs the next one if both fit, and a long one is split at sentences", () => {
  const [short, long] = ["a".repeat(19), "b".repeat(30)];
  expect(splitIntoSnippets(`${short}\n\n${long}`, 50, 20)).toEqual([`${short}\n\n${long}`]);
  // A passage of the shortest length stays separate; the two together would be too long.
  expect(splitIntoSnippets(`${short}a\n\n${long}`, 60, 20)).toEqual([`${short}a`, long]);
  expect(splitIntoSnippets(`${short}\n\n${long}`, 49, 20)).toEqual([short, long]);
  expect(splitIntoSnippets("One two. Three four. Five six.", 21, 1)).toEqual([
    "One two. Three four.",
    "Five six.",
  ]);
  expect(splitIntoSnippets("One two. Three four.", 20, 1)).toEqual(["One two. Three four."]);
  expect(splitIntoSnippets("“Well!” Then more", 16, 1)).toEqual(["“Well!”", "Then more"]);
  expect(splitIntoSnippets(" \n \n")).toEqual([]);
  expect(splitIntoSnippets("b".repeat(30), 10, 1)).toEqual(["b".repeat(30)]);
});

test("D-11 a passage has at most 900 characters, and from 200 it stays separate", () => {
  const paragraphs = (a: number, b: number) =>
    splitIntoSnippets(`${"a".repeat(a)}\n\n${"b".repeat(b)}`).length;
  expect([paragraphs(199, 700), paragraphs(200, 600), paragraphs(199, 701)]).toEqual([1, 2, 2]);
  expect(splitIntoSnippets(`${"a".repeat(449)}. ${"b".repeat(448)}.`)).toHaveLength(1);
  expect(splitIntoSnippets(`${"a".repeat(449)}. ${"b".repeat(449)}.`)).toHaveLength(2);
});

test.each<[string, object, object]>([
  ["title", { title: "a".repeat(200) }, { title: "a".repeat(201) }],
  ["title", { title: "a" }, { title: "  " }],
  ["content", { content: "a".repeat(200_000) }, { content: "a".repeat(200_001) }],
  ["type", { type: "a".repeat(40) }, { type: "a".repeat(41) }],
  ["parentId", { parentId: 1 }, { parentId: 0 }],
  ["hutId", { hutId: 1 }, { hutId: 0 }],
  ["url", { url: "http://example.com" }, { url: "ftp://example.com" }],
])("E-18 an item's %s has bounds", (field, right, outside) => {
  const wrong = (given: object) =>
    (ItemInput.safeParse({ title: "Book", ...given }).error?.issues ?? []).map(({ path }) => path.join("."));
  expect(wrong(right)).toEqual([]);
  expect(wrong(outside)).toEqual([field]);
});

test("D-08 a new item is no book, belongs to no hut and no parent, and is unpublished", () => {
  expect(ItemInput.parse({ title: " Book " })).toEqual({
    title: "Book",
    content: "",
    parentId: null,
    hutId: null,
    isPublished: false,
    isBook: false,
    type: "item",
    url: "",
  });
});

test("D-10 a paraphrase is not empty", () => {
  expect(ParaphraseInput.safeParse({ snippetId: 1, content: " \n" }).success).toBe(false);
  expect(ParaphraseInput.parse({ snippetId: 1, content: " a " })).toEqual({
    snippetId: 1,
    title: "",
    content: " a ",
  });
  expect(ParaphraseInput.safeParse({ snippetId: 1, title: "a".repeat(201), content: "a" }).success).toBe(
    false,
  );
});

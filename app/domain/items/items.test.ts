import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ItemInput,
  LIFT_STEP,
  MAX_RAISED,
  ORDER_GAP,
  orderBetween,
  ParaphraseInput,
  raiseItems,
} from "./items";
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

const crowd = (count: number, orderMs: number) => Array.from({ length: count }, (_, id) => ({ id, orderMs }));
const listOf = (orders: number[]) => orders.map((orderMs, id) => ({ id, orderMs }));

test("D-09 a closed gap spreads the moved item and those above it over the nearest room, and raises no others", () => {
  expect(raiseItems(10, listOf([10, 19, 20]))).toEqual({
    orderMs: 13,
    raised: [{ id: 0, orderMs: 16 }],
    lifted: null,
  });
  expect(raiseItems(10, listOf([12]))).toEqual({ orderMs: 11, raised: [], lifted: null });
  expect(raiseItems(10, listOf([10, 10, 22]))).toEqual({
    orderMs: 13,
    raised: [16, 19].map((orderMs, id) => ({ id, orderMs })),
    lifted: null,
  });
  expect(raiseItems(10, listOf([1e9]))?.orderMs).toBe(10 + ORDER_GAP);
});

test("D-09 at the top of a list the raised items get whole gaps", () => {
  expect(raiseItems(10, crowd(MAX_RAISED, 10))).toEqual({
    orderMs: 10 + ORDER_GAP,
    raised: crowd(MAX_RAISED, 10).map(({ id }) => ({ id, orderMs: 10 + (id + 2) * ORDER_GAP })),
    lifted: null,
  });
});

test("D-09 a crowd of more than 200 items lifts the rest of the list above them", () => {
  const list = crowd(MAX_RAISED + 1, 10);
  const raise = raiseItems(10, list);
  expect(raise?.raised).toHaveLength(MAX_RAISED);
  expect(raise?.raised.at(-1)?.orderMs).toBe(10 + (MAX_RAISED + 1) * LIFT_STEP);
  expect(raise?.lifted).toEqual({ from: list[MAX_RAISED], by: (MAX_RAISED + 2) * LIFT_STEP });
});

test("D-09 orders that are too great for a step stay", () => {
  expect(raiseItems(1e300, crowd(1, 1e300))).toBeNull();
  expect(raiseItems(1e300, crowd(MAX_RAISED + 1, 1e300))).toBeNull();
});

test("D-09 thousands of moves into one place of a list of any density keep their order and always find room", () => {
  const fewMoves = fc.record({
    count: fc.integer({ min: MAX_RAISED + 3, max: 320 }),
    spacing: fc.constantFrom(1, 1000, 60_000),
    takesTop: fc.boolean(),
  });
  fc.assert(
    fc.property(fewMoves, fc.infiniteStream(fc.nat()), ({ count, spacing, takesTop }, picks) => {
      let list = Array.from({ length: count }, (_, id) => ({ id, orderMs: 1.8e12 + id * spacing }));
      for (let move = 0; move < 3000; move++) {
        const from = takesTop ? count - 1 : 1 + ((picks.next().value as number) % (count - 1));
        const [moved] = list.splice(from, 1);
        const [under, ...above] = list;
        if (!moved || !under) throw new Error("the list is empty");
        const middle = orderBetween(above[0]?.orderMs ?? null, under.orderMs);
        const raise =
          middle === null
            ? raiseItems(under.orderMs, above.slice(0, MAX_RAISED + 1))
            : { orderMs: middle, raised: [], lifted: null };
        if (!raise) throw new Error(`move ${move} finds no room`);
        const raisedOf = new Map(raise.raised.map(({ id, orderMs }) => [id, orderMs]));
        const lift = raise.lifted;
        const liftAt = lift ? above.findIndex(({ id }) => id === lift.from.id) : above.length;
        list = [
          under,
          { id: moved.id, orderMs: raise.orderMs },
          ...above.map(({ id, orderMs }, index) => ({
            id,
            orderMs: raisedOf.get(id) ?? (lift && index >= liftAt ? orderMs + lift.by : orderMs),
          })),
        ];
        if (list.some(({ orderMs }, index) => index > 0 && orderMs <= (list[index - 1]?.orderMs ?? 0)))
          throw new Error(`move ${move} breaks the order`);
      }
    }),
    { numRuns: 6 },
  );
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

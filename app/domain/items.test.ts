import fc from "fast-check";
import { expect, test } from "vitest";
import { ORDER_GAP, orderBetween } from "./items";
import { firstWords, splitIntoSnippets } from "./snippets";

test("D-09 a move takes the midpoint; to the end the last minus 10000; a closed gap asks for new numbers", () => {
  expect(orderBetween(40, 20)).toBe(30);
  expect(orderBetween(null, 20)).toBe(20 + ORDER_GAP);
  expect(orderBetween(20, null)).toBe(20 - 10_000);
  expect(orderBetween(20, 20)).toBeNull();
  expect(orderBetween(1.0000001, 1)).toBeNull();
});

test("D-09 halving the same gap again and again ends in new numbers, never in a wrong order", () => {
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

test("D-11 a text falls into passages of readable length and loses no word", () => {
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

test("D-11 what a library puts round a text is left out", () => {
  const text =
    "\uFEFFThe library's words\r\n\r\n*** START OF THE BOOK ***\r\n\r\nThe book.\r\n\r\n*** END OF THE BOOK ***\r\nMore";
  expect(splitIntoSnippets(text)).toEqual(["The book."]);
});

test("the beginning of a passage ends at a word, and says that more follows", () => {
  expect(firstWords("Short and\nwhole.", 20)).toBe("Short and whole.");
  expect(firstWords("A hut is the least, a", 21)).toBe("A hut is the least …");
  expect(firstWords("A hut is the lea", 16)).toBe("A hut is the …");
});

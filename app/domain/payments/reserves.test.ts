// Whole tokens of the header, and the refusal that names reserves.
import { expect, test } from "vitest";
import { headerTokens, reserveSentence } from "./reserves";

test("B-11 the header shows hundredths, and adds a reserve", () => {
  expect(headerTokens({ tokens: 898, reservedTokens: 0 })).toBe(8.98);
  expect(headerTokens({ tokens: 999, reservedTokens: 1 })).toBe(10);
  expect(headerTokens({ tokens: 0, reservedTokens: 40 })).toBe(0.4);
});

test("B-13 the refusal names what is left, and each chat with a reserve", () => {
  const end = "The unused part is refunded when you leave or the session ends.";
  expect(reserveSentence(50, [{ title: "Tea", amount: 100 }])).toBe(
    `You have 0.5 tokens. A further 1 is reserved for the chat of “Tea”. ${end}`,
  );
  expect(
    reserveSentence(0, [
      { title: "Tea", amount: 100 },
      { title: "Walk", amount: 40 },
    ]),
  ).toBe(`You have 0 tokens. A further 1.4 are reserved for the chat of “Tea”, “Walk”. ${end}`);
});

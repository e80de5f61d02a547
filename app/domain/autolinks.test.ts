// Where addresses in plain text end.
import { expect, test } from "vitest";
import { addressLength, linkPieces } from "./autolinks";

test.each([
  ["https://a.example/b(c)", ""],
  ["https://a.example/b", "))."],
  ["https://a.example/b", "!?"],
  ["https://a.example/b/", ""],
  ["https://a.example/b-", ""],
  ["https://a.example/?q=1&r=", ""],
  ["https://a.example/b", "»"],
  ["https://a.example/b", "؟"],
  ["https://a.example/b", "】の次。"],
])("R-80 the address %s ends before %s", (address, after) => {
  expect(addressLength(address + after)).toBe(address.length);
});

test.each([".", ")", "(", "。", "&amp;"])("R-80 an address before 200,000 %s ends at once", (sign) => {
  const before = performance.now();
  addressLength(`https://a.example/${sign.repeat(200_000)}a${sign.repeat(200_000)}`);
  expect(performance.now() - before).toBeLessThan(500);
});

const HREF = "https://example.com/x";
test.each([
  ["see https://example.com/x", ["see ", HREF]],
  ["see https://example.com/x, and go", ["see ", HREF, ", and go"]],
  ["（https://example.com/x）です", ["（", HREF, "）です"]],
  ["https://example.com/x https://example.com/x", [HREF, " ", HREF]],
  ["詳細はhttps://example.com/x", ["詳細は", HREF]],
  ["no link", ["no link"]],
  ["", []],
])("R-80 the line %j has links among its words", (line, pieces) => {
  expect(linkPieces(line).map(({ text }) => text)).toEqual(pieces);
  for (const { text, href } of linkPieces(line)) expect(href).toBe(text === HREF ? HREF : undefined);
});

test.each([
  "javascript:alert(1)",
  "https://bank.example@evil.example/x",
  "https://localhost",
  "https://",
  "https://[",
  "xhttps://example.com",
  "data:text/html,https",
])("R-80 %s is no link", (line) => {
  expect(linkPieces(line)).toEqual([{ text: line }]);
});

test("R-80 the words of a line are those that were typed, and a line has at most twenty links", () => {
  const line = "a https://example.com/x。\n".repeat(100);
  const pieces = linkPieces(line);
  expect(pieces.map(({ text }) => text).join("")).toBe(line);
  expect(pieces.filter(({ href }) => href)).toHaveLength(20);
});

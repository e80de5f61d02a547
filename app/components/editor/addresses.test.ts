// The addresses of links and images, as typed.
import { expect, test } from "vitest";
import { canInsertImage, imageAddress, linkAddress } from "./addresses";

test.each([
  ["https://example.com/a?b#c", "https://example.com/a?b#c"],
  [" example.com ", "https://example.com"],
  ["example.com:8080/path", "https://example.com:8080/path"],
  ["/groups", "/groups"],
  ["#parts", "#parts"],
  ["me@example.com", "mailto:me@example.com"],
  ["mailto:me@example.com", "mailto:me@example.com"],
  ["", null],
  ["hut", null],
  ["//elsewhere.example", null],
  ["javascript:alert(1)", null],
  ["data:text/html,x", null],
  ["https://example.com/a b", null],
])("a link to %j is %j", (typed, address) => {
  expect(linkAddress(typed)).toBe(address);
});

test("V-29 an image can be inserted unless the address is blank", () => {
  expect(["", " ", "\t\n "].map(canInsertImage)).toEqual([false, false, false]);
  expect(canInsertImage(" https://example.com/hut.png ")).toBe(true);
});

test.each([
  ["http://example.com/hut.png", "https://example.com/hut.png"],
  ["https://example.com/hut.png#show=50", "https://example.com/hut.png"],
  [`/uploads/${"a".repeat(40)}.png`, `/uploads/${"a".repeat(40)}.png`],
  ["/account", null],
  ["data:image/png;base64,AAAA", null],
  ["javascript:alert(1)", null],
])("the source of an image at %j is %j", (typed, src) => {
  expect(imageAddress(typed)).toBe(src);
});

// Where addresses in plain text end.
import { expect, test } from "vitest";
import { addressLength } from "./autolinks";

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

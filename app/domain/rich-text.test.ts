// The image sources of a rich text.
import { expect, test } from "vitest";
import { readImageSource, writeImageSource } from "./rich-text";

const OWN = `/uploads/${"a".repeat(20)}.png`;

test("D-04 an uploaded image includes its size and shown width", () => {
  expect(readImageSource(OWN)).toEqual({ src: OWN, isOwn: true, size: null, shown: 100 });
  expect(readImageSource(` ${OWN}#size=800x600&show=50 `)).toEqual({
    src: OWN,
    isOwn: true,
    size: { width: 800, height: 600 },
    shown: 50,
  });
  expect(readImageSource(`${OWN}#show=75&size=1x1`)).toMatchObject({
    size: { width: 1, height: 1 },
    shown: 75,
  });
  expect(readImageSource(`${OWN}#show=60`)?.shown).toBe(100);
});

test.each(["0x600", "800x0", "30001x1", "1x30001", "800x", "x"])("D-04 the size %s is invalid", (size) => {
  expect(readImageSource(`${OWN}#size=${size}`)?.size).toBeNull();
  expect(readImageSource(`${OWN}#size=30000x30000`)?.size).toEqual({ width: 30_000, height: 30_000 });
});

test.each([
  ["https://example.com/a.png", true],
  ["HTTPS://example.com/a.png", true],
  ["http://example.com/a.png", false],
  ["https://localhost/a.png", false],
  ["https://ada@example.com/a.png", false],
  ["https://exa mple.com/a.png", false],
  ["https://[bad/a.png", false],
  ["javascript:alert(1)", false],
  ["/uploads/short.png", false],
  [`/uploads/${"a".repeat(20)}.svg`, false],
  ["", false],
])("D-04 the address %j is shown: %s", (src, isShown) => {
  expect(readImageSource(src)).toEqual(isShown ? { src, isOwn: false, size: null, shown: 100 } : null);
});

test("D-04 an image is written with only the values that differ from the defaults", () => {
  expect(writeImageSource({ src: OWN, size: null, shown: 100 })).toBe(OWN);
  expect(writeImageSource({ src: OWN, size: null, shown: 75 })).toBe(`${OWN}#show=75`);
  expect(writeImageSource({ src: OWN, size: { width: 8, height: 6 }, shown: 50 })).toBe(
    `${OWN}#size=8x6&show=50`,
  );
});

test("D-04 text after a second # is ignored", () => {
  expect(readImageSource(`${OWN}#show=50#size=8x6`)).toEqual({
    src: OWN,
    isOwn: true,
    size: null,
    shown: 50,
  });
  expect(readImageSource(`${OWN}##show=50`)?.shown).toBe(100);
});

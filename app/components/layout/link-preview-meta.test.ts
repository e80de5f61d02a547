// The preview image of shared links as a file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the preview image of shared links is a PNG of 1200 × 630, below 60 kB", () => {
  const bytes = readFileSync(join(import.meta.dirname, "../../../public/social-card.png"));
  expect(bytes.readUInt32BE(0)).toBe(0x89504e47);
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(bytes.byteLength).toBeLessThan(60_000);
});

// Detecting image types by their bytes.
import { expect, test } from "vitest";
import { imageTypeOf, UPLOAD_LIMIT } from "./images";

const text = (words: string): number[] => [...words].map((letter) => letter.charCodeAt(0));
const riff = (kind: string) => [...text("RIFF"), 0x10, 0, 0, 0, ...text(kind)];
const bitmap = (length: number) => [...text("BM"), ...Array(length - 2).fill(0)];

const IMAGES: [string, number[], string][] = [
  ["jpg", [0xff, 0xd8, 0xff], "image/jpeg"],
  ["png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "image/png"],
  ["gif", text("GIF87a"), "image/gif"],
  ["gif", text("GIF89a"), "image/gif"],
  ["webp", riff("WEBP"), "image/webp"],
  ["tiff", [0x49, 0x49, 0x2a, 0x00], "image/tiff"],
  ["tiff", [0x4d, 0x4d, 0x00, 0x2a], "image/tiff"],
  ["bmp", bitmap(27), "image/bmp"],
];

test.each(IMAGES)(
  "D-06 a %s is recognised by its first bytes, whatever follows",
  (extension, start, type) => {
    expect(imageTypeOf(Uint8Array.from(start))).toEqual({ type, extension });
    expect(imageTypeOf(Uint8Array.from([...start, 1, 2, 3]))).toEqual({ type, extension });
  },
);

test.each(IMAGES)("D-06 a %s with any other first byte is refused", (_, start) => {
  // The size in a RIFF file and the bytes after the bitmap signature are arbitrary.
  const isFree = (at: number) =>
    start[0] === 0x52 ? at >= 4 && at < 8 : start.length === 27 ? at >= 2 : false;
  for (const [at, byte] of start.entries()) {
    if (isFree(at)) continue;
    const other = start.with(at, byte ^ 0x80);
    expect(imageTypeOf(Uint8Array.from(other)), `byte ${at}`).toBeNull();
  }
});

test("D-06 a file that ends within its signature, and a bitmap without a header, are no images", () => {
  for (const [, start] of IMAGES) expect(imageTypeOf(Uint8Array.from(start.slice(0, -1)))).toBeNull();
  expect(imageTypeOf(Uint8Array.from(bitmap(26)))).toBeNull();
  expect(imageTypeOf(new Uint8Array())).toBeNull();
  expect(imageTypeOf(Uint8Array.from(riff("WAVE")))).toBeNull();
  expect(imageTypeOf(Uint8Array.from(text("<svg xmlns=")))).toBeNull();
});

test("D-06 an upload has at most 10 MiB", () => {
  expect(UPLOAD_LIMIT).toBe(10_485_760);
});

// Metadata of images: nothing a camera wrote stays but the orientation, and no pixel changes.
import { describe, expect, test } from "vitest";
import { withoutMetadata } from "./image-metadata";

const SECRET = "48.2082N 16.3738E Canon SN-12345";
const text = (words: string): number[] => [...new TextEncoder().encode(words)];
const be16 = (n: number) => [(n >> 8) & 0xff, n & 0xff];
const be32 = (n: number) => [(n >>> 24) & 0xff, (n >> 16) & 0xff, (n >> 8) & 0xff, n & 0xff];
const le32 = (n: number) => be32(n).reverse();
const bytes = (...parts: number[][]) => Uint8Array.from(parts.flat());
const has = (image: Uint8Array, words: string): boolean =>
  new TextDecoder("latin1").decode(image).includes(words);

/** A TIFF header whose first directory says the orientation, and a place in a directory of its own. */
const exif = (orientation: number): number[] => [
  ...[0x4d, 0x4d, 0, 0x2a],
  ...be32(8),
  ...be16(3),
  ...[...be16(0x010f), ...be16(2), ...be32(SECRET.length), ...be32(80)],
  ...[...be16(0x0112), ...be16(3), ...be32(1), ...be16(orientation), 0, 0],
  ...[...be16(0x8825), ...be16(4), ...be32(1), ...be32(50)],
  ...be32(0),
  ...be16(1),
  ...[...be16(1), ...be16(2), ...be32(SECRET.length), ...be32(80)],
  ...be32(0),
  ...Array(12).fill(0),
  ...text(SECRET),
];
const segment = (marker: number, body: number[]) => [0xff, marker, ...be16(body.length + 2), ...body];
const SCAN = [...segment(0xda, [1, 1, 0, 0, 63, 0]), 1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 5];
const chunk = (name: string, body: number[]) => [...be32(body.length), ...text(name), ...body, 9, 9, 9, 9];
const riffChunk = (name: string, body: number[]) => [
  ...text(name),
  ...le32(body.length),
  ...body,
  ...(body.length % 2 ? [0] : []),
];
const PNG_SIGN = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const blocks = (words: string) => [words.length, ...text(words), 0];

describe("D-06 a JPEG", () => {
  const jfif = segment(0xe0, [...text("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  const tables = segment(0xdb, [0, ...Array(64).fill(1)]);
  const profile = segment(0xe2, [...text("ICC_PROFILE\0"), 1, 1, 7, 7]);
  const image = (orientation: number) =>
    bytes(
      [0xff, 0xd8],
      jfif,
      segment(0xe1, [...text("Exif\0\0"), ...exif(orientation)]),
      segment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${SECRET}`)),
      segment(0xed, text(`Photoshop 3.0\0${SECRET}`)),
      segment(0xfe, text(SECRET)),
      segment(0xe2, text(`MPF\0${SECRET}`)),
      profile,
      tables,
      SCAN,
      segment(0xfe, text(SECRET)),
      SCAN,
      [0xff, 0xd9],
      text(`behind the end ${SECRET}`),
    );

  test("D-06 loses EXIF, XMP, IPTC, comments and what follows its end, and keeps every pixel", () => {
    const clean = withoutMetadata(image(1), { extension: "jpg" });
    expect(has(clean, "48.2082N")).toBe(false);
    expect(clean).toEqual(bytes([0xff, 0xd8], jfif, profile, tables, SCAN, SCAN, [0xff, 0xd9]));
  });

  test("D-06 keeps its orientation, in an EXIF block that says nothing else", () => {
    for (const orientation of [2, 3, 6, 8]) {
      const clean = withoutMetadata(image(orientation), { extension: "jpg" });
      const kept = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation];
      const block = segment(0xe1, [...text("Exif\0\0"), ...kept, 0, 0, 0, 0, 0, 0]);
      expect(clean).toEqual(bytes([0xff, 0xd8], jfif, block, profile, tables, SCAN, SCAN, [0xff, 0xd9]));
    }
  });

  test("D-06 is cleaned wherever it is cut off", () => {
    const whole = image(6);
    for (let length = 3; length <= whole.length; length++)
      expect(has(withoutMetadata(whole.slice(0, length), { extension: "jpg" }), "48.2082N")).toBe(false);
  });
});

test("D-06 a PNG loses its texts, times and EXIF, and keeps its pixels, colours and orientation", () => {
  const [header, palette, data] = [chunk("IHDR", [1, 2, 3]), chunk("PLTE", [4, 5, 6]), chunk("IDAT", [7, 8])];
  const image = (orientation: number) =>
    bytes(
      PNG_SIGN,
      header,
      chunk("tEXt", text(`Comment\0${SECRET}`)),
      chunk("iTXt", text(`XML:com.adobe.xmp\0${SECRET}`)),
      chunk("eXIf", exif(orientation)),
      chunk("tIME", [1, 2, 3, 4, 5, 6, 7]),
      palette,
      data,
      chunk("IEND", []),
      text(SECRET),
    );
  expect(withoutMetadata(image(1), { extension: "png" })).toEqual(
    bytes(PNG_SIGN, header, palette, data, chunk("IEND", [])),
  );
  const turned = withoutMetadata(image(6), { extension: "png" });
  expect(has(turned, "48.2082N")).toBe(false);
  expect(has(turned, "eXIfMM\0*\0\0\0\b\0\u0001\u0001\u0012\0\u0003\0\0\0\u0001\0\u0006")).toBe(true);
});

test("D-06 a WebP loses EXIF and XMP, says so in its flags, and keeps its pixels and orientation", () => {
  const pixels = riffChunk("VP8 ", [1, 2, 3]);
  const image = (orientation: number) => {
    const chunks = [
      riffChunk("VP8X", [0x0c, 0, 0, 0, 1, 0, 0, 1, 0, 0]),
      pixels,
      riffChunk("EXIF", exif(orientation)),
      riffChunk("XMP ", text(SECRET)),
      riffChunk("what", text(SECRET)),
    ].flat();
    return bytes(text("RIFF"), le32(chunks.length + 4), text("WEBP"), chunks, text(SECRET));
  };
  const extended = riffChunk("VP8X", [0, 0, 0, 0, 1, 0, 0, 1, 0, 0]);
  const clean = withoutMetadata(image(1), { extension: "webp" });
  const length = le32(4 + extended.length + pixels.length);
  expect(clean).toEqual(bytes(text("RIFF"), length, text("WEBP"), extended, pixels));
  const turned = withoutMetadata(image(8), { extension: "webp" });
  expect(has(turned, "48.2082N")).toBe(false);
  expect(turned[20]).toBe(0x08);
  expect(has(turned, "EXIF\u001a\0\0\0MM\0*")).toBe(true);
});

test("D-06 a GIF loses its comments and XMP, and keeps its frames and its loop", () => {
  const head = [...text("GIF89a"), 1, 0, 1, 0, 0x80, 0, 0, 1, 1, 1, 2, 2, 2];
  const loop = [0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0];
  const frame = [0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const image = bytes(
    head,
    loop,
    [0x21, 0xfe, ...blocks(SECRET)],
    [0x21, 0xff, 11, ...text("XMP DataXMP"), ...blocks(SECRET)],
    frame,
    [0x3b],
    text(SECRET),
  );
  expect(withoutMetadata(image, { extension: "gif" })).toEqual(bytes(head, loop, frame, [0x3b]));
});

test("D-06 a TIFF keeps its length and its pixels, and says nothing of camera or place", () => {
  const image = bytes(exif(6), [1, 2, 3]);
  const clean = withoutMetadata(image, { extension: "tiff" });
  expect(clean).toHaveLength(image.length);
  expect(has(clean, "48.2082N")).toBe(false);
  expect([...clean.slice(-3)]).toEqual([1, 2, 3]);
});

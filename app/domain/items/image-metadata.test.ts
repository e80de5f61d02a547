// Removing image metadata: only the orientation stays, and no pixel changes.
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { cleanImage } from "./image-metadata";
import type { ImageType } from "./images";

const withoutMetadata = (image: Uint8Array<ArrayBuffer>, type: Pick<ImageType, "extension">): Uint8Array =>
  cleanImage(image, type)?.bytes ?? new Uint8Array();

const SECRET = "48.2082N 16.3738E Canon SN-12345";
const text = (words: string): number[] => [...new TextEncoder().encode(words)];
const be16 = (n: number) => [(n >> 8) & 0xff, n & 0xff];
const be32 = (n: number) => [(n >>> 24) & 0xff, (n >> 16) & 0xff, (n >> 8) & 0xff, n & 0xff];
const le32 = (n: number) => be32(n).reverse();
const bytes = (...parts: number[][]) => Uint8Array.from(parts.flat());
const has = (image: Uint8Array, words: string): boolean =>
  new TextDecoder("latin1").decode(image).includes(words);

/** A TIFF header whose first directory contains the orientation, with GPS data in a directory of its own. */
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

  test("D-06 keeps its orientation, in an EXIF block without other data", () => {
    for (const orientation of [2, 3, 6, 8]) {
      const clean = withoutMetadata(image(orientation), { extension: "jpg" });
      const kept = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation];
      const block = segment(0xe1, [...text("Exif\0\0"), ...kept, 0, 0, 0, 0, 0, 0]);
      expect(clean).toEqual(bytes([0xff, 0xd8], jfif, block, profile, tables, SCAN, SCAN, [0xff, 0xd9]));
      expect(withoutMetadata(Uint8Array.from(clean), { extension: "jpg" }), "a second upload").toEqual(clean);
    }
  });

  test("D-06 is cleaned wherever it is truncated", () => {
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
  expect(withoutMetadata(Uint8Array.from(turned), { extension: "png" }), "a second upload").toEqual(turned);
});

test("D-06 a WebP loses EXIF and XMP and clears their flags, and keeps its pixels and orientation", () => {
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
  expect(withoutMetadata(Uint8Array.from(turned), { extension: "webp" }), "a second upload").toEqual(turned);
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

test("D-06 a TIFF keeps its length and pixels, and loses camera and GPS data", () => {
  const image = bytes(exif(6), [1, 2, 3]);
  const clean = withoutMetadata(image, { extension: "tiff" });
  expect(clean).toHaveLength(image.length);
  expect(has(clean, "48.2082N")).toBe(false);
  expect([...clean.slice(-3)]).toEqual([1, 2, 3]);
});

describe("D-06 a TIFF with directories for its maker, GPS and pixels", () => {
  type Field = { tag: number; type: number; count: number; value: number[] };
  const field = (tag: number, type: number, count: number, value: number[]): Field => ({
    tag,
    type,
    count,
    value,
  });
  /** Directories at fixed offsets, so that a test can check each value's place. */
  const build = (little: boolean, length: number, placed: [at: number, fields: Field[], next: number][]) => {
    const image = new Uint8Array(length);
    const view = new DataView(image.buffer);
    image.set(little ? [0x49, 0x49, 0x2a, 0] : [0x4d, 0x4d, 0, 0x2a]);
    view.setUint32(4, 8, little);
    for (const [at, fields, next] of placed) {
      view.setUint16(at, fields.length, little);
      for (const [i, { tag, type, count, value }] of fields.entries()) {
        const entry = at + 2 + i * 12;
        view.setUint16(entry, tag, little);
        view.setUint16(entry + 2, type, little);
        view.setUint32(entry + 4, count, little);
        image.set(value, entry + 8);
      }
      view.setUint32(at + 2 + fields.length * 12, next, little);
    }
    return image;
  };
  const filled = (image: Uint8Array<ArrayBuffer>, from: number, to: number) => {
    image.fill(0xaa, from, to);
    return image;
  };
  const zeros = (image: Uint8Array, from: number, to: number) =>
    image.subarray(from, to).every((byte) => byte === 0);
  const untouched = (image: Uint8Array, from: number, to: number) =>
    image.subarray(from, to).every((byte) => byte === 0xaa);

  test.each([true, false])("D-06 loses only the metadata, little-endian: %s", (little) => {
    const four = (n: number) => (little ? le32(n) : be32(n));
    const image = build(little, 400, [
      [
        8,
        [
          // A maker of ten characters and a time at an offset; an owner of four characters inside the entry.
          field(271, 2, 10, four(200)),
          field(315, 2, 4, [0xaa, 0xaa, 0xaa, 0xaa]),
          field(0x8769, 4, 1, four(120)),
          field(0x8825, 4, 1, four(150)),
          field(273, 4, 1, four(300)),
          field(273, 2, 10, four(260)),
        ],
        100,
      ],
      // The second image of the file.
      [100, [field(270, 2, 6, four(220))], 0],
      // The EXIF directory: shorts, longs, rationals and doubles take 2, 4, 8 and 8 bytes each.
      [120, [field(0x9003, 5, 2, four(230))], 0],
      [150, [field(2, 12, 1, four(250)), field(4, 3, 3, four(340)), field(6, 4, 2, four(350))], 0],
    ]);
    filled(image, 200, 260);
    filled(image, 260, 400);
    const clean = withoutMetadata(image, { extension: "tiff" });
    expect(clean).toHaveLength(400);
    expect([zeros(clean, 200, 210), untouched(clean, 210, 220)]).toEqual([true, true]);
    // The owner inside its entry, not the bytes around it.
    expect([...clean.slice(10 + 12 + 8, 10 + 24)]).toEqual([0, 0, 0, 0]);
    expect([...clean.slice(10 + 12, 10 + 12 + 8)]).toEqual([...image.slice(10 + 12, 10 + 12 + 8)]);
    expect([zeros(clean, 220, 226), untouched(clean, 226, 230)]).toEqual([true, true]);
    expect([zeros(clean, 230, 246), untouched(clean, 246, 250)]).toEqual([true, true]);
    expect([zeros(clean, 250, 258), untouched(clean, 258, 340)]).toEqual([true, true]);
    expect([zeros(clean, 340, 346), untouched(clean, 346, 350)]).toEqual([true, true]);
    expect([zeros(clean, 350, 358), untouched(clean, 358, 400)]).toEqual([true, true]);
    // The GPS and EXIF directories are empty; those of the images keep their entries.
    const countAt = (at: number) => new DataView(clean.buffer).getUint16(at, little);
    expect([8, 100, 120, 150].map(countAt)).toEqual([6, 1, 0, 0]);
    expect(image[200]).toBe(0xaa);
  });

  test("D-06 stops at circular directories and at those beyond the end of the file", () => {
    const circle = build(true, 60, [[8, [field(270, 2, 8, le32(40))], 8]]);
    filled(circle, 40, 60);
    const clean = withoutMetadata(circle, { extension: "tiff" });
    expect([zeros(clean, 40, 48), untouched(clean, 48, 60)]).toEqual([true, true]);
    const beyond = build(true, 60, [[8, [field(270, 2, 90, le32(50))], 4000]]);
    filled(beyond, 40, 60);
    expect(withoutMetadata(beyond, { extension: "tiff" })).toHaveLength(60);
    expect(withoutMetadata(build(true, 9, []), { extension: "tiff" })).toHaveLength(9);
  });
});

test("D-06 a JPEG keeps Adobe's colour transform, bare markers and fill bytes, and no other application data", () => {
  const adobe = segment(0xee, [...text("Adobe"), 0, 100, 0, 0, 0, 0, 1]);
  const image = bytes(
    [0xff, 0xd8],
    segment(0xe0, [...text("JFXX\0"), 0x10]),
    segment(0xee, text(`Other${SECRET}`)),
    adobe,
    segment(0xef, text(SECRET)),
    [0xff],
    segment(0xdb, [0, 1]),
    [0xff, 0x01],
    segment(0xf0, [7]),
    SCAN,
    [0xff, 0xd9],
  );
  expect(withoutMetadata(image, { extension: "jpg" })).toEqual(
    bytes([0xff, 0xd8], adobe, segment(0xdb, [0, 1]), [0xff, 0x01], segment(0xf0, [7]), SCAN, [0xff, 0xd9]),
  );
});

test("D-06 a rotated PNG has an EXIF chunk with a valid checksum after the header", () => {
  const [header, data] = [chunk("IHDR", [1, 2, 3]), chunk("IDAT", [7, 8])];
  const image = bytes(PNG_SIGN, header, data, chunk("eXIf", exif(3)), chunk("IEND", []));
  const body = [
    ...text("eXIf"),
    ...[0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0],
  ];
  expect(withoutMetadata(image, { extension: "png" })).toEqual(
    bytes(
      PNG_SIGN,
      header,
      [...be32(26), ...body, ...be32(crc32(Uint8Array.from(body)))],
      data,
      chunk("IEND", []),
    ),
  );
});

test("D-06 a truncated PNG or GIF keeps the part that exists", () => {
  const [header, data] = [chunk("IHDR", [1, 2, 3]), chunk("IDAT", [7, 8, 9])];
  const png = bytes(PNG_SIGN, header, data).slice(0, -5);
  expect(withoutMetadata(png, { extension: "png" })).toEqual(png);
  const secret = bytes(PNG_SIGN, header, chunk("tEXt", text(SECRET))).slice(0, -5);
  expect(withoutMetadata(secret, { extension: "png" })).toEqual(bytes(PNG_SIGN, header));
  const gif = bytes([...text("GIF89a"), 1, 0, 1, 0, 0, 0, 0], [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 5, 1]);
  expect(withoutMetadata(gif, { extension: "gif" })).toEqual(bytes([...gif], [0x3b]));
});

test("D-06 a GIF's frames keep their own colour tables", () => {
  const head = [...text("GIF89a"), 1, 0, 1, 0, 0x81, 0, 0, ...Array(12).fill(5)];
  // Four colours of a local table, which contain the byte of a block marker.
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x81, ...Array(12).fill(0x21), 2, 2, 0x44, 1, 0];
  const image = bytes(head, frame, [0x21, 0xfe, ...blocks(SECRET)], frame, [0x3b]);
  expect(withoutMetadata(image, { extension: "gif" })).toEqual(bytes(head, frame, frame, [0x3b]));
});

test("D-06 a JPEG that is truncated within its image data keeps all of it", () => {
  const image = bytes([0xff, 0xd8], SCAN, [6, 7, 8, 9]);
  expect(withoutMetadata(image, { extension: "jpg" })).toEqual(bytes([...image], [0xff, 0xd9]));
});

test("D-06 a PNG without its end keeps a partial chunk header, and its orientation", () => {
  const header = chunk("IHDR", [1, 2, 3]);
  const cut = bytes(PNG_SIGN, header, chunk("IDAT", [7]).slice(0, 8));
  expect(withoutMetadata(cut, { extension: "png" })).toEqual(cut);
  const turned = withoutMetadata(bytes(PNG_SIGN, header, chunk("eXIf", exif(6))), { extension: "png" });
  expect(has(turned, "eXIfMM\0*")).toBe(true);
});

test("D-06 a WebP with one image is unchanged, empty chunks and other flags included", () => {
  const webp = (...chunks: number[][]) =>
    bytes(text("RIFF"), le32(chunks.flat().length + 4), text("WEBP"), chunks.flat());
  const simple = webp(riffChunk("VP8 ", [0xff, 0xff, 0xff, 0xff]));
  expect(withoutMetadata(simple, { extension: "webp" })).toEqual(simple);
  const extended = webp(riffChunk("VP8X", [0x3c, 0, 0, 0, 1, 0, 0, 1, 0, 0]), riffChunk("ALPH", []));
  expect(withoutMetadata(extended, { extension: "webp" })).toEqual(
    webp(riffChunk("VP8X", [0x30, 0, 0, 0, 1, 0, 0, 1, 0, 0]), riffChunk("ALPH", [])),
  );
});

test("D-06 a TIFF whose directory ends with the file is cleaned", () => {
  const image = bytes(
    [0x49, 0x49, 0x2a, 0],
    le32(8),
    [1, 0],
    [...[0x0f, 1], ...[2, 0], ...le32(4), 9, 9, 9, 9],
  );
  expect([...withoutMetadata(image, { extension: "tiff" }).slice(-4)]).toEqual([0, 0, 0, 0]);
});

const METADATA_TAGS = [
  270, 271, 272, 285, 305, 306, 315, 316, 700, 33432, 33723, 34377, 37724, 40091, 40092, 40093, 40094, 40095,
];
test("D-06 a TIFF loses every value that names a person, a time, a camera or a document", () => {
  for (const tag of [
    ...METADATA_TAGS,
    ...METADATA_TAGS.map((one) => one + 1).filter((one) => !METADATA_TAGS.includes(one)),
  ]) {
    const entry = [...be16(tag), ...be16(7), ...be32(4), 9, 9, 9, 9];
    const image = bytes([0x4d, 0x4d, 0, 0x2a], be32(8), be16(1), entry, be32(0));
    const isLost = withoutMetadata(image, { extension: "tiff" })[18] === 0;
    expect([tag, isLost]).toEqual([tag, METADATA_TAGS.includes(tag)]);
  }
});

describe("D-06 an image of many parts", () => {
  const MB = 1024 * 1024;
  const webp = (length: number) => [...text("RIFF"), ...le32(length - 8), ...text("WEBP")];
  /** The smallest parts of each format, and what comes before them. */
  const formats: Record<
    Exclude<ImageType["extension"], "bmp" | "tiff">,
    [start: number[], part: number[]][]
  > = {
    gif: [
      [
        [...text("GIF89a"), 1, 0, 1, 0, 0, 0, 0],
        [0x21, 0xfe, 0],
      ],
      [
        [...text("GIF89a"), 1, 0, 1, 0, 0, 0, 0],
        [0x21, 0xf9, 0],
      ],
    ],
    webp: [
      [webp(10 * MB), riffChunk("ALPH", [])],
      [webp(10 * MB), riffChunk("none", [])],
    ],
    jpg: [
      [
        [0xff, 0xd8],
        [0xff, 0xd0],
      ],
      [[0xff, 0xd8], segment(0xfe, [])],
      [[0xff, 0xd8], SCAN],
    ],
    png: [
      [[...PNG_SIGN, ...chunk("IHDR", [])], chunk("IDAT", [])],
      [[...PNG_SIGN, ...chunk("IHDR", [])], chunk("tEXt", [])],
    ],
  };
  const imageOf = (start: number[], part: number[], count: number) => {
    const image = new Uint8Array(start.length + part.length * count);
    image.set(start);
    image.set(part, start.length);
    for (let done = part.length; done < part.length * count; done *= 2)
      image.copyWithin(start.length + done, start.length, start.length + done);
    return image;
  };
  for (const [extension, shapes] of Object.entries(formats) as [ImageType["extension"], number[][][]][])
    test(`D-06 is refused as a ${extension} of more than 20,000`, () => {
      for (const [start = [], part = []] of shapes) {
        expect(cleanImage(imageOf(start, part, 10_000), { extension })).not.toBeNull();
        expect(cleanImage(imageOf(start, part, 20_001), { extension })).toBeNull();
        const filled = Math.floor((10 * MB) / part.length);
        expect(cleanImage(imageOf(start, part, filled), { extension })).toBeNull();
      }
    });

  test("D-06 is accepted as a GIF of 10 MB with 41,000 blocks of data", () => {
    const head = [...text("GIF89a"), 1, 0, 1, 0, 0, 0, 0];
    const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2];
    const data = imageOf([...head, ...frame], [255, ...Array(255).fill(7)], 41_000);
    const image = new Uint8Array(data.length + 2);
    image.set(data);
    image[data.length + 1] = 0x3b;
    expect(withoutMetadata(image, { extension: "gif" })).toHaveLength(image.length);
  });

  test("D-06 is refused as a TIFF whose entries name the same bytes again and again", () => {
    const entry = (tag: number, value: number) => [...be16(tag), ...be16(2), ...be32(1000), ...be32(value)];
    const tiff = (entries: number[][]) =>
      bytes(
        [0x4d, 0x4d, 0, 0x2a],
        be32(8),
        be16(entries.length),
        entries.flat(),
        be32(0),
        Array(5000).fill(7),
      );
    expect(cleanImage(tiff([entry(270, 100), entry(271, 1200)]), { extension: "tiff" })).not.toBeNull();
    expect(cleanImage(tiff(Array(100).fill(entry(270, 2000))), { extension: "tiff" })).toBeNull();
    expect(cleanImage(tiff(Array(20_001).fill(entry(256, 0))), { extension: "tiff" })).toBeNull();
  });
});

test("D-06 the orientation and the size of the frame are read from the cleaned JPEG", () => {
  const frame = segment(0xc0, [8, ...be16(6), ...be16(8), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  const image = (orientation: number) =>
    bytes(
      [0xff, 0xd8],
      segment(0xe1, [...text("Exif\0\0"), ...exif(orientation)]),
      [0xff, 0x01],
      frame,
      SCAN,
      [0xff, 0xd9],
    );
  expect(cleanImage(image(6), { extension: "jpg" })).toMatchObject({
    orientation: 6,
    size: { width: 8, height: 6 },
  });
  expect(cleanImage(image(1), { extension: "jpg" })).toMatchObject({ orientation: null });
});

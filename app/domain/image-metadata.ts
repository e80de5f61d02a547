// Removes the metadata of an image: GPS, times, owners (D-06). The pixels stay; so does the orientation, without which
// a photo would be rotated. Pure.
import type { ImageType } from "./images";

type Bytes = Uint8Array<ArrayBuffer>;

/** The same image without EXIF, XMP, IPTC, comments and trailing data. */
export function withoutMetadata(bytes: Bytes, { extension }: Pick<ImageType, "extension">): Bytes {
  switch (extension) {
    case "jpg":
      return cleanJpeg(bytes);
    case "png":
      return cleanPng(bytes);
    case "webp":
      return cleanWebp(bytes);
    case "gif":
      return cleanGif(bytes);
    case "tiff":
      return cleanTiff(bytes);
    case "bmp":
      // The format has no metadata.
      return bytes;
  }
}

const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));
const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function joined(pieces: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

// ---- TIFF, which is also the format of EXIF

const ORIENTATION = 0x0112;
const EXIF_HEADER = Uint8Array.of(0x45, 0x78, 0x69, 0x66, 0, 0);
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

type Entry = { tag: number; at: number; valueAt: number; bytes: number };
type Directory = { entries: Entry[]; countAt: number; nextAt: number };

const isLittle = (tiff: Uint8Array): boolean => tiff[0] === 0x49;

function readDirectory(tiff: Uint8Array, at: number): Directory | null {
  const view = viewOf(tiff);
  if (at < 8 || at + 2 > tiff.length) return null;
  const little = isLittle(tiff);
  const count = view.getUint16(at, little);
  const nextAt = at + 2 + count * 12;
  if (nextAt > tiff.length) return null;
  const entries = Array.from({ length: count }, (_, i): Entry => {
    const entry = at + 2 + i * 12;
    const bytes = (TYPE_BYTES[view.getUint16(entry + 2, little)] ?? 1) * view.getUint32(entry + 4, little);
    const valueAt = bytes > 4 ? view.getUint32(entry + 8, little) : entry + 8;
    return { tag: view.getUint16(entry, little), at: entry, valueAt, bytes };
  });
  return { entries, countAt: at, nextAt };
}

/** 2 to 8 if the image must be rotated or mirrored; else null. */
function orientationOf(tiff: Uint8Array): number | null {
  if (tiff.length < 8 || !/^(?:II\*\0|MM\0\*)$/.test(ascii(tiff, 0, 4))) return null;
  const view = viewOf(tiff);
  const first = readDirectory(tiff, view.getUint32(4, isLittle(tiff)));
  const entry = first?.entries.find(({ tag }) => tag === ORIENTATION);
  if (!entry) return null;
  const value = view.getUint16(entry.at + 8, isLittle(tiff));
  return value >= 2 && value <= 8 ? value : null;
}

/** A TIFF header with one entry. */
const tiffOf = (orientation: number): Uint8Array =>
  Uint8Array.of(
    ...[0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8],
    ...[0, 1, ORIENTATION >> 8, ORIENTATION & 0xff, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  );

/** TIFF tags beside the pixels: names, times, XMP, IPTC, Photoshop blocks. */
const METADATA_TAGS = new Set([
  ...[
    270, 271, 272, 285, 305, 306, 315, 316, 700, 33432, 33723, 34377, 37724, 40091, 40092, 40093, 40094,
    40095,
  ],
]);
/** The EXIF, GPS and interoperability directories. */
const METADATA_DIRECTORIES = new Set([0x8769, 0x8825, 0xa005]);

/** TIFF refers to its pixels by offset, so nothing may move: zeros overwrite the metadata. */
function cleanTiff(bytes: Bytes): Bytes {
  const clean = bytes.slice();
  const view = viewOf(clean);
  const little = isLittle(clean);
  const seen = new Set<number>();
  const blank = ({ valueAt, bytes: size }: Entry) =>
    clean.fill(0, Math.min(valueAt, clean.length), Math.min(valueAt + size, clean.length));
  const walk = (start: number, isMetadata: boolean) => {
    for (let at = start; at !== 0 && !seen.has(at) && seen.size < 1000; ) {
      seen.add(at);
      const directory = readDirectory(clean, at);
      if (!directory) return;
      for (const entry of directory.entries) {
        if (METADATA_DIRECTORIES.has(entry.tag)) walk(view.getUint32(entry.at + 8, little), true);
        if (isMetadata || METADATA_TAGS.has(entry.tag)) blank(entry);
      }
      if (isMetadata) return void view.setUint16(directory.countAt, 0, little);
      at = directory.nextAt + 4 <= clean.length ? view.getUint32(directory.nextAt, little) : 0;
    }
  };
  walk(view.getUint32(4, little), false);
  return clean;
}

// ---- JPEG

const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** Segments that rendering needs: JFIF, colour profiles, Adobe's colour transform. */
function isNeeded(marker: number, body: Uint8Array): boolean {
  if (marker === 0xe0) return ascii(body, 0, 5) === "JFIF\0";
  if (marker === 0xe2) return ascii(body, 0, 12) === "ICC_PROFILE\0";
  if (marker === 0xee) return ascii(body, 0, 5) === "Adobe";
  return marker !== 0xfe && (marker < 0xe0 || marker > 0xef);
}

function cleanJpeg(bytes: Bytes): Bytes {
  const kept: Uint8Array[] = [];
  let orientation: number | null = null;
  let at = 2;
  while (at + 1 < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) break;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) break;
    if (isBare(marker)) {
      kept.push(bytes.subarray(at, at + 2));
      at += 2;
      continue;
    }
    if (at + 4 > bytes.length) break;
    const end = at + 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
    const body = bytes.subarray(at + 4, end);
    if (marker === 0xe1 && ascii(body, 0, 6) === "Exif\0\0") orientation ??= orientationOf(body.subarray(6));
    if (isNeeded(marker, body)) kept.push(bytes.subarray(at, end));
    at = end;
    if (marker !== 0xda) continue;
    // The image data, up to the next marker outside it.
    const begun = at;
    while (at + 1 < bytes.length) {
      if (bytes[at] === 0xff && bytes[at + 1] !== 0 && bytes[at + 1] !== 0xff && !isBare(bytes[at + 1] ?? 0))
        break;
      at++;
    }
    if (at + 1 >= bytes.length) at = bytes.length;
    kept.push(bytes.subarray(begun, at));
  }
  const exif = orientation === null ? [] : [EXIF_HEADER, tiffOf(orientation)];
  const length = exif.reduce((sum, piece) => sum + piece.length, 2);
  const isJfif = kept[0]?.[1] === 0xe0;
  return joined([
    Uint8Array.of(0xff, 0xd8),
    ...(isJfif ? kept.slice(0, 1) : []),
    ...(exif.length > 0 ? [Uint8Array.of(0xff, 0xe1, length >> 8, length & 0xff), ...exif] : []),
    ...(isJfif ? kept.slice(1) : kept),
    Uint8Array.of(0xff, 0xd9),
  ]);
}

// ---- PNG

const PNG_CHUNKS = new Set(
  "IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT".split(
    " ",
  ),
);

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function pngChunk(name: string, body: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(body.length + 12);
  const view = viewOf(chunk);
  view.setUint32(0, body.length);
  for (let i = 0; i < 4; i++) chunk[4 + i] = name.charCodeAt(i);
  chunk.set(body, 8);
  view.setUint32(body.length + 8, crc32(chunk.subarray(4, body.length + 8)));
  return chunk;
}

function cleanPng(bytes: Bytes): Bytes {
  const kept: Uint8Array[] = [];
  const view = viewOf(bytes);
  let orientation: number | null = null;
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at);
    const name = ascii(bytes, at + 4, 4);
    const end = at + 12 + length;
    if (end > bytes.length) {
      // A truncated image keeps the part that exists.
      if (PNG_CHUNKS.has(name)) kept.push(bytes.subarray(at));
      break;
    }
    if (name === "eXIf") orientation ??= orientationOf(bytes.subarray(at + 8, at + 8 + length));
    if (PNG_CHUNKS.has(name)) kept.push(bytes.subarray(at, end));
    if (name === "IEND") break;
    at = end;
  }
  const exif = orientation === null ? [] : [pngChunk("eXIf", tiffOf(orientation))];
  return joined([bytes.subarray(0, 8), ...kept.slice(0, 1), ...exif, ...kept.slice(1)]);
}

// ---- WebP

const WEBP_CHUNKS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];

function webpChunk(name: string, body: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(8 + body.length + (body.length % 2));
  for (let i = 0; i < 4; i++) chunk[i] = name.charCodeAt(i);
  viewOf(chunk).setUint32(4, body.length, true);
  chunk.set(body, 8);
  return chunk;
}

function cleanWebp(bytes: Bytes): Bytes {
  const kept: Uint8Array[] = [];
  const view = viewOf(bytes);
  const last = Math.min(bytes.length, 8 + view.getUint32(4, true));
  let orientation: number | null = null;
  for (let at = 12; at + 8 <= last; ) {
    const length = view.getUint32(at + 4, true);
    const name = ascii(bytes, at, 4);
    const body = bytes.subarray(at + 8, Math.min(last, at + 8 + length));
    if (name === "EXIF")
      orientation ??= orientationOf(ascii(body, 0, 6) === "Exif\0\0" ? body.subarray(6) : body);
    if (WEBP_CHUNKS.has(name)) kept.push(webpChunk(name, body));
    at += 8 + length + (length % 2);
  }
  const head = kept[0];
  const isExtended = head !== undefined && ascii(head, 0, 4) === "VP8X";
  if (isExtended) head[8] = ((head[8] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | (orientation === null ? 0 : HAS_EXIF);
  if (isExtended && orientation !== null) kept.push(webpChunk("EXIF", tiffOf(orientation)));
  const size = kept.reduce((sum, piece) => sum + piece.length, 4);
  const riff = bytes.slice(0, 12);
  viewOf(riff).setUint32(4, size, true);
  return joined([riff, ...kept]);
}

// ---- GIF

/** The extensions that control repetition and colours. */
const GIF_EXTENSIONS = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);

function cleanGif(bytes: Bytes): Bytes {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  /** The offset after the sub-blocks that begin at `start`; null if they do not end. */
  const behindBlocks = (start: number): number | null => {
    for (let at = start; at < bytes.length; ) {
      const size = bytes[at] ?? 0;
      at += size + 1;
      if (size === 0) return at;
    }
    return null;
  };
  const kept: Uint8Array[] = [];
  let at = 13 + tableBytes(bytes[10] ?? 0);
  kept.push(bytes.subarray(0, at));
  while (at < bytes.length) {
    const isImage = bytes[at] === 0x2c;
    const isExtension = bytes[at] === 0x21;
    if (!isImage && !isExtension) break;
    const data = isImage ? at + 11 + tableBytes(bytes[at + 9] ?? 0) : at + 2;
    const end = behindBlocks(data);
    const kind = bytes[at + 1];
    const isMetadata =
      isExtension && (kind === 0xfe || (kind === 0xff && !GIF_EXTENSIONS.has(ascii(bytes, at + 3, 11))));
    if (!isMetadata) kept.push(bytes.subarray(at, end ?? bytes.length));
    if (end === null) break;
    at = end;
  }
  return joined([...kept, Uint8Array.of(0x3b)]);
}

// Removes the metadata of an image: GPS, times, owners (D-06). The pixels stay; so does the orientation, without which
// a photo would be rotated. Pure.
import type { ImageType } from "./images";

type Bytes = Uint8Array<ArrayBuffer>;
type Size = { width: number; height: number };

/** `orientation` is 2 to 8 if the image is shown rotated or mirrored, else null; `size` of a JPEG is that of its frame. */
export type CleanImage = { bytes: Bytes; orientation: number | null; size?: Size | null };

/** Maximum chunks, segments, extensions or entries of an image. No real image has more; each costs time and memory. */
const MAX_PARTS = 20_000;

/** The same image without EXIF, XMP, IPTC, comments and trailing data; null for one of more than 20,000 parts. */
export function cleanImage(bytes: Bytes, { extension }: Pick<ImageType, "extension">): CleanImage | null {
  try {
    return CLEANERS[extension](bytes, new Parts());
  } catch (error) {
    if (error instanceof TooManyParts) return null;
    throw error;
  }
}

/** True if an image with this orientation is shown with its width and height swapped. */
export const isTurned = (orientation: number | null): boolean => orientation !== null && orientation >= 5;

const CLEANERS: Record<ImageType["extension"], (bytes: Bytes, parts: Parts) => CleanImage> = {
  jpg: cleanJpeg,
  png: cleanPng,
  webp: cleanWebp,
  gif: cleanGif,
  tiff: cleanTiff,
  // The format has no metadata.
  bmp: (bytes) => ({ bytes, orientation: null }),
};

class TooManyParts extends Error {}

class Parts {
  #left = MAX_PARTS;
  /** Counts a part, before any of it is stored. */
  count(): void {
    if (this.#left-- === 0) throw new TooManyParts();
  }
}

/** The clean image while it is written: one buffer, because a list of pieces costs more memory than the image. */
class Output {
  readonly bytes: Bytes;
  at = 0;
  constructor(length: number) {
    this.bytes = new Uint8Array(length);
  }
  add(piece: ArrayLike<number>): void {
    this.bytes.set(piece, this.at);
    this.at += piece.length;
  }
  /** Inserts a piece at an earlier position. */
  insert(piece: Uint8Array, at: number): void {
    this.bytes.copyWithin(at + piece.length, at, this.at);
    this.bytes.set(piece, at);
    this.at += piece.length;
  }
  written(): Bytes {
    return this.bytes.subarray(0, this.at);
  }
}

const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));
const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// ---- TIFF, which is also the format of EXIF

const ORIENTATION = 0x0112;
const EXIF_HEADER = Uint8Array.of(0x45, 0x78, 0x69, 0x66, 0, 0);
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

type Entry = { tag: number; at: number; valueAt: number; bytes: number };
type Directory = { entries: Entry[]; countAt: number; nextAt: number };

const isLittleEndian = (tiff: Uint8Array): boolean => tiff[0] === 0x49;

function readDirectory(tiff: Uint8Array, at: number, parts: Parts): Directory | null {
  const view = viewOf(tiff);
  if (at < 8 || at + 2 > tiff.length) return null;
  const littleEndian = isLittleEndian(tiff);
  const count = view.getUint16(at, littleEndian);
  const nextAt = at + 2 + count * 12;
  if (nextAt > tiff.length) return null;
  const entries = Array.from({ length: count }, (_, i): Entry => {
    parts.count();
    const entry = at + 2 + i * 12;
    const bytes =
      (TYPE_BYTES[view.getUint16(entry + 2, littleEndian)] ?? 1) * view.getUint32(entry + 4, littleEndian);
    const valueAt = bytes > 4 ? view.getUint32(entry + 8, littleEndian) : entry + 8;
    return { tag: view.getUint16(entry, littleEndian), at: entry, valueAt, bytes };
  });
  return { entries, countAt: at, nextAt };
}

/** 2 to 8 if the image must be rotated or mirrored; else null. */
function orientationOf(tiff: Uint8Array, parts: Parts): number | null {
  if (tiff.length < 8 || !/^(?:II\*\0|MM\0\*)$/.test(ascii(tiff, 0, 4))) return null;
  const view = viewOf(tiff);
  const first = readDirectory(tiff, view.getUint32(4, isLittleEndian(tiff)), parts);
  const entry = first?.entries.find(({ tag }) => tag === ORIENTATION);
  if (!entry) return null;
  const value = view.getUint16(entry.at + 8, isLittleEndian(tiff));
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
  270, 271, 272, 285, 305, 306, 315, 316, 700, 33432, 33723, 34377, 37724, 40091, 40092, 40093, 40094, 40095,
]);
/** The EXIF, GPS and interoperability directories. */
const METADATA_DIRECTORIES = new Set([0x8769, 0x8825, 0xa005]);

/** TIFF refers to its pixels by offset, so nothing may move: zeros overwrite the metadata. */
function cleanTiff(bytes: Bytes, parts: Parts): CleanImage {
  const orientation = orientationOf(bytes, parts);
  const clean = bytes.slice();
  const view = viewOf(clean);
  const littleEndian = isLittleEndian(clean);
  const visited = new Set<number>();
  let blanked = 0;
  const blank = ({ valueAt, bytes: size }: Entry) => {
    const from = Math.min(valueAt, clean.length);
    const to = Math.min(valueAt + size, clean.length);
    // Values that overlap could fill the image once for each entry.
    blanked += to - from;
    if (blanked > clean.length) throw new TooManyParts();
    clean.fill(0, from, to);
  };
  const walk = (start: number, isMetadata: boolean) => {
    for (let at = start; at !== 0 && !visited.has(at) && visited.size < 1000; ) {
      visited.add(at);
      const directory = readDirectory(clean, at, parts);
      if (!directory) return;
      for (const entry of directory.entries) {
        if (METADATA_DIRECTORIES.has(entry.tag)) walk(view.getUint32(entry.at + 8, littleEndian), true);
        if (isMetadata || METADATA_TAGS.has(entry.tag)) blank(entry);
      }
      if (isMetadata) return void view.setUint16(directory.countAt, 0, littleEndian);
      at = directory.nextAt + 4 <= clean.length ? view.getUint32(directory.nextAt, littleEndian) : 0;
    }
  };
  walk(view.getUint32(4, littleEndian), false);
  return { bytes: clean, orientation };
}

// ---- JPEG

const isBareMarker = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** Segments that rendering needs: JFIF, colour profiles, Adobe's colour transform. */
function isNeeded(marker: number, body: Uint8Array): boolean {
  if (marker === 0xe0) return ascii(body, 0, 5) === "JFIF\0";
  if (marker === 0xe2) return ascii(body, 0, 12) === "ICC_PROFILE\0";
  if (marker === 0xee) return ascii(body, 0, 5) === "Adobe";
  return marker !== 0xfe && (marker < 0xe0 || marker > 0xef);
}

/** The frames that browsers show: baseline, extended and progressive. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;

function cleanJpeg(bytes: Bytes, parts: Parts): CleanImage {
  const view = viewOf(bytes);
  const output = new Output(bytes.length + 2 + EXIF_SEGMENT_BYTES);
  output.add([0xff, 0xd8]);
  /** EXIF follows the start, or JFIF. */
  let exifAt = 2;
  let orientation: number | null = null;
  let size: Size | null = null;
  let at = 2;
  while (at + 1 < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) break;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) break;
    parts.count();
    if (isBareMarker(marker)) {
      output.add(bytes.subarray(at, at + 2));
      at += 2;
      continue;
    }
    if (at + 4 > bytes.length) break;
    const end = at + 2 + view.getUint16(at + 2);
    const body = bytes.subarray(at + 4, end);
    if (marker === 0xe1 && ascii(body, 0, 6) === "Exif\0\0")
      orientation ??= orientationOf(body.subarray(6), parts);
    if (isFrame(marker) && body.length >= 5)
      size ??= { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (isNeeded(marker, body)) {
      if (marker === 0xe0 && output.at === 2) exifAt = 2 + Math.min(end, bytes.length) - at;
      output.add(bytes.subarray(at, end));
    }
    at = end;
    if (marker !== 0xda) continue;
    // The image data, up to the next marker outside it.
    const dataStart = at;
    while (at + 1 < bytes.length) {
      if (
        bytes[at] === 0xff &&
        bytes[at + 1] !== 0 &&
        bytes[at + 1] !== 0xff &&
        !isBareMarker(bytes[at + 1] ?? 0)
      )
        break;
      at++;
    }
    if (at + 1 >= bytes.length) at = bytes.length;
    output.add(bytes.subarray(dataStart, at));
  }
  if (orientation !== null) output.insert(exifSegment(orientation), exifAt);
  output.add([0xff, 0xd9]);
  return { bytes: output.written(), orientation, size };
}

const EXIF_SEGMENT_BYTES = 36;
const exifSegment = (orientation: number): Uint8Array =>
  Uint8Array.of(0xff, 0xe1, 0, EXIF_SEGMENT_BYTES - 2, ...EXIF_HEADER, ...tiffOf(orientation));

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

function cleanPng(bytes: Bytes, parts: Parts): CleanImage {
  const view = viewOf(bytes);
  const output = new Output(bytes.length + EXIF_CHUNK_BYTES);
  output.add(bytes.subarray(0, 8));
  /** EXIF follows the first chunk. */
  let exifAt = 8;
  let orientation: number | null = null;
  for (let at = 8; at + 8 <= bytes.length; ) {
    parts.count();
    const length = view.getUint32(at);
    const name = ascii(bytes, at + 4, 4);
    // A truncated image keeps the part that exists.
    const end = Math.min(at + 12 + length, bytes.length);
    const isWhole = at + 12 + length <= bytes.length;
    if (isWhole && name === "eXIf")
      orientation ??= orientationOf(bytes.subarray(at + 8, at + 8 + length), parts);
    if (PNG_CHUNKS.has(name)) {
      output.add(bytes.subarray(at, end));
      if (exifAt === 8) exifAt = output.at;
    }
    if (name === "IEND") break;
    at = end;
  }
  if (orientation !== null) output.insert(pngChunk("eXIf", tiffOf(orientation)), exifAt);
  return { bytes: output.written(), orientation };
}

const EXIF_CHUNK_BYTES = 38;

// ---- WebP

const WEBP_CHUNKS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];

function cleanWebp(bytes: Bytes, parts: Parts): CleanImage {
  const view = viewOf(bytes);
  const output = new Output(bytes.length + 2 + WEBP_EXIF_BYTES);
  const outView = viewOf(output.bytes);
  const addChunk = (name: Uint8Array, body: Uint8Array) => {
    output.add(name);
    outView.setUint32(output.at, body.length, true);
    output.at += 4;
    output.add(body);
    // A chunk is padded to an even length.
    output.at += body.length % 2;
  };
  output.add(bytes.subarray(0, 12));
  const last = Math.min(bytes.length, 8 + view.getUint32(4, true));
  let isExtended = false;
  let orientation: number | null = null;
  for (let at = 12; at + 8 <= last; ) {
    parts.count();
    const length = view.getUint32(at + 4, true);
    const name = ascii(bytes, at, 4);
    const body = bytes.subarray(at + 8, Math.min(last, at + 8 + length));
    if (name === "EXIF")
      orientation ??= orientationOf(ascii(body, 0, 6) === "Exif\0\0" ? body.subarray(6) : body, parts);
    if (WEBP_CHUNKS.has(name)) {
      if (output.at === 12) isExtended = name === "VP8X" && body.length > 0;
      addChunk(bytes.subarray(at, at + 4), body);
    }
    at += 8 + length + (length % 2);
  }
  if (isExtended) {
    const flags = output.bytes[WEBP_FLAGS] ?? 0;
    output.bytes[WEBP_FLAGS] = (flags & ~(HAS_EXIF | HAS_XMP)) | (orientation === null ? 0 : HAS_EXIF);
    if (orientation !== null) addChunk(EXIF_NAME, tiffOf(orientation));
  }
  outView.setUint32(4, output.at - 8, true);
  return { bytes: output.written(), orientation };
}

const WEBP_FLAGS = 20;
const WEBP_EXIF_BYTES = 34;
const EXIF_NAME = Uint8Array.of(0x45, 0x58, 0x49, 0x46);

// ---- GIF

/** The extensions that control repetition and colours. */
const GIF_EXTENSIONS = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);

function cleanGif(bytes: Bytes, parts: Parts): CleanImage {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  /** The offset after the sub-blocks that begin at `start`; null if they do not end. */
  const endOfBlocks = (start: number): number | null => {
    for (let at = start; at < bytes.length; ) {
      const size = bytes[at] ?? 0;
      at += size + 1;
      if (size === 0) return at;
    }
    return null;
  };
  const output = new Output(bytes.length + 1);
  let at = 13 + tableBytes(bytes[10] ?? 0);
  output.add(bytes.subarray(0, at));
  while (at < bytes.length) {
    const isImage = bytes[at] === 0x2c;
    const isExtension = bytes[at] === 0x21;
    if (!isImage && !isExtension) break;
    parts.count();
    const data = isImage ? at + 11 + tableBytes(bytes[at + 9] ?? 0) : at + 2;
    const end = endOfBlocks(data);
    const kind = bytes[at + 1];
    const isMetadata =
      isExtension && (kind === 0xfe || (kind === 0xff && !GIF_EXTENSIONS.has(ascii(bytes, at + 3, 11))));
    if (!isMetadata) output.add(bytes.subarray(at, end ?? bytes.length));
    if (end === null) break;
    at = end;
  }
  output.add([0x3b]);
  return { bytes: output.written(), orientation: null };
}

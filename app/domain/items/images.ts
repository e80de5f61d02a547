// Detects the image types of uploads by their bytes, regardless of name and header (D-06). Pure.

export type ImageType = { type: string; extension: "jpg" | "png" | "gif" | "bmp" | "webp" | "tiff" };

export const UPLOAD_LIMIT = 10 * 1024 * 1024;
/** Bytes of an account's images: of one day, and of all. */
export const MAX_UPLOAD_BYTES_A_DAY = 100 * 1024 * 1024;
export const MAX_UPLOAD_BYTES = 1024 * 1024 * 1024;
/** A smaller image counts as so many bytes, which bounds the number of rows that a sum reads. */
export const SMALLEST_COUNTED = 100 * 1024;
/** An unused image is deleted so many days after its upload: a draft in a browser, or a room, may still show it. */
export const UNUSED_DAYS = 60;
/** No honest image has more pixels; a small file beyond it could fill a browser's memory. */
export const PIXEL_LIMIT = 50_000_000;

export const HOW_TO_FREE = `To free space, remove images from your texts: an image that no text shows is deleted ${UNUSED_DAYS} days after its upload.`;

/** Bytes as text, such as `2.5 MB`. */
export const megabytes = (bytes: number): string => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;

const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));
const startsWithBytes = (bytes: Uint8Array, ...prefix: number[]): boolean =>
  prefix.every((byte, i) => bytes[i] === byte);

/** The type of an accepted image by its first bytes, or null. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  if (startsWithBytes(bytes, 0xff, 0xd8, 0xff)) return { type: "image/jpeg", extension: "jpg" };
  if (startsWithBytes(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))
    return { type: "image/png", extension: "png" };
  if (ascii(bytes, 0, 6) === "GIF87a" || ascii(bytes, 0, 6) === "GIF89a")
    return { type: "image/gif", extension: "gif" };
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 4) === "WEBP")
    return { type: "image/webp", extension: "webp" };
  if (startsWithBytes(bytes, 0x49, 0x49, 0x2a, 0x00) || startsWithBytes(bytes, 0x4d, 0x4d, 0x00, 0x2a))
    return { type: "image/tiff", extension: "tiff" };
  if (ascii(bytes, 0, 2) === "BM" && bytes.length > 26) return { type: "image/bmp", extension: "bmp" };
  return null;
}

// Images in user texts (D-06, D-07, C-95): checked by their bytes and pixel size, stored under an unguessable name.
import { imageSize } from "image-size";
import * as items from "#db/queries/items";
import { AppError } from "~/domain/errors";
import { cleanImage, isTurned } from "~/domain/image-metadata";
import { imageTypeOf, PIXEL_LIMIT, UPLOAD_LIMIT } from "~/domain/images";
import { requireUser } from "~/domain/permissions";
import { HOUR } from "~/domain/time";
import type { App } from "./app.server";

export type UploadedImage = { url: string; width: number; height: number };

/** `name` is only used in error sentences. */
export async function uploadImage(
  app: App,
  input: { name: string; bytes: ArrayBuffer },
): Promise<UploadedImage> {
  const user = requireUser(app.user);
  await app.attempts.take(`uploads:${user.id}`, 200, HOUR / 1000);
  const couldNot = `Couldn't upload file: ${input.name.slice(0, 120)}.`;
  if (input.bytes.byteLength > UPLOAD_LIMIT)
    throw new AppError("TOO_LARGE", `${couldNot} An image may have up to 10 MB.`);
  const bytes = new Uint8Array(input.bytes);
  const found = imageTypeOf(bytes);
  if (!found)
    throw new AppError(
      "UNSUPPORTED_TYPE",
      `${couldNot} Please use a JPEG, PNG, GIF, BMP, WebP or TIFF image.`,
    );
  const clean = cleanImage(bytes, found);
  if (!clean)
    throw new AppError(
      "UNSUPPORTED_TYPE",
      `${couldNot} The image has too many parts. Please save it again in an image program.`,
    );
  const stored = clean.size ?? (found.extension === "jpg" ? null : readSize(bytes));
  if (!stored || stored.width === 0 || stored.height === 0)
    throw new AppError("UNSUPPORTED_TYPE", `${couldNot} The image is damaged.`);
  if (stored.width * stored.height > PIXEL_LIMIT)
    throw new AppError("TOO_LARGE", `${couldNot} The image has too many pixels.`);
  // Its page reserves the space in which the image is shown.
  const width = isTurned(clean.orientation) ? stored.height : stored.width;
  const height = isTurned(clean.orientation) ? stored.width : stored.height;
  const key = `${crypto.randomUUID().replaceAll("-", "")}${crypto.randomUUID().slice(0, 8)}.${found.extension}`;
  const kept = clean.bytes;
  await app.uploads.put({ key, type: found.type, bytes: kept });
  const row = { key, userId: user.id, type: found.type, bytes: kept.byteLength, width, height };
  try {
    await items.insertUpload(app.db, { ...row, createdAt: app.now });
  } catch (error) {
    // The key stays unknown. If this fails too, the daily job finds the image without a row.
    await app.uploads.delete([key]).catch(() => {});
    throw error;
  }
  return { url: `/uploads/${key}`, width, height };
}

function readSize(bytes: Uint8Array): { width: number; height: number } | null {
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
}

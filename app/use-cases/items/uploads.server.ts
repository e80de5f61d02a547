// Images in user texts (D-06, D-07, C-95): checked by their bytes and pixel size, stored under an unguessable name.

import { imageSize } from "image-size";
import * as uploads from "#db/queries/items/uploads";
import { beginningOf } from "~/domain/beginnings";
import { AppError } from "~/domain/errors";
import { cleanImage, isTurned } from "~/domain/items/image-metadata";
import {
  HOW_TO_FREE,
  imageTypeOf,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_BYTES_A_DAY,
  PIXEL_LIMIT,
  SMALLEST_COUNTED,
  UPLOAD_LIMIT,
} from "~/domain/items/images";
import * as itemRefusals from "~/domain/items/refusals";
import { requireUser } from "~/domain/permissions";
import { DAY } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { countUse } from "~/use-cases/rate-limits.server";

export type UploadedImage = { url: string; width: number; height: number };

/** `name` is only used in error sentences. */
export async function uploadImage(
  app: App,
  input: { name: string; bytes: ArrayBuffer },
): Promise<UploadedImage> {
  const user = requireUser(app.user);
  await countUse(app, "uploads", user.id);
  const refusalFor = (reason: string) => itemRefusals.notUploaded(beginningOf(input.name, 120), reason);
  if (input.bytes.byteLength > UPLOAD_LIMIT)
    throw new AppError("TOO_LARGE", refusalFor(itemRefusals.imageTooLarge));
  await requireSpace(app, user.id, input.bytes.byteLength, refusalFor);
  const bytes = new Uint8Array(input.bytes);
  const imageType = imageTypeOf(bytes);
  if (!imageType) throw new AppError("UNSUPPORTED_TYPE", refusalFor(itemRefusals.imageOtherType));
  const clean = cleanImage(bytes, imageType);
  if (!clean) throw new AppError("UNSUPPORTED_TYPE", refusalFor(itemRefusals.imageTooManyParts));
  const dimensions = clean.size ?? (imageType.extension === "jpg" ? null : readSize(bytes));
  if (!dimensions || dimensions.width === 0 || dimensions.height === 0)
    throw new AppError("UNSUPPORTED_TYPE", refusalFor(itemRefusals.imageDamaged));
  if (dimensions.width * dimensions.height > PIXEL_LIMIT)
    throw new AppError("TOO_LARGE", refusalFor(itemRefusals.imageTooManyPixels));
  // A page reserves the space of an image before it has loaded.
  const width = isTurned(clean.orientation) ? dimensions.height : dimensions.width;
  const height = isTurned(clean.orientation) ? dimensions.width : dimensions.height;
  const key = `${crypto.randomUUID().replaceAll("-", "")}${crypto.randomUUID().slice(0, 8)}.${imageType.extension}`;
  const cleanBytes = clean.bytes;
  await app.uploads.put({ key, type: imageType.type, bytes: cleanBytes });
  const row = { key, userId: user.id, type: imageType.type, bytes: cleanBytes.byteLength, width, height };
  try {
    const [inserted] = await uploads.insertUpload(app.db, { ...row, createdAt: app.now }, dayBefore(app));
    if (!inserted) {
      await requireSpace(app, user.id, cleanBytes.byteLength, refusalFor);
      throw new AppError("CONFLICT", refusalFor(itemRefusals.imageAgain));
    }
  } catch (error) {
    // Nobody knows the key. If this fails too, the daily job deletes the image, because it has no row.
    await app.uploads.delete([key]).catch(() => {});
    throw error;
  }
  return { url: `/uploads/${key}`, width, height };
}

/** A stored image by the number of its row: for the answer to a repeat. */
export async function readUpload(app: App, row: number): Promise<UploadedImage> {
  const [image] = await uploads.findUploadByRow(app.db, row);
  if (!image) throw new AppError("NOT_FOUND");
  const { key, width, height } = image;
  return { url: `/uploads/${key}`, width, height };
}

const dayBefore = (app: App) => app.now - DAY;

/** The statement for the bytes of the account's images. */
export const sumSpaceTaken = (app: App, userId: number) => uploads.sumUploads(app.db, userId, dayBefore(app));

/** TOO_LARGE or RATE_LIMITED when the account may not have `bytes` more. The insertion checks again in SQL. */
async function requireSpace(
  app: App,
  userId: number,
  bytes: number,
  refusalFor: (reason: string) => string,
): Promise<void> {
  const [usedSpace] = await sumSpaceTaken(app, userId);
  const newBytes = Math.max(bytes, SMALLEST_COUNTED);
  if ((usedSpace?.all ?? 0) + newBytes > MAX_UPLOAD_BYTES)
    throw new AppError("TOO_LARGE", refusalFor(`${itemRefusals.imagesFull} ${HOW_TO_FREE}`));
  if ((usedSpace?.recent ?? 0) + newBytes <= MAX_UPLOAD_BYTES_A_DAY) return;
  throw new AppError("RATE_LIMITED", refusalFor(itemRefusals.imagesOfDayFull), {
    retryAfter: Math.ceil(((usedSpace?.firstAt ?? app.now) + DAY - app.now) / 1000),
  });
}

function readSize(bytes: Uint8Array): { width: number; height: number } | null {
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
}

// Items, books and favourites: each documented call and its use case, and the upload of an image as a multipart form (C-95,
//
import type { Context } from "hono";
import { AppError, isAppError } from "~/domain/errors";
import { UPLOAD_LIMIT } from "~/domain/items/images";
import { requireUser } from "~/domain/permissions";
import { readBody } from "~/http/read-body.server";
import { isMultipart, parseForm } from "~/http/read-form.server";
import type { App } from "~/use-cases/app.server";
import { type StoredAnswer, withIdempotencyKey } from "~/use-cases/idempotency.server";
import {
  createParaphrase,
  listBooks,
  randomSnippet,
  readParaphrase,
  setFavorite,
  updateParaphrase,
  viewSnippet,
} from "~/use-cases/items/books.server";
import {
  createItem,
  deleteItem,
  readItem,
  searchParents,
  updateItem,
  viewItem,
  viewPerson,
} from "~/use-cases/items/items.server";
import { viewMe } from "~/use-cases/items/me.server";
import { readUpload, type UploadedImage, uploadImage } from "~/use-cases/items/uploads.server";
import { calls } from "~/wire/calls";
import { digest, type HonoEnv, jsonError, repeatKey, serve } from "../serve";
import { withWireFields } from "./sessions";

/** The field of an item with another name on the wire. */
const ITEM_NAMES = { hutId: "group_id" };

export const itemApi = [
  serve(calls.createItem, withWireFields(createItem, ITEM_NAMES), (app, _, insertedId) =>
    readItem(app, insertedId),
  ),
  serve(calls.updateItem, withWireFields(updateItem, ITEM_NAMES)),
  serve(calls.deleteItem, deleteItem),
  serve(calls.searchParents, searchParents),
  serve(calls.listBooks, listBooks),
  serve(calls.viewSnippet, viewSnippet),
  serve(calls.randomSnippet, randomSnippet),
  serve(calls.createParaphrase, createParaphrase, (app, _, insertedId) => readParaphrase(app, insertedId)),
  serve(calls.updateParaphrase, updateParaphrase),
  serve(calls.setFavorite, setFavorite),
  serve(calls.viewMe, viewMe),
  serve(calls.viewMeInHut, viewMe),
];

/** The paths of these calls match those of many others, so they come last. */
export const namedApi = [serve(calls.viewPerson, viewPerson), serve(calls.viewItem, viewItem)];

/** The fields of a multipart form; null for any other body. A truncated form throws. */
async function readForm(request: Request): Promise<FormData | null> {
  // The form adds some bytes to those of the file.
  const limit = UPLOAD_LIMIT + 10_000;
  const tooLarge = new AppError("TOO_LARGE", "Couldn't upload file: An image may have up to 10 MB.");
  const cutOff = new AppError("INVALID", "The image did not arrive whole. Please try again.");
  const body = await readBody(request, limit).catch((thrown: unknown) => {
    throw isAppError(thrown) ? tooLarge : cutOff;
  });
  const type = request.headers.get("Content-Type") ?? "";
  if (!isMultipart(type)) return null;
  const form = await parseForm(body, type);
  if (!form) throw cutOff;
  return form;
}

/** The answer to a failed upload, whose `error` is an object. */
export const uploadError = (c: Context<HonoEnv>, thrown: unknown): Response =>
  jsonError(c, thrown, (message) => ({ error: { message } }));

const asStored = (image: UploadedImage): StoredAnswer => ({ status: 201, body: JSON.stringify(image) });
const answerStored = (c: Context<HonoEnv>, { status, body }: StoredAnswer) =>
  c.body(body, status as 201, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-store",
  });

/** Answers POST /upload/{postSlug}: stores `file` of a multipart form and answers `{ url }`, once for a key. */
export async function takeUpload(c: Context<HonoEnv>): Promise<Response> {
  const app = c.get("app");
  try {
    const user = requireUser(app.user);
    const form = await readForm(c.req.raw);
    const file = form?.get("file");
    if (!file || typeof file === "string")
      throw new AppError("INVALID", "Please choose an image.", {
        fields: { file: ["Please choose an image."] },
      });
    const bytes = new Uint8Array(await file.arrayBuffer());
    const store = async (app: App) =>
      asStored(await uploadImage(app, { name: file.name, bytes: bytes.slice().buffer }));
    const key = repeatKey(c, Object.fromEntries(form ?? []));
    if (key === null) return answerStored(c, await store(app));
    // The hash is of the image only, because a repeat of the form has another boundary.
    const request = {
      userId: user.id,
      key,
      call: `POST ${c.req.path}`,
      bodyHash: await digest(bytes),
    };
    // Another upload may have taken the last space, so that the first run wrote its key but no image.
    const readAgain = async (app: App, made: number | null) =>
      made === null ? store(app) : asStored(await readUpload(app, made));
    return answerStored(c, await withIdempotencyKey(app, request, store, readAgain, { asksFirst: true }));
  } catch (thrown) {
    return uploadError(c, thrown);
  }
}

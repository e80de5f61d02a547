// Items, books and favourites: each documented call and its use case, and the upload of an image as a multipart form (C-95,
//
import type { Context } from "hono";
import { AppError, isAppError } from "~/domain/errors";
import { UPLOAD_LIMIT } from "~/domain/items/images";
import { requireUser } from "~/domain/permissions";
import { readBody } from "~/http/read-body.server";
import { isMultipart, parseForm } from "~/http/read-form.server";
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
import { uploadImage } from "~/use-cases/items/uploads.server";
import { calls } from "~/wire/calls";
import { type HonoEnv, jsonError, serve } from "../serve";

export const itemApi = [
  serve(calls.createItem, createItem, (app, _, insertedId) => readItem(app, insertedId)),
  serve(calls.updateItem, updateItem),
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

/** Answers POST /upload/{postSlug}: stores `file` of a multipart form and answers `{ url }`. */
export async function takeUpload(c: Context<HonoEnv>): Promise<Response> {
  const app = c.get("app");
  try {
    requireUser(app.user);
    const form = await readForm(c.req.raw);
    const file = form?.get("file");
    if (!file || typeof file === "string")
      throw new AppError("INVALID", "Please choose an image.", {
        fields: { file: ["Please choose an image."] },
      });
    const image = await uploadImage(app, { name: file.name, bytes: await file.arrayBuffer() });
    return c.json(image, 201);
  } catch (thrown) {
    return uploadError(c, thrown);
  }
}

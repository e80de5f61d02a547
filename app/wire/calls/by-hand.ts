// The calls whose answers are no JSON of a use case: the clock, the XSRF cookie and the upload of a file.
import { z } from "zod";
import { oneLine } from "~/domain/text-fields";
import { call, nothing } from "../call";

export const handCalls = {
  readTime: call("GET /api/time", "Read the server's clock", {
    scope: "read",
    who: "anyone",
    input: nothing,
    answer: () => ({ now: Date.now() }),
  }),
  getCsrfCookie: call("GET /sanctum/csrf-cookie", "Set the XSRF cookie of a browser", {
    scope: "none",
    who: "anyone",
    input: nothing,
    status: 204,
    answer: () => null,
  }),
  uploadImage: call("POST /upload/{postSlug}", "Upload an image", {
    scope: "write",
    input: nothing,
    // The body is multipart/form-data.
    sends: z.object({ postSlug: oneLine(), file: z.file() }),
    isRepeatable: true,
    keyFirst: "the image is stored beside D1",
    answer: (image: { url: string; width: number; height: number }) => image,
    limits: ["uploads"],
  }),
};

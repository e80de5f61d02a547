// Serves stored images from our own origin, as immutable (D-07).
import type { Context } from "hono";
import { AppError } from "~/domain/errors";
import { createUploads } from "./adapters/uploads";
import { bareError } from "./bare-page";
import { NO_PAGE_POLICY } from "./security-headers";
import type { HonoEnv } from "./serve";

export async function serveUpload(c: Context<HonoEnv>): Promise<Response> {
  const key = c.req.param("key") ?? "";
  const storedImage = /^[\w-]{20,80}\.(jpg|png|gif|bmp|webp|tiff)$/.test(key)
    ? await createUploads(c.env).get(key)
    : null;
  if (!storedImage) return bareError(c, new AppError("NOT_FOUND"));
  return new Response(storedImage.body, {
    headers: {
      "Content-Type": storedImage.type,
      ETag: storedImage.etag,
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": `${NO_PAGE_POLICY}; sandbox`,
      "Content-Disposition": `inline; filename="${key}"`,
    },
  });
}

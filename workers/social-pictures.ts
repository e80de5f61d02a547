// The pictures that shared links to activities and sessions show.
import { type Context, Hono } from "hono";
import { AppError } from "~/domain/errors";
import { type Preview, previewActivity, previewSession } from "~/use-cases/previews.server";
import { drawPreview } from "./pictures/preview";
import type { HonoEnv } from "./serve";

export const socialPictures = new Hono<HonoEnv>();

socialPictures.get("/social/activities/:file", (c) =>
  picture(c, (name) => previewActivity(c.get("app"), { slug: name })),
);
socialPictures.get("/social/sessions/:file", (c) =>
  picture(c, (name) => {
    const session = Number(name);
    if (!Number.isSafeInteger(session) || session < 1) throw new AppError("NOT_FOUND");
    return previewSession(c.get("app"), { session });
  }),
);

/** Kept for an hour, and a day longer while a new one is made; asked for again it is drawn only when it changed. */
async function picture(c: Context<HonoEnv>, find: (name: string) => Promise<Preview>): Promise<Response> {
  const name = /^([\w-]{1,80})\.png$/.exec(c.req.param("file") ?? "")?.[1];
  if (!name) throw new AppError("NOT_FOUND");
  const { version, ...text } = await find(name);
  const headers = {
    "Cache-Control": "public, max-age=3600, stale-while-revalidate=86400",
    ETag: `"${version}"`,
  };
  if (c.req.header("If-None-Match") === headers.ETag) return c.body(null, 304, headers);
  const drawn = await drawPreview({ ...text, appName: c.get("app").settings.appName });
  return new Response(drawn, { headers: { ...headers, "Content-Type": "image/png" } });
}

// Stores uploaded images in R2.
import { instant } from "~/domain/time";
import type { Uploads } from "~/use-cases/ports.server";
import type { Env } from "../env";

export function createUploads(env: Env): Uploads {
  return {
    async put({ key, type, bytes }) {
      await env.UPLOADS.put(key, bytes, { httpMetadata: { contentType: type } });
    },
    async get(key) {
      const storedImage = await env.UPLOADS.get(key);
      if (!storedImage) return null;
      const type = storedImage.httpMetadata?.contentType ?? "application/octet-stream";
      return { body: storedImage.body, type, etag: storedImage.httpEtag };
    },
    async delete(keys) {
      await env.UPLOADS.delete(keys);
    },
    async list(after, limit) {
      const { objects } = await env.UPLOADS.list({ limit, ...(after ? { startAfter: after } : {}) });
      return objects.map(({ key, uploaded }) => ({ key, storedAt: instant(uploaded.getTime()) }));
    },
  };
}

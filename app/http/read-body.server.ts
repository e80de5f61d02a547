// Reads the body of a request up to a limit and stops there.
import { AppError } from "~/domain/errors";

export type Body = { headers: Headers; body: ReadableStream<Uint8Array> | null };

/** The bytes of a body; TOO_LARGE when it declares or sends more than `limit` bytes, and the rest stays unread. */
export async function readBody(request: Body, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("Content-Length") ?? 0) > limit) throw new AppError("TOO_LARGE");
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new AppError("TOO_LARGE");
    chunks.push(chunk);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

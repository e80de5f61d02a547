// Reads the body of a request up to a limit and stops there.
import { AppError } from "~/domain/errors";

export type Body = { headers: Headers; body: ReadableStream<Uint8Array> | null };

/** Bytes asked for at first. A sender who declares many and sends few costs no more memory than that. */
const FIRST = 64 * 1024;

/** The bytes of a body; TOO_LARGE when it declares or sends more than `limit` bytes, and the rest stays unread. */
export async function readBody(request: Body, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("Content-Length") ?? 0) > limit) throw new AppError("TOO_LARGE");
  if (!request.body) return new Uint8Array();
  // Read into a buffer of ours, ten megabytes come in a few hundred pieces; by itself the platform hands out 4 kB each.
  const reader = request.body.getReader({ mode: "byob" });
  let bytes = new Uint8Array(FIRST);
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read(bytes.subarray(size));
    if (value) bytes = new Uint8Array(value.buffer as ArrayBuffer);
    if (done) return bytes.subarray(0, size);
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel();
      throw new AppError("TOO_LARGE");
    }
    if (size === bytes.byteLength) bytes = enlarged(bytes);
  }
}

function enlarged(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.byteLength * 2);
  larger.set(bytes);
  return larger;
}

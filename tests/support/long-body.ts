// Request bodies of any length without memory: the same chunk repeated while it is read.

const PIECE = new Uint8Array(64 * 1024).fill("x".charCodeAt(0));

export type LongBody = { body: ReadableStream<Uint8Array>; sent(): number };

/** `start`, then `x` up to `bytes`; `sent` counts the bytes read so far. */
export function longBody(bytes: number, start = ""): LongBody {
  let count = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      type: "bytes",
      pull(controller) {
        const piece = count === 0 ? new TextEncoder().encode(start) : PIECE.slice(0, bytes - count);
        count += piece.byteLength;
        controller.enqueue(piece);
        if (count >= bytes) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sent: () => count };
}

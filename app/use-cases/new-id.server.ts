// The ids of new things: random ones, or for a request with a key the ids that its first run drew.
import { createHash } from "node:crypto";
import { DAY, type Instant } from "~/domain/time";

/**
 * UUIDs that follow from the request and the day of its first run, so that a repeat finds by its id what that run made,
 * and the same key is free again a day later.
 */
export function repeatableIds(
  request: { userId: number; key: string; call: string },
  firstRunAt: Instant,
): () => string {
  const day = Math.floor(firstRunAt / DAY);
  let count = 0;
  return () => {
    const seed = JSON.stringify([request.userId, request.key, request.call, day, count++]);
    const hex = createHash("sha256").update(seed).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}

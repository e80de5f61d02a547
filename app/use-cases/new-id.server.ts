// Ids of new records: random, or for a request with a key the ids of its first run.
import { createHash } from "node:crypto";
import { DAY, type Instant } from "~/domain/time";

/**
 * UUIDs derived from the request and the day of its first run. A repeat therefore finds the records of that run, and
 * the key is free again a day later.
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

// Two people with a row in every table, among them a hut, a session, a series and a device, beside those of a file's tests: no
// test may change them.
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { onCleared } from "./cleared";
import { fillTables } from "./every-row";
import { makeUsers } from "./factories";
import { copyRows } from "./places";

/** Rows that count for everybody. */
const SHARED = /^activity_counts /;

/**
 * For a test file, after its own `beforeEach`: each of its tests leaves the bystanders byte for byte as they were. A test that
 * writes to everybody, as a cron job does, calls the function that this answers. `settle` runs once they exist.
 */
export function keepBystanders(settle?: () => Promise<unknown>): () => void {
  let keys: ReadonlySet<string> | null = null;
  let before: Awaited<ReturnType<typeof copyRows>> = new Map();
  let isForEverybody = false;
  onCleared(async () => {
    before = await copyRows();
  });
  afterAll(() => onCleared(null));
  beforeEach(async () => {
    isForEverybody = false;
    before = await copyRows();
    if (keys) return;
    const others = new Set(before.keys());
    const [user, other] = await makeUsers(2);
    await fillTables(user, other);
    // Events wait to be sent, by any test.
    await env.DB.prepare("DELETE FROM events").run();
    await settle?.();
    before = await copyRows();
    keys = new Set([...before.keys()].filter((key) => !others.has(key) && !SHARED.test(key)));
  });
  afterEach(async () => {
    if (isForEverybody) return;
    const after = await copyRows();
    const changed = [...(keys ?? [])].filter(
      (key) => before.has(key) && JSON.stringify(after.get(key)) !== JSON.stringify(before.get(key)),
    );
    expect(changed.map((key) => [key, before.get(key)?.row, after.get(key)?.row])).toEqual([]);
  });
  return () => {
    isForEverybody = true;
  };
}

// The SQLite file of a local D1.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Opens the file, and waits up to five seconds for a server that writes to it. */
export function openLocalD1(dataDir) {
  const folder = join(dataDir, "v3/d1/miniflare-D1DatabaseObject");
  const [file] = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  return new DatabaseSync(join(folder, file), { timeout: 5000 });
}

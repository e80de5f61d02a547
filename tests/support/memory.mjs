// Imported for its effect: tests keep their databases in memory where there is room. SQLite waits for the disk at each
// commit, which took half of the time of the tests inside workerd.
import { statfsSync } from "node:fs";

const MEMORY = "/dev/shm";
/** A whole run needs a tenth of it. Bytes. */
const ROOM = 4 * 2 ** 30;

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM;
  } catch {
    return false; // Only Linux has it.
  }
}
if (hasRoom()) process.env.TMPDIR ??= MEMORY;

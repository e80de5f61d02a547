// Imported for its effect: tests keep their data in memory where there is room, and delete it when they end. SQLite
// waits for the disk at each commit, which took half of the time of the tests inside workerd.
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Bytes; a whole run needs a tenth of them. */
const ROOM = 4 * 2 ** 30;

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM;
  } catch {
    return false; // Only Linux has it.
  }
}
// A child process has the folder of its parent.
if (!process.env.TMPDIR && hasRoom()) {
  const folder = mkdtempSync(join(MEMORY, "bothy-tests-"));
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

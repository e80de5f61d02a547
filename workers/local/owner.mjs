// The note in a data folder that names its owner: a server, or a command that reads and writes the folder by itself. D1
// answers SQLITE_BUSY to a second process, so everything else goes through the owner. Plain Node 20, like tools.mjs.
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./processes.mjs";

const noteIn = (dataDir) => join(dataDir, "server.json");
/** A server answers within a minute, and a command ends. */
const WAIT_MS = 5 * 60_000;

/** The notes of this process by their folder: the key, and how often they are held. */
const held = new Map();

const readNote = (path) => {
  try {
    const { pids = [], url = null, key = "" } = JSON.parse(readFileSync(path, "utf8"));
    return { pids, url, key };
  } catch (error) {
    if (error.code === "ENOENT") return null;
    // A note of an earlier version, or a broken one, names nobody.
    if (error instanceof SyntaxError) return { pids: [], url: null, key: "" };
    throw error;
  }
};

/** The owner of the folder, or null. A note may outlive its processes. */
function ownerOf(dataDir) {
  const note = readNote(noteIn(dataDir));
  return note?.pids.some(isAlive) ? note : null;
}

const isAnswering = (url) =>
  fetch(`${url}/api/time`).then(
    ({ ok }) => ok,
    () => false,
  );

/** The server that runs on this data, with the key of its stores, or null. */
export async function serverOn(dataDir) {
  const owner = ownerOf(dataDir);
  return owner?.url && (await isAnswering(owner.url)) ? owner : null;
}

/** Writes the note; false when somebody else has. */
function writeNote(dataDir, note) {
  mkdirSync(dataDir, { recursive: true });
  const path = noteIn(dataDir);
  const draft = `${path}-${randomBytes(8).toString("hex")}`;
  // A note is whole from its first moment, and only one process makes it.
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(draft);
  }
}

/** Removes a note whose processes have ended. */
function removeStale(dataDir) {
  const path = noteIn(dataDir);
  const aside = `${path}-${randomBytes(8).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  // Another process may have taken the folder since the note was read.
  if (readNote(aside)?.pids.some(isAlive) && !existsSync(path)) linkSync(aside, path);
  rmSync(aside);
}

function release(dataDir) {
  const mine = held.get(dataDir);
  if (!mine || --mine.count > 0) return;
  held.delete(dataDir);
  removeOwn(dataDir, mine);
}

function removeOwn(dataDir, { key }) {
  if (readNote(noteIn(dataDir))?.key === key) rmSync(noteIn(dataDir), { force: true });
}
process.on("exit", () => {
  for (const [dataDir, mine] of held) if (!mine.note.pids.slice(1).some(isAlive)) removeOwn(dataDir, mine);
});

/**
 * Takes the folder for this process, which may hold it already; `url` is that of the server that will answer. Throws a
 * sentence with the address of the server that has it, and waits for a command that has it.
 */
export async function takeFolder(dataDir, url = null) {
  const until = Date.now() + WAIT_MS;
  let hasSaid = false;
  for (;;) {
    const mine = held.get(dataDir);
    if (mine) {
      mine.count++;
      if (url && !mine.note.url) rewrite(dataDir, { url });
      return ownership(dataDir, mine);
    }
    const owner = ownerOf(dataDir);
    if (owner?.url)
      throw new Error(
        `${dataDir} is in use by the server at ${owner.url}. Stop it, or choose another DATA_DIR.`,
      );
    if (!owner) {
      if (existsSync(noteIn(dataDir))) removeStale(dataDir);
      const key = randomBytes(32).toString("base64url");
      const note = { pids: [process.pid], url, key };
      if (writeNote(dataDir, note)) held.set(dataDir, { key, note, count: 0 });
      continue;
    }
    if (Date.now() > until)
      throw new Error(
        `Another command has used ${dataDir} for five minutes. If none runs, delete ${noteIn(dataDir)}.`,
      );
    if (!hasSaid) console.error(`Waiting for another command that uses ${dataDir} …`);
    hasSaid = true;
    await sleep(200);
  }
}

function rewrite(dataDir, change) {
  const mine = held.get(dataDir);
  mine.note = { ...mine.note, ...change };
  const path = noteIn(dataDir);
  const draft = `${path}-${randomBytes(8).toString("hex")}`;
  writeFileSync(draft, JSON.stringify(mine.note), { mode: 0o600 });
  renameSync(draft, path);
}

function ownership(dataDir, { key }) {
  let isHeld = true;
  return {
    key,
    /** A server that outlives this process keeps the folder. */
    add: (pid) => rewrite(dataDir, { pids: [...held.get(dataDir).note.pids, pid] }),
    release() {
      if (isHeld) release(dataDir);
      isHeld = false;
    },
  };
}

/**
 * Calls `through` with the server that runs on this data, or `alone` while this process owns the folder. Waits for a
 * server that starts or ends, and for another command.
 */
export async function withFolder(dataDir, { through, alone }) {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const server = await serverOn(dataDir);
    if (server) return through(server);
    if (held.has(dataDir) || !ownerOf(dataDir)?.url || Date.now() > until) break;
    await sleep(200);
  }
  const folder = await takeFolder(dataDir);
  try {
    return await alone();
  } finally {
    folder.release();
  }
}

// The lock file of a data folder, which names its owner: a server, or a command that reads and writes the folder. D1
// answers SQLITE_BUSY to a second process, so every other command must call the owner.
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./processes.mjs";

const noteIn = (dataDir) => join(dataDir, "server.json");
/** How long a command waits for another command to end, or for a server to answer. */
const MAX_WAIT_MS = 5 * 60_000;

/** The notes of this process by folder, each with the number of callers that hold it. */
const heldNotes = new Map();

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

/** The owner of the folder; null without one, or when the processes of the note have ended. */
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

/** Creates the note; false when the folder has one already. */
function createNote(dataDir, note) {
  mkdirSync(dataDir, { recursive: true });
  const path = noteIn(dataDir);
  const draft = `${path}-${randomBytes(8).toString("hex")}`;
  // A link is atomic: readers never see half a note, and only the first of two processes succeeds.
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
function removeStaleNote(dataDir) {
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
  const heldNote = heldNotes.get(dataDir);
  if (!heldNote || --heldNote.count > 0) return;
  heldNotes.delete(dataDir);
  removeOwnNote(dataDir, heldNote);
}

function removeOwnNote(dataDir, { key }) {
  if (readNote(noteIn(dataDir))?.key === key) rmSync(noteIn(dataDir), { force: true });
}
process.on("exit", () => {
  for (const [dataDir, heldNote] of heldNotes)
    if (!heldNote.note.pids.slice(1).some(isAlive)) removeOwnNote(dataDir, heldNote);
});

/**
 * Takes the folder for this process, which may hold it already. `url` is the address of the server that it starts. Waits
 * while another command has the folder, and throws a sentence when a server has it.
 */
export async function takeFolder(dataDir, url = null) {
  const deadline = Date.now() + MAX_WAIT_MS;
  let hasReported = false;
  for (;;) {
    const heldNote = heldNotes.get(dataDir);
    if (heldNote) {
      heldNote.count++;
      if (url && !heldNote.note.url) changeNote(dataDir, { url });
      return ownership(dataDir, heldNote);
    }
    const owner = ownerOf(dataDir);
    if (owner?.url)
      throw new Error(
        `${dataDir} is in use by the server at ${owner.url}. Stop it, or choose another DATA_DIR.`,
      );
    if (!owner) {
      if (existsSync(noteIn(dataDir))) removeStaleNote(dataDir);
      const key = randomBytes(32).toString("base64url");
      const note = { pids: [process.pid], url, key };
      if (createNote(dataDir, note)) heldNotes.set(dataDir, { key, note, count: 0 });
      continue;
    }
    if (Date.now() > deadline)
      throw new Error(
        `Another command has used ${dataDir} for five minutes. If none runs, delete ${noteIn(dataDir)}.`,
      );
    if (!hasReported) console.error(`Waiting for another command that uses ${dataDir} …`);
    hasReported = true;
    await sleep(200);
  }
}

function changeNote(dataDir, change) {
  const heldNote = heldNotes.get(dataDir);
  heldNote.note = { ...heldNote.note, ...change };
  const path = noteIn(dataDir);
  const draft = `${path}-${randomBytes(8).toString("hex")}`;
  writeFileSync(draft, JSON.stringify(heldNote.note), { mode: 0o600 });
  renameSync(draft, path);
}

function ownership(dataDir, { key }) {
  let isHeld = true;
  return {
    key,
    /** Adds a process to the owner, so that a server that outlives this process keeps the folder. */
    add: (pid) => changeNote(dataDir, { pids: [...heldNotes.get(dataDir).note.pids, pid] }),
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
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const server = await serverOn(dataDir);
    if (server) return through(server);
    if (heldNotes.has(dataDir) || !ownerOf(dataDir)?.url || Date.now() > deadline) break;
    await sleep(200);
  }
  const folder = await takeFolder(dataDir);
  try {
    return await alone();
  } finally {
    folder.release();
  }
}

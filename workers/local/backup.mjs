// `npm run backup`: writes D1 and the chat of all rooms into an archive, of the local run or, with --remote, of the
// deployed worker. The server may run meanwhile.
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { addDeleted, writeArchive } from "./archive.mjs";
import { readDatabase } from "./database.mjs";
import { ROOT, withOwnNode } from "./processes.mjs";
import { forEach, hasData, listNames, withStores } from "./stores.mjs";
import { dataFolder, ensureInstalled, withServer } from "./tools.mjs";

const USAGE = "Usage: npm run backup -- [--remote] [--to folder]";
const FIVE_MINUTE_CRON = "*/5+*+*+*+*";
/** How long to wait for the rooms of a deployed worker, which copy their chat at its next five-minute run. */
const MAX_WAIT_MS = 15 * 60_000;

export function readArguments(args) {
  const options = { isRemote: false, folder: resolve(ROOT, "backups") };
  const rest = [...args];
  while (rest.length > 0) {
    const argument = rest.shift();
    if (argument === "--remote") options.isRemote = true;
    else if (argument === "--to" && rest[0] && !rest[0].startsWith("-"))
      options.folder = resolve(rest.shift());
    else throw new Error(USAGE);
  }
  return options;
}

async function backUp({ isRemote, folder }) {
  const dataDir = dataFolder();
  if (!isRemote && !hasData(dataDir))
    throw new Error(`There is nothing to back up: ${dataDir} has no database.`);
  const missed = await copyChats({ isRemote, dataDir });
  return withStores({ isRemote, dataDir }, async ({ db, copies }) => {
    const madeAt = new Date().toISOString();
    const database = await readDatabase(db);
    const chats = await readChats(copies, database);
    const deleted = addDeleted(folder, await listNames(copies, "deleted/"));
    const backup = { source: isRemote ? "production" : "local", madeAt, database, chats };
    return { file: await writeArchive(folder, backup), ...backup, missed, deleted };
  });
}

/** Requests a copy from each room that may have lines without one: its chat is open, and the ledger has a block of lines. */
const REQUEST_COPIES = `INSERT INTO chats_to_copy (session_id, due_at)
  SELECT s.id, 0 FROM sessions s WHERE s.closed_at IS NULL AND EXISTS (SELECT 1 FROM token_entries e
    WHERE e.reference >= 'chat:' || s.id || ':' AND e.reference < 'chat:' || s.id || ';')
  ON CONFLICT (session_id) DO UPDATE SET due_at = 0`;

const countDue = ({ db }) =>
  db.prepare("SELECT count(*) AS n FROM chats_to_copy WHERE due_at = 0").first("n");

/** Makes the rooms copy their newest lines now. Returns the sessions whose room has not copied them. */
async function copyChats(location) {
  const since = Date.now();
  const count = await withStores(location, async ({ db }) => {
    await db
      .prepare(REQUEST_COPIES)
      .run()
      .catch((error) => {
        if (!/no such table: chats_to_copy/.test(error.message)) throw error;
        throw new Error("The database is older than this version. Run npm start or npm run deploy first.");
      });
    return countDue({ db });
  });
  if (count === 0) return [];
  if (location.isRemote) {
    console.log(`${count} rooms copy their newest lines within five minutes …`);
    await withStores(location, async (stores) => {
      while ((await countDue(stores)) > 0 && Date.now() < since + MAX_WAIT_MS) await sleep(10_000);
    });
  } else
    await withServer(location.dataDir, async (url) => {
      for (let left = count, previousLeft = left + 1; left > 0 && left < previousLeft; ) {
        const response = await fetch(`${url}/cdn-cgi/handler/scheduled?cron=${FIVE_MINUTE_CRON}`);
        if (!response.ok) throw new Error(`The server at ${url} did not run its jobs: ${response.status}.`);
        [previousLeft, left] = [left, await withStores(location, countDue)];
      }
    });
  // The rows that remain are of rooms that failed; the cron retries them an hour later.
  const { results } = await withStores(location, ({ db }) =>
    db.prepare("SELECT session_id FROM chats_to_copy ORDER BY session_id").all(),
  );
  return results.map(({ session_id: session }) => session);
}

/** The copies of the rooms whose session is in the archive. */
async function readChats(copies, { tables }) {
  const { columns, rows } = tables.find(({ name }) => name === "sessions");
  const idColumn = columns.indexOf("id");
  const sessions = new Set(rows.map((row) => String(row[idColumn])));
  const chats = [];
  await forEach(
    (await listNames(copies, "chat/")).filter((session) => sessions.has(session)),
    async (session) => {
      const copy = await copies.get(`chat/${session}`);
      if (copy) chats.push({ session: Number(session), text: await copy.text() });
    },
  );
  return chats.sort((a, b) => a.session - b.session);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const options = readArguments(process.argv.slice(2));
    await ensureInstalled();
    await withOwnNode(async () => {
      const { file, database, chats, missed, deleted } = await backUp(options);
      const rows = database.tables.reduce((sum, table) => sum + table.rows.length, 0);
      console.log(
        `${file}: ${database.tables.length} tables, ${rows} rows, the chat of ${chats.length} rooms.`,
      );
      console.log(`deleted-accounts.txt beside it lists ${deleted.length} deleted accounts.`);
      if (missed.length === 0) return;
      console.error(
        `The rooms of these sessions did not copy their newest lines: ${missed.join(", ")}. The log says why (chat-not-copied).`,
      );
      process.exitCode = 1;
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

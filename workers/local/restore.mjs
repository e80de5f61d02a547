// `npm run restore -- FILE`: fills an empty installation with an archive of `npm run backup`, the local one or,
// with --remote, the deployed one, verifies it, and deletes the accounts again that were deleted since.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { addDeleted, folderOf, readArchive, readDeleted } from "./archive.mjs";
import { refuseEarlierArchive } from "./builds.mjs";
import {
  completeDatabase,
  deleteAgain,
  differencesFrom,
  fillDatabase,
  refuseUnlessEmpty,
} from "./database.mjs";
import { run, withOwnNode } from "./processes.mjs";
import { forEach, listNames, withStores } from "./stores.mjs";
import { dataFolder, ensureInstalled, migrate, withServer } from "./tools.mjs";

const USAGE = "Usage: npm run restore -- FILE [--remote]";
const NIGHTLY = "17+3+*+*+*";

export function readArguments(args) {
  const isRemote = args.includes("--remote");
  const [file, ...rest] = args.filter((argument) => argument !== "--remote");
  if (!file || file.startsWith("-") || rest.length > 0) throw new Error(USAGE);
  return { file: resolve(file), isRemote };
}

async function restore({ file, isRemote }) {
  const { database, chats, madeAt } = await readArchive(file);
  refuseEarlierArchive(database);
  const dataDir = dataFolder();
  if (isRemote) await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote", "--env", "production"]);
  else await migrate(dataDir);
  const again = await withStores({ isRemote, dataDir }, async ({ db, copies }) => {
    await refuseUnlessEmpty(db, database);
    await fillDatabase(db, database);
    await forEach(chats, ({ session, text }) => copies.put(`chat/${session}`, text));
    const differences = [...(await differencesFrom(db, database)), ...(await chatDifferences(copies, chats))];
    if (differences.length > 0) throw new Error(`The restore is not complete.\n${differences.join("\n")}`);
    const folder = folderOf(file);
    const here = await listNames(copies, "deleted/");
    const deleted = [...new Set([...readDeleted(folder), ...here])];
    if (here.length > 0) addDeleted(folder, here);
    await forEach(deleted, (account) => copies.put(`deleted/${account}`, ""));
    const again = await deleteAgain(db, deleted);
    await completeDatabase(db);
    return again;
  });
  if (again > 0 && !isRemote) await deleteNow(dataDir);
  return { database, chats, madeAt, again };
}

/** Reads every chat back and compares its last `seq` and its lines. */
async function chatDifferences(copies, chats) {
  const aboutChat = (text) => {
    const [head] = text.split("\n", 1);
    const { seq, count } = JSON.parse(head);
    return { seq, count, length: text.length };
  };
  const differences = [];
  await forEach(chats, async ({ session, text }) => {
    const stored = await copies.get(`chat/${session}`);
    const [wanted, actual] = [aboutChat(text), stored ? aboutChat(await stored.text()) : null];
    if (actual?.seq !== wanted.seq || actual.count !== wanted.count || actual.length !== wanted.length)
      differences.push(`The chat of session ${session} ends at ${actual?.seq} instead of ${wanted.seq}.`);
  });
  return differences;
}

/** The worker's nightly run deletes the accounts that are due, their chat lines included. */
const deleteNow = (dataDir) =>
  withServer(dataDir, async (url) => {
    const left = () =>
      withStores({ isRemote: false, dataDir }, ({ db }) =>
        db
          .prepare(
            "SELECT (SELECT count(*) FROM users WHERE deletion_due_at = 1) + (SELECT count(*) FROM chat_erasures) AS n",
          )
          .first("n"),
      );
    let before = Number.POSITIVE_INFINITY;
    for (let count = await left(); count > 0; count = await left()) {
      if (count >= before)
        throw new Error("Accounts that were deleted could not be deleted again: see the log.");
      before = count;
      await fetch(`${url}/cdn-cgi/handler/scheduled?cron=${NIGHTLY}`);
    }
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const asked = readArguments(process.argv.slice(2));
    await ensureInstalled();
    await withOwnNode(async () => {
      const { database, chats, madeAt, again } = await restore(asked);
      const rows = database.tables.reduce((sum, table) => sum + table.rows.length, 0);
      console.log(
        `Restored the backup of ${madeAt}: ${rows} rows, ledger sums and the chat of ${chats.length} rooms are as in the archive.`,
      );
      if (again > 0)
        console.log(
          asked.isRemote
            ? `${again} accounts that were deleted since cannot sign in; the nightly run deletes them (docs/operations.md, Cron by hand).`
            : `${again} accounts that were deleted since are deleted again.`,
        );
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

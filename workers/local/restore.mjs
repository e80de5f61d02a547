// `npm run restore -- FILE`: fills an empty installation, local or with --remote deployed, from an archive of
// `npm run backup`. It verifies the result, and deletes accounts again that were deleted since the backup.
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
const NIGHTLY_CRON = "17+3+*+*+*";

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
  const deletedAgain = await withStores({ isRemote, dataDir }, async ({ db, copies }) => {
    await refuseUnlessEmpty(db, database);
    await fillDatabase(db, database);
    await forEach(chats, ({ session, text }) => copies.put(`chat/${session}`, text));
    const differences = [...(await differencesFrom(db, database)), ...(await chatDifferences(copies, chats))];
    if (differences.length > 0) throw new Error(`The restore is not complete.\n${differences.join("\n")}`);
    const folder = folderOf(file);
    const listedInCopies = await listNames(copies, "deleted/");
    const deleted = [...new Set([...readDeleted(folder), ...listedInCopies])];
    if (listedInCopies.length > 0) addDeleted(folder, listedInCopies);
    await forEach(deleted, (account) => copies.put(`deleted/${account}`, ""));
    const count = await deleteAgain(db, deleted);
    await completeDatabase(db);
    return count;
  });
  if (deletedAgain > 0 && !isRemote) await deleteDueAccounts(dataDir);
  return { database, chats, madeAt, deletedAgain };
}

/** Reads every chat back and compares its last `seq` and its lines. */
async function chatDifferences(copies, chats) {
  const summaryOf = (text) => {
    const [head] = text.split("\n", 1);
    const { seq, count } = JSON.parse(head);
    return { seq, count, length: text.length };
  };
  const differences = [];
  await forEach(chats, async ({ session, text }) => {
    const copy = await copies.get(`chat/${session}`);
    const [wanted, actual] = [summaryOf(text), copy ? summaryOf(await copy.text()) : null];
    if (actual?.seq !== wanted.seq || actual.count !== wanted.count || actual.length !== wanted.length)
      differences.push(`The chat of session ${session} ends at ${actual?.seq} instead of ${wanted.seq}.`);
  });
  return differences;
}

/** Deletes the accounts that are due, with their chat lines, by nightly runs of a local server. */
const deleteDueAccounts = (dataDir) =>
  withServer(dataDir, async (url) => {
    const countLeft = () =>
      withStores({ isRemote: false, dataDir }, ({ db }) =>
        db
          .prepare(
            "SELECT (SELECT count(*) FROM users WHERE deletion_due_at = 1) + (SELECT count(*) FROM chat_erasures) AS n",
          )
          .first("n"),
      );
    let previousCount = Number.POSITIVE_INFINITY;
    for (let count = await countLeft(); count > 0; count = await countLeft()) {
      if (count >= previousCount)
        throw new Error("Accounts that were deleted could not be deleted again: see the log.");
      previousCount = count;
      await fetch(`${url}/cdn-cgi/handler/scheduled?cron=${NIGHTLY_CRON}`);
    }
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const options = readArguments(process.argv.slice(2));
    await ensureInstalled();
    await withOwnNode(async () => {
      const { database, chats, madeAt, deletedAgain } = await restore(options);
      const rows = database.tables.reduce((sum, table) => sum + table.rows.length, 0);
      console.log(
        `Restored the backup of ${madeAt}: ${rows} rows, ledger sums and the chat of ${chats.length} rooms are as in the archive.`,
      );
      if (deletedAgain > 0)
        console.log(
          options.isRemote
            ? `${deletedAgain} accounts that were deleted since cannot sign in; the nightly run deletes them (docs/operations.md, Cron by hand).`
            : `${deletedAgain} accounts that were deleted since are deleted again.`,
        );
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

// `npm run search:rebuild`: rebuilds the search index of the local data or, with --remote, of the deployed database.
import { withOwnNode } from "./processes.mjs";
import { hasData, withStores } from "./stores.mjs";
import { dataFolder, ensureInstalled } from "./tools.mjs";

const USAGE = "Usage: npm run search:rebuild [-- --remote]";

async function rebuild(args) {
  const isRemote = args.includes("--remote");
  if (args.some((argument) => argument !== "--remote")) throw new Error(USAGE);
  const dataDir = dataFolder();
  if (!isRemote && !hasData(dataDir))
    throw new Error(`There are no data in ${dataDir}. Run \`npm start\` first.`);
  // Imported only now, because only the packaged Node reads the TypeScript that this file imports.
  const { rebuildSearch } = await import("./search-index.mjs");
  return withStores({ isRemote, dataDir }, async ({ db }) => {
    const changed = await rebuildSearch(db);
    const { n } = await db
      .prepare(
        `SELECT ${["activity", "session", "hut", "book", "goal", "note", "log"].map((kind) => `(SELECT count(*) FROM ${kind}_words)`).join(" + ")} AS n`,
      )
      .first();
    return { changed, n };
  });
}

try {
  await ensureInstalled();
  await withOwnNode(async () => {
    const { changed, n } = await rebuild(process.argv.slice(2));
    console.log(`The search index holds ${n} rows again; ${changed} had other words than their texts.`);
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

// `npm run search:rebuild`: makes the search index again, of the local data or, with --remote, of the deployed database.
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
  // Only the packaged Node reads TypeScript.
  const { rebuildSearch } = await import("./search-index.mjs");
  return withStores({ isRemote, dataDir }, async ({ db }) => {
    const changed = await rebuildSearch(db);
    const { n } = await db
      .prepare(
        "SELECT (SELECT count(*) FROM activity_words) + (SELECT count(*) FROM session_words) + (SELECT count(*) FROM hut_words) AS n",
      )
      .first();
    return { changed, n };
  });
}

try {
  await ensureInstalled();
  await withOwnNode(async () => {
    const { changed, n } = await rebuild(process.argv.slice(2));
    console.log(
      `The search index holds ${n} titles again; ${changed} had other pairs of letters than their title.`,
    );
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

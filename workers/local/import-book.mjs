// `npm run import:book -- file.txt`: splits a plain text into snippets and stores them as a book (D-11), in the local
// database or, with --remote, in the deployed database.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkSql, importSql, readArguments, titleOf } from "./book-import.mjs";
import { run, withOwnNode } from "./processes.mjs";
import { withStores } from "./stores.mjs";
import { dataFolder, ensureInstalled, migrate } from "./tools.mjs";

async function importBook(options) {
  // Node runs these files without a bundler, because they import others with the ending `.ts`.
  const { splitIntoSnippets } = await import("../../app/domain/items/split-book.ts");
  const { isReservedSegment, slugify } = await import("../../app/domain/slugs.ts");
  const text = readFileSync(options.file, "utf8");
  const snippets = splitIntoSnippets(text);
  if (snippets.length === 0) throw new Error(`There is no text in ${options.file}.`);
  const title = options.title || titleOf(text, basename(options.file));
  const slug = slugify(title);
  if (isReservedSegment(slug))
    throw new Error(`"${title}" is the name of a page. Choose another with --title.`);

  const execute = options.isRemote ? executeRemote : await localExecutor();
  const [{ owner, taken }] = await execute([checkSql({ slug, by: options.by })]);
  if (owner === null)
    throw new Error(
      options.by
        ? `Nobody is called ${options.by}.`
        : "There is no super admin to own the book. Name somebody with --by, or run npm run user:promote first.",
    );
  if (taken)
    throw new Error(`/${slug} is taken: the book may be here already. Choose another title with --title.`);
  await execute(importSql({ title, slug, by: options.by, snippets, now: Date.now() }));
  return { title, slug, count: snippets.length };
}

/** A function that runs statements on the local database in one transaction and returns the rows of the last. */
async function localExecutor() {
  const dataDir = dataFolder();
  await migrate(dataDir);
  return (statements) =>
    withStores({ isRemote: false, dataDir }, async ({ db }) => {
      const answers = await db.batch(statements.map((sql) => db.prepare(sql)));
      return answers.at(-1).results;
    });
}

/** Runs statements on the deployed database, from a file, because a book is longer than a command line. */
async function executeRemote(statements) {
  const options = ["--remote", "--env", "production", "--yes", "--json"];
  const folder = mkdtempSync(join(tmpdir(), "book-"));
  try {
    const file = join(folder, "book.sql");
    writeFileSync(file, statements.join("\n"));
    const isReading = statements.length === 1;
    const input = isReading ? ["--command", statements[0]] : ["--file", file];
    const output = await run("wrangler", ["d1", "execute", "DB", ...options, ...input], { quiet: true });
    // wrangler prints rows only for a command.
    if (!isReading) return [];
    return JSON.parse(output.slice(output.indexOf("["))).at(-1).results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const options = readArguments(process.argv.slice(2));
    await ensureInstalled();
    await withOwnNode(async () => {
      const { title, slug, count } = await importBook(options);
      console.log(`${title}: ${count} passages, at /books/${slug}`);
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

// `npm run import:book -- file.txt`: splits a plain text into snippets and stores them as a book (D-11), in the local
// database or, with --remote, in the deployed database.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkSql, importSql, readArguments, titleOf } from "./book-import.mjs";
import { run } from "./processes.mjs";
import { dataFolder, ensureInstalled, migrate } from "./tools.mjs";

async function importBook(asked) {
  await ensureInstalled();
  // Neither file has imports, so Node can run the TypeScript directly.
  const { splitIntoSnippets } = await import("../../app/domain/items/snippets.ts");
  const { isReservedSegment, slugify } = await import("../../app/domain/slugs.ts");
  const text = readFileSync(asked.file, "utf8");
  const snippets = splitIntoSnippets(text);
  if (snippets.length === 0) throw new Error(`There is no text in ${asked.file}.`);
  const title = asked.title || titleOf(text, basename(asked.file));
  const slug = slugify(title);
  if (isReservedSegment(slug))
    throw new Error(`"${title}" is the name of a page. Choose another with --title.`);

  const dataDir = dataFolder();
  if (!asked.isRemote) await migrate(dataDir);
  const where = asked.isRemote
    ? ["--remote", "--env", "production", "--yes"]
    : ["--local", "--persist-to", dataDir];
  const execute = (...what) =>
    run("wrangler", ["d1", "execute", "DB", ...where, "--json", ...what], { quiet: true });

  const output = await execute("--command", checkSql({ slug, by: asked.by }));
  const [{ results }] = JSON.parse(output.slice(output.indexOf("[")));
  const { owner, taken } = results[0];
  if (owner === null)
    throw new Error(
      asked.by
        ? `Nobody is called ${asked.by}.`
        : "There is no super admin to own the book. Name somebody with --by, or run npm run user:promote first.",
    );
  if (taken)
    throw new Error(`/${slug} is taken: the book may be here already. Choose another title with --title.`);

  const folder = mkdtempSync(join(tmpdir(), "book-"));
  try {
    const file = join(folder, "book.sql");
    writeFileSync(file, importSql({ title, slug, by: asked.by, snippets, now: Date.now() }).join("\n"));
    await execute("--file", file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { title, slug, count: snippets.length };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { title, slug, count } = await importBook(readArguments(process.argv.slice(2)));
    console.log(`${title}: ${count} passages, at /books/${slug}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

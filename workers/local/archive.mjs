// Writes and reads the archive of `npm run backup`: gzipped lines of JSON. The first line lists the contents; the rows of
// D1, the chat of each room and a last line with their counts follow.
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

const FORMAT = 1;
/** Archives contain personal data, so only the operator may read them. */
const PRIVATE_FOLDER_MODE = 0o700;
const PRIVATE_FILE_MODE = 0o600;

const fileStamp = (madeAt) => madeAt.replace(/\.\d+Z$/, "Z").replaceAll(":", "-");
export const archiveName = ({ source, madeAt }) => `bothy-${source}-${fileStamp(madeAt)}.ndjson.gz`;

function* linesOf({ source, madeAt, database, chats }) {
  const { tables, migrations, sequences, ledger } = database;
  yield {
    format: FORMAT,
    source,
    made_at: madeAt,
    migrations,
    tables: tables.map(({ name, columns, rows }) => ({ name, columns, rows: rows.length })),
    sequences,
    ledger,
    chats: chats.length,
  };
  for (const { name, rows } of tables) for (const values of rows) yield { table: name, values };
  for (const { session, text } of chats) yield { chat: session, text };
  yield { end: true, rows: tables.reduce((sum, { rows }) => sum + rows.length, 0), chats: chats.length };
}

/** Writes the archive and returns its path. */
export async function writeArchive(folder, backup) {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  const file = join(folder, archiveName(backup));
  const lines = Readable.from(linesOf(backup)).map((line) => `${JSON.stringify(line)}\n`);
  await pipeline(lines, createGzip(), createWriteStream(file, { mode: PRIVATE_FILE_MODE, flags: "wx" }));
  return file;
}

/** The contents of an archive. Throws for a file that is no archive, or that is cut off. */
export async function readArchive(file) {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const notWholeError = () => new Error(`${file} is no whole archive of \`npm run backup\`.`);
  let head = null;
  let end = null;
  const rows = new Map();
  const chats = [];
  const unzipped = createReadStream(file).pipe(createGunzip());
  const unzipFailure = new Promise((_, reject) => {
    unzipped.on("error", () => reject(notWholeError()));
  });
  const reading = (async () => {
    for await (const text of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
      const line = JSON.parse(text);
      if (head === null) {
        head = line;
        if (head.format !== FORMAT) throw notWholeError();
        for (const { name } of head.tables) rows.set(name, []);
      } else if (line.table) rows.get(line.table).push(line.values);
      else if (line.chat) chats.push({ session: line.chat, text: line.text });
      else end = line;
    }
  })();
  await Promise.race([reading, unzipFailure]).catch((error) => {
    throw error instanceof SyntaxError ? notWholeError() : error;
  });
  const tables = (head?.tables ?? []).map((table) => ({ ...table, rows: rows.get(table.name) }));
  const isWhole =
    end?.end === true &&
    head.chats === chats.length &&
    head.tables.every(({ name, rows: count }) => rows.get(name).length === count);
  if (!isWhole) throw notWholeError();
  const { source, made_at: madeAt, migrations, sequences, ledger } = head;
  return { source, madeAt, database: { tables, migrations, sequences, ledger }, chats };
}

// ------------------------------------------------------------------ the deleted accounts, beside the archives

const deletedListPath = (folder) => join(folder, "deleted-accounts.txt");
const LIST_HEADER =
  "# Accounts deleted so far, as id-creation. A restore deletes them again. Keep this file beside the archives.";

/** Each deleted account as `id-creation`, because another installation may use the same id. */
export const readDeleted = (folder) =>
  existsSync(deletedListPath(folder))
    ? readFileSync(deletedListPath(folder), "utf8")
        .split("\n")
        .filter((line) => /^\d+-\d+$/.test(line))
    : [];

/** Adds to the list, from which nothing is ever removed. Returns the whole list. */
export function addDeleted(folder, ids) {
  const allIds = [...new Set([...readDeleted(folder), ...ids])].sort(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
  );
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  writeFileSync(deletedListPath(folder), [LIST_HEADER, ...allIds, ""].join("\n"), {
    mode: PRIVATE_FILE_MODE,
  });
  return allIds;
}

export const folderOf = (file) => dirname(file);

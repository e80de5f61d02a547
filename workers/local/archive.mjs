// The archive of `npm run backup`: gzipped lines of JSON. The first line says what it holds, then follow the rows of
// D1, the chat of each room, and a last line with their counts.
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
/** Archives hold personal data: only the operator may read them. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

const stamp = (madeAt) => madeAt.replace(/\.\d+Z$/, "Z").replaceAll(":", "-");
export const archiveName = ({ source, madeAt }) => `bothy-${source}-${stamp(madeAt)}.ndjson.gz`;

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

/** Answers the file's path. */
export async function writeArchive(folder, backup) {
  mkdirSync(folder, { recursive: true, mode: OWN_FOLDER });
  const file = join(folder, archiveName(backup));
  const lines = Readable.from(linesOf(backup)).map((line) => `${JSON.stringify(line)}\n`);
  await pipeline(lines, createGzip(), createWriteStream(file, { mode: OWN_FILE, flags: "wx" }));
  return file;
}

/** Throws for a file that is no archive, or that is cut off. */
export async function readArchive(file) {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const refused = () => new Error(`${file} is no whole archive of \`npm run backup\`.`);
  let head = null;
  let end = null;
  const rows = new Map();
  const chats = [];
  const unzipped = createReadStream(file).pipe(createGunzip());
  const failed = new Promise((_, reject) => {
    unzipped.on("error", () => reject(refused()));
  });
  const read = (async () => {
    for await (const text of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
      const line = JSON.parse(text);
      if (head === null) {
        head = line;
        if (head.format !== FORMAT) throw refused();
        for (const { name } of head.tables) rows.set(name, []);
      } else if (line.table) rows.get(line.table).push(line.values);
      else if (line.chat) chats.push({ session: line.chat, text: line.text });
      else end = line;
    }
  })();
  await Promise.race([read, failed]).catch((error) => {
    throw error instanceof SyntaxError ? refused() : error;
  });
  const tables = (head?.tables ?? []).map((table) => ({ ...table, rows: rows.get(table.name) }));
  const isWhole =
    end?.end === true &&
    head.chats === chats.length &&
    head.tables.every(({ name, rows: count }) => rows.get(name).length === count);
  if (!isWhole) throw refused();
  const { source, made_at: madeAt, migrations, sequences, ledger } = head;
  return { source, madeAt, database: { tables, migrations, sequences, ledger }, chats };
}

// ------------------------------------------------------------------ the deleted accounts, beside the archives

const listFile = (folder) => join(folder, "deleted-accounts.txt");
const ABOUT =
  "# Accounts deleted so far, as id-creation. A restore deletes them again. Keep this file beside the archives.";

/** `id-creation` of each account: ids alone repeat in another installation. */
export const readDeleted = (folder) =>
  existsSync(listFile(folder))
    ? readFileSync(listFile(folder), "utf8")
        .split("\n")
        .filter((line) => /^\d+-\d+$/.test(line))
    : [];

/** Adds to the list; the list never shrinks. Answers all of it. */
export function addDeleted(folder, ids) {
  const all = [...new Set([...readDeleted(folder), ...ids])].sort(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
  );
  mkdirSync(folder, { recursive: true, mode: OWN_FOLDER });
  writeFileSync(listFile(folder), [ABOUT, ...all, ""].join("\n"), { mode: OWN_FILE });
  return all;
}

export const folderOf = (file) => dirname(file);

// Reads all rows of D1 in one consistent state, and fills an empty database with them.
import { createHash } from "node:crypto";

/** The table that stores the dropped triggers of a database that is being filled. A complete restore drops it. */
const TRIGGER_TABLE = "restore_triggers";
/** Up to this size of the database, a single transaction reads everything. */
const MAX_BYTES_AT_ONCE = 32_000_000;
const PAGE_ROWS = 500;
/** How often a large database is read in search of two equal reads. */
const MAX_READS = 4;
/** D1's limit for the parameters of a statement. */
const MAX_PARAMETERS = 100;
/** The most that we send in a batch, below D1's limits. */
const MAX_BATCH = { statements: 100, bytes: 1_000_000 };

const quoted = (name) => `"${name}"`;
const query = async (db, sql) => (await db.prepare(sql).all()).results;

/** The tables, each after the tables to which its foreign keys refer. */
async function readTables(db) {
  const tableList = await query(db, "PRAGMA table_list");
  const names = tableList
    .filter(({ schema, type }) => schema === "main" && type === "table")
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite_|_cf_|d1_)/.test(name) && name !== TRIGGER_TABLE)
    .sort();
  const pragmas = await db.batch(
    names.flatMap((name) => [
      // table_info leaves out generated columns, which a restore cannot insert.
      db.prepare(`PRAGMA table_info(${quoted(name)})`),
      db.prepare(`PRAGMA foreign_key_list(${quoted(name)})`),
    ]),
  );
  const tables = names.map((name, i) => {
    const columns = pragmas[2 * i].results;
    return {
      name,
      columns: columns.map((column) => column.name),
      key: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      needs: pragmas[2 * i + 1].results.map(({ table }) => table).filter((table) => table !== name),
    };
  });
  const sorted = [];
  while (sorted.length < tables.length) {
    const sortedNames = new Set(sorted.map(({ name }) => name));
    const next = tables.filter(
      ({ name, needs }) => !sortedNames.has(name) && needs.every((table) => sortedNames.has(table)),
    );
    if (next.length === 0) throw new Error("Tables refer to each other in a circle.");
    sorted.push(...next);
  }
  return sorted;
}

/** The sums of the ledger (B-12). `unequal` counts the lots whose remaining tokens differ from the sum of their entries. */
const LEDGER = `SELECT
  (SELECT coalesce(sum(granted), 0) FROM token_lots) AS granted,
  (SELECT coalesce(sum(remaining), 0) FROM token_lots) AS remaining,
  (SELECT coalesce(sum(amount), 0) FROM token_entries) AS entries,
  (SELECT coalesce(sum(remaining), 0) FROM token_pool) AS pool,
  (SELECT coalesce(sum(amount), 0) FROM pool_entries) AS pool_entries,
  (SELECT coalesce(sum(cents), 0) FROM purchases) AS cents,
  (SELECT count(*) FROM token_lots l WHERE remaining <> granted
    + (SELECT coalesce(sum(amount), 0) FROM token_entries e WHERE e.lot_id = l.id)) AS unequal`;

/** All rows, and the sums that a restore compares. Throws when a large database changes while it is read. */
export async function readDatabase(db, maxBytesAtOnce = MAX_BYTES_AT_ONCE) {
  const tables = await readTables(db);
  const { meta } = await db.prepare("SELECT 1").run();
  const { head, rows } =
    meta.size_after <= maxBytesAtOnce ? await readAtOnce(db, tables) : await readUntilUnchanged(db, tables);
  const [ledger, sequences, migrations] = head.map(({ results }) => results);
  return {
    ledger: ledger[0],
    sequences: sequences.filter(({ name }) => name !== "d1_migrations"),
    migrations: migrations.map(({ name }) => name),
    tables: tables.map(({ name, columns }, i) => ({
      name,
      columns,
      rows: rows[i].map((row) => columns.map((column) => row[column])),
    })),
  };
}

/** The statements that read the ledger's sums, the sequences and the migrations. */
const headOf = (db) =>
  [LEDGER, "SELECT name, seq FROM sqlite_sequence", "SELECT name FROM d1_migrations ORDER BY id"].map((sql) =>
    db.prepare(sql),
  );
const selectOf = ({ name, columns, key }, where = "") =>
  `SELECT ${columns.map(quoted)} FROM ${quoted(name)} ${where} ORDER BY ${key.map(quoted)}`;

/** Reads everything in a batch, which D1 runs as a transaction. */
async function readAtOnce(db, tables) {
  const answers = await db.batch([...headOf(db), ...tables.map((table) => db.prepare(selectOf(table)))]);
  return { head: answers.slice(0, 3), rows: answers.slice(3).map(({ results }) => results) };
}

/** Reads page by page until two reads in a row are equal, which proves that nothing was written meanwhile. */
async function readUntilUnchanged(db, tables) {
  let lastChecksum = "";
  for (let read = 0; read < MAX_READS; read++) {
    const head = await db.batch(headOf(db));
    const rows = [];
    const hash = createHash("sha256");
    for (const table of tables) {
      rows.push(await readPages(db, table));
      for (const row of rows.at(-1)) hash.update(JSON.stringify(row));
    }
    const checksum = hash.digest("hex");
    if (checksum === lastChecksum) return { head, rows };
    lastChecksum = checksum;
  }
  throw new Error(
    "The database changed while it was read. Stop writes (docs/operations.md, Backup), then run the backup again.",
  );
}

async function readPages(db, table) {
  const { key } = table;
  const afterLastRow = `WHERE (${key.map(quoted)}) > (${key.map(() => "?")})`;
  const rows = [];
  for (;;) {
    const last = rows.at(-1);
    const sql = `${selectOf(table, last ? afterLastRow : "")} LIMIT ${PAGE_ROWS}`;
    const { results } = await db
      .prepare(sql)
      .bind(...(last ? key.map((column) => last[column]) : []))
      .all();
    rows.push(...results);
    if (results.length < PAGE_ROWS) return rows;
  }
}

// ------------------------------------------------------------------ filling

/** Whether an earlier restore of this database was interrupted. */
const isUnfinished = async (db) =>
  (await query(db, `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '${TRIGGER_TABLE}'`)).length >
  0;

/** Throws a sentence when the database is not the one of an empty installation, with the archive's schema. */
export async function refuseUnlessEmpty(db, { migrations }) {
  const applied = (await query(db, "SELECT name FROM d1_migrations ORDER BY id")).map(({ name }) => name);
  if (applied.join() !== migrations.join())
    throw new Error(
      `The archive has the schema ${migrations.at(-1)}, this version has ${applied.at(-1)}. Check out the version that wrote the archive, restore, and update afterwards.`,
    );
  if (await isUnfinished(db)) return;
  const [{ users, sessions }] = await query(
    db,
    "SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM sessions) AS sessions",
  );
  if (users + sessions > 0)
    throw new Error(
      `This installation is not empty: it has ${users} accounts and ${sessions} sessions. A restore fills an empty installation only.`,
    );
}

/**
 * Fills the database. The triggers are dropped meanwhile, because they would count and index the rows a second time. An
 * interrupted restore begins again.
 */
export async function fillDatabase(db, { tables, sequences }) {
  const ownTables = await readTables(db);
  const isInArchive = ({ name, columns }) =>
    tables.some((table) => table.name === name && table.columns.join() === columns.join());
  const differing = ownTables.filter((table) => !isInArchive(table)).map(({ name }) => name);
  if (differing.length > 0 || ownTables.length !== tables.length)
    throw new Error(`The archive has other tables or columns than this version: ${differing.join(", ")}.`);
  await db.batch([
    db.prepare(`CREATE TABLE IF NOT EXISTS ${TRIGGER_TABLE} (name TEXT PRIMARY KEY, sql TEXT NOT NULL)`),
    db.prepare(
      `INSERT OR IGNORE INTO ${TRIGGER_TABLE} (name, sql) SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`,
    ),
  ]);
  const triggers = await query(db, `SELECT name FROM ${TRIGGER_TABLE}`);
  await db.batch([
    ...triggers.map(({ name }) => db.prepare(`DROP TRIGGER IF EXISTS ${quoted(name)}`)),
    ...ownTables.toReversed().map(({ name }) => db.prepare(`DELETE FROM ${quoted(name)}`)),
  ]);
  const rowsOf = new Map(tables.map(({ name, rows }) => [name, rows]));
  const batch = new Batch(db);
  for (const { name, columns } of ownTables) {
    const rowsPerInsert = Math.max(1, Math.floor(MAX_PARAMETERS / columns.length));
    const rows = rowsOf.get(name);
    const row = `(${columns.map(() => "?")})`;
    for (let i = 0; i < rows.length; i += rowsPerInsert) {
      const chunk = rows.slice(i, i + rowsPerInsert);
      const sql = `INSERT INTO ${quoted(name)} (${columns.map(quoted)}) VALUES ${chunk.map(() => row)}`;
      await batch.add(sql, chunk.flat());
    }
  }
  for (const { name, seq } of sequences) {
    await batch.add("DELETE FROM sqlite_sequence WHERE name = ?", [name]);
    await batch.add("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [name, seq]);
  }
  await batch.run();
}

/** Collects statements up to D1's limits. */
class Batch {
  #db;
  #statements = [];
  #bytes = 0;
  constructor(db) {
    this.#db = db;
  }
  async add(sql, values) {
    const bytes = values.reduce(
      (sum, value) => sum + (typeof value === "string" ? value.length : 8),
      sql.length,
    );
    if (this.#statements.length >= MAX_BATCH.statements || this.#bytes + bytes > MAX_BATCH.bytes)
      await this.run();
    this.#statements.push(this.#db.prepare(sql).bind(...values));
    this.#bytes += bytes;
  }
  async run() {
    if (this.#statements.length > 0) await this.#db.batch(this.#statements);
    this.#statements = [];
    this.#bytes = 0;
  }
}

/** The differences between the database and the archive, each as a sentence. */
export async function differencesFrom(db, { tables, ledger }) {
  const counts = await db.batch(
    tables.map(({ name }) => db.prepare(`SELECT count(*) AS rows FROM ${quoted(name)}`)),
  );
  const [sums] = await query(db, LEDGER);
  const broken = await query(db, "PRAGMA foreign_key_check");
  return [
    ...tables.flatMap(({ name, rows }, i) => {
      const stored = counts[i].results[0].rows;
      return stored === rows.length ? [] : [`${name} has ${stored} rows instead of ${rows.length}.`];
    }),
    ...Object.entries(ledger).flatMap(([sum, value]) =>
      sums[sum] === value ? [] : [`The ledger's ${sum} is ${sums[sum]} instead of ${value}.`],
    ),
    ...broken.map(({ table, parent }) => `A row of ${table} refers to a row of ${parent} that is missing.`),
  ];
}

/**
 * Fills the search index from the rows, then restores the triggers. It deletes API keys, which may have been revoked
 * since.
 */
export async function completeDatabase(db) {
  const { rebuildSearch } = await import("./search-index.mjs");
  await rebuildSearch(db);
  const triggers = await query(db, `SELECT sql FROM ${TRIGGER_TABLE} ORDER BY name`);
  await db.batch([
    ...triggers.map(({ sql }) => db.prepare(sql)),
    db.prepare(`DROP TABLE ${TRIGGER_TABLE}`),
    db.prepare("DELETE FROM api_keys"),
  ]);
}

/** Tables whose rows could sign a deleted account in. A deletion empties the same tables first (decision 10). */
const SIGN_IN_TABLES = [
  "api_keys",
  "logins",
  "passkeys",
  "two_step",
  "recovery_codes",
  "login_challenges",
  "password_resets",
  "confirmations",
];

/**
 * Locks the accounts of this database that were deleted since the backup, and makes their deletion due, which the nightly
 * run carries out (decision 10). `deleted` lists accounts as `id-creation`. Returns the number of accounts.
 */
export async function deleteAgain(db, deleted) {
  const { deletedEmail, isDeletedEmail } = await import("../../app/domain/accounts/deleted.ts");
  const users = await query(db, "SELECT id, created_at, email, deletion_due_at FROM users");
  const deletedAccounts = new Set(deleted);
  const due = users.filter(
    ({ id, created_at, email, deletion_due_at }) =>
      deletedAccounts.has(`${id}-${created_at}`) && (!isDeletedEmail(email) || deletion_due_at !== null),
  );
  for (const { id } of due)
    await db.batch([
      db
        .prepare("UPDATE users SET email = ?, password_hash = 'deleted', deletion_due_at = 1 WHERE id = ?")
        .bind(deletedEmail(id), id),
      ...SIGN_IN_TABLES.map((table) => db.prepare(`DELETE FROM ${table} WHERE user_id = ?`).bind(id)),
    ]);
  return due.length;
}

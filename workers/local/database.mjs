// Reads all rows of D1 in one consistent state, and fills an empty database with them.
import { createHash } from "node:crypto";

/** Triggers of a database that is being filled; the table exists until the restore is complete. */
const UNFINISHED = "restore_triggers";
/** Up to this size one transaction reads everything. */
const WHOLE_BYTES = 32_000_000;
const PAGE_ROWS = 500;
const READS = 4;
/** D1's limits: parameters of a statement, and what we send in one batch. */
const PARAMETERS = 100;
const BATCH = { statements: 100, bytes: 1_000_000 };

const quoted = (name) => `"${name}"`;
const all = async (db, sql) => (await db.prepare(sql).all()).results;

/** Tables in an order in which every row finds the rows that it refers to. */
async function readTables(db) {
  const listed = await all(db, "PRAGMA table_list");
  const names = listed
    .filter(({ schema, type }) => schema === "main" && type === "table")
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite_|_cf_|d1_)/.test(name) && name !== UNFINISHED)
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
    const done = new Set(sorted.map(({ name }) => name));
    const next = tables.filter(
      ({ name, needs }) => !done.has(name) && needs.every((table) => done.has(table)),
    );
    if (next.length === 0) throw new Error("Tables refer to each other in a circle.");
    sorted.push(...next);
  }
  return sorted;
}

/** The sums of the ledger (B-12); `unequal` counts the lots whose entries do not explain their rest. */
const LEDGER = `SELECT
  (SELECT coalesce(sum(granted), 0) FROM token_lots) AS granted,
  (SELECT coalesce(sum(remaining), 0) FROM token_lots) AS remaining,
  (SELECT coalesce(sum(amount), 0) FROM token_entries) AS entries,
  (SELECT coalesce(sum(remaining), 0) FROM token_pool) AS pool,
  (SELECT coalesce(sum(amount), 0) FROM pool_entries) AS pool_entries,
  (SELECT coalesce(sum(cents), 0) FROM purchases) AS cents,
  (SELECT count(*) FROM token_lots l WHERE remaining <> granted
    + (SELECT coalesce(sum(amount), 0) FROM token_entries e WHERE e.lot_id = l.id)) AS unequal`;

/** All rows, with what a restore compares. Throws when D1 changes while it reads a large database. */
export async function readDatabase(db, wholeBytes = WHOLE_BYTES) {
  const tables = await readTables(db);
  const { meta } = await db.prepare("SELECT 1").run();
  const { head, rows } =
    meta.size_after <= wholeBytes ? await readAtOnce(db, tables) : await readQuiet(db, tables);
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

const headOf = (db) =>
  [LEDGER, "SELECT name, seq FROM sqlite_sequence", "SELECT name FROM d1_migrations ORDER BY id"].map((sql) =>
    db.prepare(sql),
  );
const selectOf = ({ name, columns, key }, where = "") =>
  `SELECT ${columns.map(quoted)} FROM ${quoted(name)} ${where} ORDER BY ${key.map(quoted)}`;

/** Reads everything in one batch, which D1 runs as one transaction. */
async function readAtOnce(db, tables) {
  const read = await db.batch([...headOf(db), ...tables.map((table) => db.prepare(selectOf(table)))]);
  return { head: read.slice(0, 3), rows: read.slice(3).map(({ results }) => results) };
}

/** Reads page by page until two reads in a row are equal, which shows that nobody wrote meanwhile. */
async function readQuiet(db, tables) {
  let lastChecksum = "";
  for (let read = 0; read < READS; read++) {
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
  const after = `WHERE (${key.map(quoted)}) > (${key.map(() => "?")})`;
  const rows = [];
  for (;;) {
    const last = rows.at(-1);
    const sql = `${selectOf(table, last ? after : "")} LIMIT ${PAGE_ROWS}`;
    const { results } = await db
      .prepare(sql)
      .bind(...(last ? key.map((column) => last[column]) : []))
      .all();
    rows.push(...results);
    if (results.length < PAGE_ROWS) return rows;
  }
}

// ------------------------------------------------------------------ filling

/** Whether a restore began here and did not end. */
const isUnfinished = async (db) =>
  (await all(db, `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '${UNFINISHED}'`)).length > 0;

/** Throws a sentence when the database is not the one of an empty installation, with the archive's schema. */
export async function refuseUnlessEmpty(db, { migrations }) {
  const has = (await all(db, "SELECT name FROM d1_migrations ORDER BY id")).map(({ name }) => name);
  if (has.join() !== migrations.join())
    throw new Error(
      `The archive has the schema ${migrations.at(-1)}, this version has ${has.at(-1)}. Check out the version that wrote the archive, restore, and update afterwards.`,
    );
  if (await isUnfinished(db)) return;
  const [{ users, sessions }] = await all(
    db,
    "SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM sessions) AS sessions",
  );
  if (users + sessions > 0)
    throw new Error(
      `This installation is not empty: it has ${users} accounts and ${sessions} sessions. A restore fills an empty installation only.`,
    );
}

/**
 * Fills the database. Without triggers, which would count and index the rows a second time; a restore that was
 * interrupted begins again.
 */
export async function fillDatabase(db, { tables, sequences }) {
  const known = await readTables(db);
  const isSame = ({ name, columns }) =>
    tables.some((table) => table.name === name && table.columns.join() === columns.join());
  const differing = known.filter((table) => !isSame(table)).map(({ name }) => name);
  if (differing.length > 0 || known.length !== tables.length)
    throw new Error(`The archive has other tables or columns than this version: ${differing.join(", ")}.`);
  await db.batch([
    db.prepare(`CREATE TABLE IF NOT EXISTS ${UNFINISHED} (name TEXT PRIMARY KEY, sql TEXT NOT NULL)`),
    db.prepare(
      `INSERT OR IGNORE INTO ${UNFINISHED} (name, sql) SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`,
    ),
  ]);
  const triggers = await all(db, `SELECT name FROM ${UNFINISHED}`);
  await db.batch([
    ...triggers.map(({ name }) => db.prepare(`DROP TRIGGER IF EXISTS ${quoted(name)}`)),
    ...known.toReversed().map(({ name }) => db.prepare(`DELETE FROM ${quoted(name)}`)),
  ]);
  const rowsOf = new Map(tables.map(({ name, rows }) => [name, rows]));
  const batch = new Batch(db);
  for (const { name, columns } of known) {
    const rowsPerInsert = Math.max(1, Math.floor(PARAMETERS / columns.length));
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
    if (this.#statements.length >= BATCH.statements || this.#bytes + bytes > BATCH.bytes) await this.run();
    this.#statements.push(this.#db.prepare(sql).bind(...values));
    this.#bytes += bytes;
  }
  async run() {
    if (this.#statements.length > 0) await this.#db.batch(this.#statements);
    this.#statements = [];
    this.#bytes = 0;
  }
}

/** The differences between the database and the archive, as sentences. */
export async function differencesFrom(db, { tables, ledger }) {
  const counted = await db.batch(
    tables.map(({ name }) => db.prepare(`SELECT count(*) AS rows FROM ${quoted(name)}`)),
  );
  const [sums] = await all(db, LEDGER);
  const broken = await all(db, "PRAGMA foreign_key_check");
  return [
    ...tables.flatMap(({ name, rows }, i) => {
      const stored = counted[i].results[0].rows;
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
  const triggers = await all(db, `SELECT sql FROM ${UNFINISHED} ORDER BY name`);
  await db.batch([
    ...triggers.map(({ sql }) => db.prepare(sql)),
    db.prepare(`DROP TABLE ${UNFINISHED}`),
    db.prepare("DELETE FROM api_keys"),
  ]);
}

/** Tables whose rows could sign a deleted account in; decision 10 deletes the same first. */
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
 * Makes those of the deleted accounts that exist here due, and locks them: the nightly run deletes them (decision 10).
 * `deleted`: `id-creation`. Answers their number.
 */
export async function deleteAgain(db, deleted) {
  const { deletedEmail, isDeletedEmail } = await import("../../app/domain/accounts/deleted.ts");
  const users = await all(db, "SELECT id, created_at, email, deletion_due_at FROM users");
  const gone = new Set(deleted);
  const due = users.filter(
    ({ id, created_at, email, deletion_due_at }) =>
      gone.has(`${id}-${created_at}`) && (!isDeletedEmail(email) || deletion_due_at !== null),
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

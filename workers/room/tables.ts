// The tables of a room's SQLite. Migrations are appended, never changed.
const MIGRATIONS = [
  `CREATE TABLE room (key TEXT PRIMARY KEY, seq INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE people (user_id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, is_gone INTEGER NOT NULL, body TEXT NOT NULL);
   CREATE TABLE lines (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, user_id INTEGER NOT NULL, username TEXT NOT NULL,
     content TEXT NOT NULL, nonce TEXT NOT NULL, block INTEGER NOT NULL, created_at INTEGER NOT NULL,
     changed_seq INTEGER, edited_at INTEGER, removed_at INTEGER);
   CREATE INDEX line_changes ON lines (changed_seq) WHERE changed_seq IS NOT NULL;
   CREATE TABLE blocks (user_id INTEGER NOT NULL, n INTEGER NOT NULL, size INTEGER NOT NULL, since INTEGER NOT NULL,
     is_closed INTEGER NOT NULL DEFAULT 0, asked_at INTEGER, PRIMARY KEY (user_id, n)) WITHOUT ROWID;
   CREATE TABLE presence (user_id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL);
   CREATE TABLE mentions (seq INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, body TEXT NOT NULL);
   CREATE TABLE debts (what TEXT PRIMARY KEY) WITHOUT ROWID;`,
  "CREATE INDEX lines_of_logs ON lines (nonce) WHERE kind <> 'message'",
];

/** The storage key of the number of migrations that have run. */
const MIGRATION_COUNT = "tables";

export class RoomTables {
  readonly #storage: DurableObjectStorage;
  #areReady: boolean;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#areReady = this.#migrationsRun === MIGRATIONS.length;
  }

  get sql(): SqlStorage {
    return this.#storage.sql;
  }
  /** False until the first write; there is nothing to read before it. */
  get areReady(): boolean {
    return this.#areReady;
  }
  get exist(): boolean {
    return this.#migrationsRun > 0;
  }
  get #migrationsRun(): number {
    return this.#storage.kv.get<number>(MIGRATION_COUNT) ?? 0;
  }

  /** Creates the tables with the first write, so that a room without a write needs no storage. */
  prepare(): void {
    if (this.#areReady) return;
    const migrationsRun = this.#migrationsRun;
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec(MIGRATIONS.slice(migrationsRun).join("\n"));
      this.#storage.kv.put(MIGRATION_COUNT, MIGRATIONS.length);
    });
    this.#areReady = true;
  }
  /** Makes the next write create the tables again. Call it before the storage is erased. */
  forget(): void {
    this.#areReady = false;
  }

  /** Writes a row of the table `room`. */
  put(key: string, seq: number, body: unknown): void {
    this.#storage.sql.exec(
      "INSERT INTO room (key, seq, body) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET seq = excluded.seq, body = excluded.body",
      key,
      seq,
      JSON.stringify(body),
    );
  }
}

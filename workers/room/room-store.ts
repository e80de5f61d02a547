// What a room keeps in its own SQLite: its state, chat, who said it was in the mirror, chat credit. Migrations are
// appended, never changed. Everything is synchronous; `transaction` makes several writes one.
import type { RoomMessage, RoomState } from "~/domain/room";
import { instant } from "~/domain/time";

const MIGRATIONS = [
  `CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL);
   CREATE TABLE messages (seq INTEGER PRIMARY KEY, username TEXT NOT NULL, content TEXT NOT NULL, nonce TEXT NOT NULL, created_at INTEGER NOT NULL);
   CREATE UNIQUE INDEX message_said_once ON messages (username, nonce);
   CREATE TABLE credit (reference TEXT PRIMARY KEY, user_id INTEGER NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL, is_closed INTEGER NOT NULL DEFAULT 0);
   CREATE INDEX credit_by_user ON credit (user_id);`,
];

/** The state and whether the record in D1 has it yet. */
export type Kept = { state: RoomState; isMirrored: boolean };
export type Credit = { reference: string; userId: number; size: number; used: number };

type MessageRow = { seq: number; username: string; content: string; nonce: string; created_at: number };
const asMessage = (row: MessageRow): RoomMessage => ({
  seq: row.seq,
  username: row.username,
  content: row.content,
  nonce: row.nonce,
  createdAt: instant(row.created_at),
});

export class RoomStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    const done = storage.kv.get<number>("schema") ?? 0;
    for (const [i, sql] of MIGRATIONS.entries()) {
      if (i < done) continue;
      storage.transactionSync(() => {
        storage.sql.exec(sql);
        storage.kv.put("schema", i + 1);
      });
    }
  }

  transaction<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  read(): Kept | null {
    const [row] = this.#storage.sql.exec<{ body: string }>("SELECT body FROM state WHERE id = 1").toArray();
    return row ? (JSON.parse(row.body) as Kept) : null;
  }
  write(kept: Kept): void {
    this.#storage.sql.exec(
      "INSERT INTO state (id, body) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
      JSON.stringify(kept),
    );
  }

  addMessage(message: RoomMessage): void {
    const { seq, username, content, nonce, createdAt } = message;
    this.#storage.sql.exec(
      "INSERT INTO messages (seq, username, content, nonce, created_at) VALUES (?, ?, ?, ?, ?)",
      seq,
      username,
      content,
      nonce,
      createdAt,
    );
  }
  findMessage(username: string, nonce: string): RoomMessage | null {
    const [row] = this.#storage.sql
      .exec<MessageRow>("SELECT * FROM messages WHERE username = ? AND nonce = ?", username, nonce)
      .toArray();
    return row ? asMessage(row) : null;
  }
  /** Oldest first: the newest `limit` after `since` and before `before`. */
  listMessages({
    since = -1,
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: {
    since?: number;
    before?: number;
    limit: number;
  }): RoomMessage[] {
    return this.#storage.sql
      .exec<MessageRow>(
        "SELECT * FROM messages WHERE seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        since,
        before,
        limit,
      )
      .toArray()
      .reverse()
      .map(asMessage);
  }

  /** The user's block that is not used up, or null; `count` of blocks so far names the next one. */
  openCredit(userId: number): { credit: Credit | null; count: number } {
    const rows = this.#storage.sql
      .exec<{ reference: string; size: number; used: number; is_closed: number }>(
        "SELECT reference, size, used, is_closed FROM credit WHERE user_id = ?",
        userId,
      )
      .toArray();
    const open = rows.find((row) => row.is_closed === 0 && row.used < row.size);
    return {
      credit: open ? { reference: open.reference, userId, size: open.size, used: open.used } : null,
      count: rows.length,
    };
  }
  addCredit(credit: Credit): void {
    this.#storage.sql.exec(
      "INSERT INTO credit (reference, user_id, size, used) VALUES (?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING",
      credit.reference,
      credit.userId,
      credit.size,
      credit.used,
    );
  }
  useCredit(reference: string): void {
    this.#storage.sql.exec("UPDATE credit SET used = used + 1 WHERE reference = ?", reference);
  }
  /** Blocks to settle: all of a user's, or everybody's. */
  unsettledCredit(userId?: number): Credit[] {
    const rows = this.#storage.sql
      .exec<{ reference: string; user_id: number; size: number; used: number }>(
        "SELECT reference, user_id, size, used FROM credit WHERE is_closed = 0",
      )
      .toArray();
    return rows
      .filter((row) => userId === undefined || row.user_id === userId)
      .map((row) => ({ reference: row.reference, userId: row.user_id, size: row.size, used: row.used }));
  }
  reopenCredit(reference: string): void {
    this.#storage.sql.exec("UPDATE credit SET is_closed = 0 WHERE reference = ?", reference);
  }
  closeCredit(reference: string): void {
    this.#storage.sql.exec("UPDATE credit SET is_closed = 1 WHERE reference = ?", reference);
  }
}

// The messages and logs of a room in its SQLite, and the mentions that D1 lacks.

import type { CopiedLine } from "~/domain/room/chat-copy";
import type { ChatMention } from "~/domain/room/record";
import type { RoomLog } from "~/domain/room/room";
import type { HiddenPeople } from "~/domain/safety/blocks";
import type { AuthoredMessage } from "~/domain/sessions/chat";
import { type Instant, instant } from "~/domain/time";
import type { RoomTables } from "./tables";

/** The `block` of a line that nobody pays for: a log, or a line that was on all screens (J-12). */
export const FREE_BLOCK = -1;

/** A row of `lines`, whose `seq` orders it among all durable changes. `block`: the chat block that paid for it. */
export type StoredLine =
  | { kind: "message"; message: AuthoredMessage; block: number }
  | { kind: "log"; seq: number; log: RoomLog; userId: number; uuid: string }
  /**
   * A deleted log. Its id stays, for clients that show the log, and so that a late notice does not add it again. `paidAt`:
   * when it was recorded; 0 if its price was returned.
   */
  | { kind: "unlog"; seq: number; id: number; userId: number; uuid: string; paidAt: number };

/** The columns of a copied line. `changed_seq` is the `seq` of the last edit or removal. */
const COLUMNS =
  "seq, user_id, username, content, nonce, block, created_at, changed_seq, edited_at, removed_at";

const asMessage = (row: CopiedLine): AuthoredMessage => ({
  seq: row.seq,
  userId: row.user_id,
  username: row.username,
  content: row.content,
  nonce: row.nonce,
  createdAt: instant(row.created_at),
  editedAt: row.edited_at === null ? null : instant(row.edited_at),
  isRemoved: row.removed_at !== null,
});

/** An edit or removal of the line `line`, with its own `seq`. */
export type LineChange = { seq: number; line: number } & (
  | { type: "edited"; content: string; at: Instant }
  | { type: "removed"; at: Instant }
);

/** The newest `limit` lines after `since` and before `before`, without the lines of the people in `hidden`. */
type LinePage = {
  since?: number | undefined;
  before?: number | undefined;
  limit: number;
  hidden?: HiddenPeople | undefined;
};
const IS_ROW_OF_LOG = "kind <> 'message' AND (nonce = ? OR (nonce = '' AND content ->> '$.id' = ?))";
/** Rows read at a time. */
const ROWS_PER_READ = 500;

export class LineStore {
  readonly #tables: RoomTables;

  constructor(tables: RoomTables) {
    this.#tables = tables;
  }

  /** The rows of a query; none before the first write, which creates the tables. */
  #rows<T extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): T[] {
    return this.#tables.areReady ? this.#tables.sql.exec<T>(query, ...values).toArray() : [];
  }

  addLine(line: StoredLine): void {
    if (line.kind === "message") this.#addMessage(line);
    else if (line.kind === "log") this.#addLog(line, line.log.username, line.log.createdAt, line.log);
    else this.#addLog(line, "", line.paidAt, { id: line.id });
  }
  #addMessage({ message, block }: Extract<StoredLine, { kind: "message" }>): void {
    const { seq, userId, username, content, nonce, createdAt } = message;
    this.#tables.sql.exec(
      `INSERT INTO lines (seq, kind, user_id, username, content, nonce, block, created_at)
       VALUES (?, 'message', ?, ?, ?, ?, ?, ?)`,
      seq,
      userId,
      username,
      content,
      nonce,
      block,
      createdAt,
    );
  }
  /** The nonce of a log is its uuid; logs of an earlier release have none. */
  #addLog(
    { kind, seq, userId, uuid }: Extract<StoredLine, { kind: "log" | "unlog" }>,
    username: string,
    at: number,
    content: RoomLog | { id: number },
  ): void {
    this.#tables.sql.exec(
      `INSERT INTO lines (seq, kind, user_id, username, content, nonce, block, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ${FREE_BLOCK}, ?)`,
      seq,
      kind,
      userId,
      username,
      JSON.stringify(content),
      uuid,
      at,
    );
  }
  /** The rows of a log: several only where an earlier release added a row with each change. A deleted log is null. */
  rowsOfLog({ uuid, id }: { uuid: string; id: number }): { userId: number; log: RoomLog | null }[] {
    return this.#rows<{ kind: string; user_id: number; content: string }>(
      `SELECT kind, user_id, content FROM lines WHERE ${IS_ROW_OF_LOG} ORDER BY seq`,
      uuid,
      id,
    ).map(({ kind, user_id, content }) => ({
      userId: user_id,
      log: kind === "log" ? (JSON.parse(content) as RoomLog) : null,
    }));
  }
  dropLog({ uuid, id }: { uuid: string; id: number }): void {
    this.#tables.sql.exec(`DELETE FROM lines WHERE ${IS_ROW_OF_LOG}`, uuid, id);
  }
  /** The ids of logs that were removed after `since`, the newest first. */
  listUnlogged(since: number): number[] {
    return this.#rows<{ id: number }>(
      "SELECT content ->> '$.id' AS id FROM lines WHERE kind = 'unlog' AND seq > ? ORDER BY seq DESC LIMIT ?",
      since,
      ROWS_PER_READ,
    ).map(({ id }) => id);
  }

  #page(kind: "message" | "log", { since = -1, before, limit, hidden }: LinePage): CopiedLine[] {
    return this.#rows<CopiedLine>(
      `SELECT ${COLUMNS} FROM lines WHERE kind = ? AND seq > ? AND seq < ?
         AND user_id NOT IN (SELECT value FROM json_each(?))
       ORDER BY seq DESC LIMIT ?`,
      kind,
      since,
      before ?? Number.MAX_SAFE_INTEGER,
      JSON.stringify([...(hidden?.ids ?? [])]),
      limit,
    ).reverse();
  }
  /** Messages in ascending order of `seq`. */
  listMessages(page: LinePage): AuthoredMessage[] {
    return this.#page("message", page).map(asMessage);
  }
  /** Logs in ascending order of `seq`. */
  listLogs(page: Omit<LinePage, "before">): RoomLog[] {
    return this.#page("log", page).map(({ content }) => JSON.parse(content) as RoomLog);
  }
  /** The lines that were on all screens, in ascending order, without removed ones. */
  listHostLines(limit: number): AuthoredMessage[] {
    return this.#rows<CopiedLine>(
      `SELECT ${COLUMNS} FROM lines WHERE kind = 'message' AND block = ${FREE_BLOCK} AND removed_at IS NULL
       ORDER BY seq DESC LIMIT ?`,
      limit,
    )
      .reverse()
      .map(asMessage);
  }
  /**
   * Counts a person's lines and logs, deleted ones as well unless their price was returned, but no further than `most`.
   * `except`: a kind that is not counted.
   */
  countWritten(userId: number, most: number, except = ""): number {
    const [row] = this.#rows<{ n: number }>(
      "SELECT count(*) AS n FROM (SELECT 1 FROM lines WHERE user_id = ? AND created_at > 0 AND kind <> ? LIMIT ?)",
      userId,
      except,
      most,
    );
    return row?.n ?? 0;
  }
  countMessages(): number {
    const [row] = this.#rows<{ n: number }>("SELECT count(*) AS n FROM lines WHERE kind = 'message'");
    return row?.n ?? 0;
  }
  findMessage(seq: number): AuthoredMessage | null {
    const [row] = this.#rows<CopiedLine>(
      `SELECT ${COLUMNS} FROM lines WHERE seq = ? AND kind = 'message'`,
      seq,
    );
    return row ? asMessage(row) : null;
  }
  /** The author's messages in ascending order, without removed messages. */
  listMessagesOf({
    userId,
    after,
    limit,
  }: {
    userId: number;
    after: number;
    limit: number;
  }): AuthoredMessage[] {
    return this.#rows<CopiedLine>(
      `SELECT ${COLUMNS} FROM lines WHERE seq > ? AND user_id = ? AND kind = 'message' AND removed_at IS NULL
       ORDER BY seq LIMIT ?`,
      after,
      userId,
      limit,
    ).map(asMessage);
  }
  /** Renames the author of all lines, and erases the text of their logs. */
  renameAuthor({ userId, username }: { userId: number; username: string }): void {
    if (!this.#tables.areReady) return;
    this.#tables.sql.exec(
      "UPDATE lines SET username = ? WHERE user_id = ? AND kind = 'message'",
      username,
      userId,
    );
    this.#tables.sql.exec(
      `UPDATE lines SET username = ?, content = json_set(content, '$.username', ?, '$.title', '', '$.goalTitle', '')
       WHERE user_id = ? AND kind = 'log'`,
      username,
      username,
      userId,
    );
    this.#tables.sql.exec("DELETE FROM mentions WHERE user_id = ?", userId);
  }
  /** Stores the change. An edited line has only its new text, and a removed line has none. */
  changeLine(change: LineChange): void {
    const isEdit = change.type === "edited";
    this.#tables.sql.exec(
      `UPDATE lines SET content = ?, changed_seq = ?, ${isEdit ? "edited_at" : "removed_at"} = ? WHERE seq = ?`,
      isEdit ? change.content : "",
      change.seq,
      change.at,
      change.line,
    );
  }
  /** Edits and removals after `since` of lines up to `since`, in ascending order: the newest `limit`. */
  listChanges({ since, limit }: { since: number; limit: number }): LineChange[] {
    return this.#rows<CopiedLine>(
      `SELECT ${COLUMNS} FROM lines WHERE changed_seq IS NOT NULL AND changed_seq > ? AND seq <= ?
       ORDER BY changed_seq DESC LIMIT ?`,
      since,
      since,
      limit,
    )
      .reverse()
      .map((row) => {
        const seq = row.changed_seq ?? 0;
        return row.removed_at === null
          ? { type: "edited", seq, line: row.seq, content: row.content, at: instant(row.edited_at ?? 0) }
          : { type: "removed", seq, line: row.seq, at: instant(row.removed_at) };
      });
  }
  /** When each person last sent or edited a line since `since`. An edit follows its line by at most `editWindow` ms. */
  lastSentByUser(since: Instant, editWindow: number): Map<number, Instant> {
    const lastSent = new Map<number, Instant>();
    for (let before: number | undefined; ; ) {
      const page = this.#page("message", { before, limit: ROWS_PER_READ });
      for (const { user_id, created_at, edited_at } of page) {
        const at = Math.max(created_at, edited_at ?? 0, lastSent.get(user_id) ?? 0);
        if (at >= since) lastSent.set(user_id, instant(at));
      }
      const [first] = page;
      if (!first || page.length < ROWS_PER_READ || first.created_at < since - editWindow) return lastSent;
      before = first.seq;
    }
  }
  /** Author and nonce of the newest lines, in ascending order. */
  recentNonces(limit: number): { userId: number; nonce: string }[] {
    return this.#page("message", { limit }).map(({ user_id, nonce }) => ({ userId: user_id, nonce }));
  }

  /** All messages, as they are on disk. */
  exportMessages(): CopiedLine[] {
    return this.#rows<CopiedLine>(`SELECT ${COLUMNS} FROM lines WHERE kind = 'message' ORDER BY seq`);
  }
  /** Inserts messages into a room that has none. */
  importMessages(lines: readonly CopiedLine[]): void {
    for (const line of lines)
      this.#tables.sql.exec(
        `INSERT INTO lines (kind, ${COLUMNS}) VALUES ('message', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        line.seq,
        line.user_id,
        line.username,
        line.content,
        line.nonce,
        line.block,
        line.created_at,
        line.changed_seq,
        line.edited_at,
        line.removed_at,
      );
  }

  // ------------------------------------------------------------------ mentions (N-26)

  addMention(mention: ChatMention): void {
    const { seq, userId } = mention;
    this.#tables.sql.exec(
      "INSERT INTO mentions (seq, user_id, body) VALUES (?, ?, ?)",
      seq,
      userId,
      JSON.stringify(mention),
    );
  }
  /** The oldest mentions first. */
  listMentions(limit: number): ChatMention[] {
    return this.#rows<{ body: string }>("SELECT body FROM mentions ORDER BY seq LIMIT ?", limit).map(
      ({ body }) => JSON.parse(body) as ChatMention,
    );
  }
  /** Deletes the mentions up to this `seq`. */
  dropMentions(until: number): void {
    this.#tables.sql.exec("DELETE FROM mentions WHERE seq <= ?", until);
  }
}

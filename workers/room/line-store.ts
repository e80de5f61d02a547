// The messages and logs of a room in its SQLite, in the order of all durable changes, and the mentions that D1 lacks.
import type { Hidden } from "~/domain/blocks";
import type { CopiedLine } from "~/domain/chat-copy";
import type { AuthoredMessage, RoomLog } from "~/domain/room";
import type { ChatMention } from "~/domain/room-record";
import { type Instant, instant } from "~/domain/time";
import type { RoomTables } from "./room-tables";

/** The most lines of a row, and the characters after which a row takes no more. Deployed rows end at 2,000,000 bytes. */
const SHARED = { lines: 100, characters: 100_000 } as const;

/** A message or a log, in the order of all durable changes. `block`: the chat block that paid for it. */
export type StoredLine =
  | { kind: "message"; message: AuthoredMessage; block: number }
  | { kind: "log"; seq: number; log: RoomLog; userId: number };

/** `changed_seq` is the `seq` of the last edit or removal. */
type LineRow = CopiedLine & {
  kind: string;
  /** The further messages of the same tick, as JSON, in order; an edit or removal gives each a row of its own first. */
  more: string | null;
};
const AS_SENT = { changed_seq: null, edited_at: null, removed_at: null } as const;
type SentLine = Omit<CopiedLine, keyof typeof AS_SENT>;
/** The messages of a row, in order. */
function linesIn({ more, kind: _, ...first }: LineRow): CopiedLine[] {
  if (more === null) return [first];
  return [first, ...(JSON.parse(more) as SentLine[]).map((line) => ({ ...line, ...AS_SENT }))];
}
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

/** An edit or removal of a line, with its own `seq`. */
export type LineChange = { seq: number; line: number } & (
  | { type: "edited"; content: string; at: Instant }
  | { type: "removed"; at: Instant }
);

/** Lines after `since` and before `before`, without the lines of the people in `hidden`. */
type LinePage = {
  since?: number | undefined;
  before?: number | undefined;
  limit: number;
  hidden?: Hidden | undefined;
};
type Rows = { since?: number | undefined; before?: number | undefined; chunk: number };
/** Rows read at a time. */
const CHUNK = 500;
const OLDEST = Number.MIN_SAFE_INTEGER;

export class LineStore {
  readonly #tables: RoomTables;

  constructor(tables: RoomTables) {
    this.#tables = tables;
  }

  /** The lines of a tick: its messages share rows. */
  addLines(lines: readonly StoredLine[]): void {
    const sent: SentLine[] = [];
    for (const line of lines)
      if (line.kind === "log") this.#addLog(line);
      else {
        const { seq, userId: user_id, username, content, nonce, createdAt: created_at } = line.message;
        sent.push({ seq, user_id, username, content, nonce, block: line.block, created_at });
      }
    for (const [first, ...more] of shared(sent)) this.#addMessage(first, more);
  }
  #addLog({ log, seq, userId }: Extract<StoredLine, { kind: "log" }>): void {
    this.#tables.sql.exec(
      `INSERT INTO lines (seq, kind, user_id, username, content, nonce, block, created_at)
       VALUES (?, 'log', ?, ?, ?, '', -1, ?)`,
      seq,
      userId,
      log.username,
      JSON.stringify(log),
      log.createdAt,
    );
  }
  #addMessage(line: SentLine, more: readonly SentLine[]): void {
    this.#tables.sql.exec(
      `INSERT INTO lines (seq, kind, user_id, username, content, nonce, block, created_at, more)
       VALUES (?, 'message', ?, ?, ?, ?, ?, ?, ?)`,
      line.seq,
      line.user_id,
      line.username,
      line.content,
      line.nonce,
      line.block,
      line.created_at,
      more.length > 0 ? JSON.stringify(more) : null,
    );
  }

  /**
   * Rows with lines after `since` and before `before`, newest first, read `chunk` at a time: a cursor that is left open
   * would hold the storage. The first and the last row may have further lines.
   */
  *#rows(kind: "message" | "log", { since = OLDEST, before = Number.MAX_SAFE_INTEGER, chunk }: Rows) {
    if (!this.#tables.areReady) return;
    for (let from = before; ; ) {
      const rows: LineRow[] = this.#tables.sql
        .exec<LineRow>(
          `SELECT * FROM lines WHERE kind = ?1 AND seq < ?2
             AND seq >= coalesce((SELECT seq FROM lines WHERE seq <= ?3 AND kind = ?1 ORDER BY seq DESC LIMIT 1), ?3)
           ORDER BY seq DESC LIMIT ?4`,
          kind,
          from,
          since,
          chunk,
        )
        .toArray();
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < chunk) return;
      from = last.seq;
    }
  }
  /** Messages after `since` and before `before`, newest first. */
  *newestFirst({ since = OLDEST, before = Number.MAX_SAFE_INTEGER, chunk = CHUNK }: Partial<Rows> = {}) {
    for (const row of this.#rows("message", { since, before, chunk }))
      for (const line of linesIn(row).reverse()) if (line.seq > since && line.seq < before) yield line;
  }
  /** In ascending order: the newest `limit` messages after `since` and before `before`. */
  listMessages({ since = -1, before, limit, hidden }: LinePage): AuthoredMessage[] {
    const found: AuthoredMessage[] = [];
    for (const line of this.newestFirst({ since, before, chunk: Math.min(limit + 1, CHUNK) })) {
      if (found.length === limit) break;
      if (!isHidden(line, hidden)) found.push(asMessage(line));
    }
    return found.reverse();
  }
  /** In ascending order: the newest `limit` logs after `since`. */
  listLogs({ since = -1, limit, hidden }: Omit<LinePage, "before">): RoomLog[] {
    const found: RoomLog[] = [];
    for (const row of this.#rows("log", { since, chunk: Math.min(limit + 1, CHUNK) })) {
      if (found.length === limit || row.seq <= since) break;
      if (!isHidden(row, hidden)) found.push(JSON.parse(row.content) as RoomLog);
    }
    return found.reverse();
  }
  countMessages(): number {
    if (!this.#tables.areReady) return 0;
    return this.#tables.sql
      .exec<{ n: number }>(
        "SELECT total(1 + coalesce(json_array_length(more), 0)) AS n FROM lines WHERE kind = 'message'",
      )
      .one().n;
  }
  /** The row that contains the message with this `seq`, if there is such a message. */
  #rowOf(seq: number): LineRow | null {
    if (!this.#tables.areReady) return null;
    const [row] = this.#tables.sql
      .exec<LineRow>("SELECT * FROM lines WHERE seq <= ? AND kind = 'message' ORDER BY seq DESC LIMIT 1", seq)
      .toArray();
    return row && linesIn(row).some((line) => line.seq === seq) ? row : null;
  }
  findMessage(seq: number): AuthoredMessage | null {
    const row = this.#rowOf(seq);
    const line = row && linesIn(row).find((one) => one.seq === seq);
    return line ? asMessage(line) : null;
  }
  linesOf({ userId, after, limit }: { userId: number; after: number; limit: number }): AuthoredMessage[] {
    if (!this.#tables.areReady) return [];
    const found: AuthoredMessage[] = [];
    const chunk = Math.min(limit, CHUNK);
    for (let from = this.#firstRowAfter(after); ; ) {
      const rows: LineRow[] = this.#tables.sql
        .exec<LineRow>(
          `SELECT * FROM lines WHERE seq >= ? AND kind = 'message' AND (user_id = ? OR more IS NOT NULL)
           ORDER BY seq LIMIT ?`,
          from,
          userId,
          chunk,
        )
        .toArray();
      for (const line of rows.flatMap(linesIn)) {
        if (line.seq <= after || line.user_id !== userId || line.removed_at !== null) continue;
        found.push(asMessage(line));
        if (found.length === limit) return found;
      }
      const last = rows.at(-1);
      if (!last || rows.length < chunk) return found;
      from = last.seq + 1;
    }
  }
  /** Where to begin reading for the messages after `seq`: its own row may contain some. */
  #firstRowAfter(seq: number): number {
    const [row] = this.#tables.sql
      .exec<{ seq: number }>(
        "SELECT seq FROM lines WHERE seq <= ? AND kind = 'message' ORDER BY seq DESC LIMIT 1",
        seq,
      )
      .toArray();
    return row?.seq ?? seq;
  }
  /** Gives each message of a shared row a row of its own, so that it can change. */
  #part(row: LineRow): void {
    if (row.more === null) return;
    const [first, ...others] = linesIn(row);
    if (!first) return;
    this.#tables.sql.exec("UPDATE lines SET more = NULL WHERE seq = ?", first.seq);
    for (const line of others) this.#addMessage(line, []);
  }
  /**
   * Renames the author of all lines, and erases the text of their logs. `former`: the name in logs without a user's
   * id.
   */
  renameAuthor({ userId, username, former }: { userId: number; username: string; former: string }): void {
    if (!this.#tables.areReady) return;
    const rows = this.#tables.sql.exec<LineRow>("SELECT * FROM lines WHERE more IS NOT NULL").toArray();
    for (const row of rows) if (linesIn(row).some((line) => line.user_id === userId)) this.#part(row);
    this.#tables.sql.exec(
      "UPDATE lines SET username = ? WHERE user_id = ? AND kind = 'message'",
      username,
      userId,
    );
    this.#tables.sql.exec(
      `UPDATE lines SET username = ?, content = json_set(content, '$.username', ?, '$.title', '', '$.goalTitle', '')
       WHERE kind = 'log' AND (user_id = ? OR (user_id = 0 AND username = ?))`,
      username,
      username,
      userId,
      former,
    );
    this.#tables.sql.exec("DELETE FROM mentions WHERE user_id = ?", userId);
  }
  /** An edited line holds only its new text; a removed line holds none. */
  changeLine(change: LineChange): void {
    const row = this.#rowOf(change.line);
    if (row) this.#part(row);
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
    if (!this.#tables.areReady) return [];
    return this.#tables.sql
      .exec<LineRow>(
        "SELECT * FROM lines WHERE changed_seq IS NOT NULL AND changed_seq > ? AND seq <= ? ORDER BY changed_seq DESC LIMIT ?",
        since,
        since,
        limit,
      )
      .toArray()
      .reverse()
      .map((row) => {
        const seq = row.changed_seq ?? 0;
        return row.removed_at === null
          ? { type: "edited", seq, line: row.seq, content: row.content, at: instant(row.edited_at ?? 0) }
          : { type: "removed", seq, line: row.seq, at: instant(row.removed_at) };
      });
  }
  /** When each person last sent or edited a line since then; an edit comes at most `editable` after its line. */
  lastSentByUser(since: Instant, editable: number): Map<number, Instant> {
    const said = new Map<number, Instant>();
    for (const { user_id, created_at, edited_at } of this.newestFirst()) {
      if (created_at < since - editable) break;
      const at = Math.max(created_at, edited_at ?? 0, said.get(user_id) ?? 0);
      if (at >= since) said.set(user_id, instant(at));
    }
    return said;
  }
  /** Author and nonce of the newest lines. */
  recentNonces(limit: number): { userId: number; nonce: string }[] {
    const found: { userId: number; nonce: string }[] = [];
    for (const { user_id, nonce } of this.newestFirst({ chunk: Math.min(limit, CHUNK) })) {
      if (found.length === limit) break;
      found.push({ userId: user_id, nonce });
    }
    return found.reverse();
  }

  /** All messages, as they are on disk. */
  copied(): CopiedLine[] {
    return [...this.newestFirst()].reverse();
  }
  /** Fills a room without lines. */
  addCopied(lines: readonly CopiedLine[]): void {
    for (const line of lines) {
      this.#addMessage(line, []);
      if (line.changed_seq === null) continue;
      this.#tables.sql.exec(
        "UPDATE lines SET changed_seq = ?, edited_at = ?, removed_at = ? WHERE seq = ?",
        line.changed_seq,
        line.edited_at,
        line.removed_at,
        line.seq,
      );
    }
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
  /** The oldest. */
  listMentions(limit: number): ChatMention[] {
    if (!this.#tables.areReady) return [];
    return this.#tables.sql
      .exec<{ body: string }>("SELECT body FROM mentions ORDER BY seq LIMIT ?", limit)
      .toArray()
      .map(({ body }) => JSON.parse(body) as ChatMention);
  }
  dropMentions(until: number): void {
    this.#tables.sql.exec("DELETE FROM mentions WHERE seq <= ?", until);
  }
}

const isHidden = (line: { user_id: number; username: string }, hidden: Hidden | null | undefined): boolean =>
  hidden != null &&
  // Rooms from before ids were stored have logs without a user's id.
  (hidden.ids.has(line.user_id) || (line.user_id === 0 && hidden.names.has(line.username)));

/** The messages of each row. */
function shared(lines: readonly SentLine[]): [SentLine, ...SentLine[]][] {
  const rows: [SentLine, ...SentLine[]][] = [];
  let characters = 0;
  for (const line of lines) {
    const last = rows.at(-1);
    if (last && last.length < SHARED.lines && characters < SHARED.characters) last.push(line);
    else {
      rows.push([line]);
      characters = 0;
    }
    characters += line.content.length;
  }
  return rows;
}

// The SQLite storage of a room: run, texts, people, lines and chat blocks. Migrations are appended, never
// changed; each row carries the `seq` of its last change, so a reconnecting client can receive what it missed.
import type { BlockPair, Hidden } from "~/domain/blocks";
import { asSlowMode, type BlockKey, blockKey, type ChatBlock } from "~/domain/chat";
import type { ChatCopy, CopiedBlock, CopiedLine } from "~/domain/chat-copy";
import { NOBODY_YET, type Presence } from "~/domain/presence";
import type { AuthoredMessage, HostText, RoomLog, RoomParticipant, RoomState } from "~/domain/room";
import type { ChatMention, Unrecorded } from "~/domain/room-record";
import { type Instant, instant } from "~/domain/time";

const MIGRATIONS = [
  `CREATE TABLE room (key TEXT PRIMARY KEY, seq INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE people (user_id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, is_gone INTEGER NOT NULL, body TEXT NOT NULL);
   CREATE TABLE lines (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, user_id INTEGER NOT NULL, username TEXT NOT NULL,
     content TEXT NOT NULL, nonce TEXT NOT NULL, block INTEGER NOT NULL, created_at INTEGER NOT NULL);
   CREATE TABLE blocks (user_id INTEGER NOT NULL, n INTEGER NOT NULL, size INTEGER NOT NULL, since INTEGER NOT NULL,
     is_closed INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (user_id, n)) WITHOUT ROWID;`,
  `ALTER TABLE lines ADD COLUMN changed_seq INTEGER;
   ALTER TABLE lines ADD COLUMN edited_at INTEGER;
   ALTER TABLE lines ADD COLUMN removed_at INTEGER;
   CREATE INDEX line_changes ON lines (changed_seq) WHERE changed_seq IS NOT NULL;`,
  "ALTER TABLE blocks ADD COLUMN asked_at INTEGER;",
  "CREATE TABLE presence (user_id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL);",
  "CREATE TABLE mentions (seq INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, body TEXT NOT NULL);",
  "ALTER TABLE lines ADD COLUMN more TEXT;",
];

/** The most lines of a row, and the characters after which a row takes no more. Deployed rows end at 2,000,000 bytes. */
const SHARED = { lines: 100, characters: 100_000 } as const;

/** The key of the ended logins; a room without tables may have them. */
const ENDED_LOGINS = "ended-logins";
/** The key of the names of the leaves. */
const LEAVES = "leaves";

/**
 * The values of `blocks.is_closed`. An asked block may be paid already or not; its size is 0, and the column `asked_at`
 * of a block that was reserved before a line needed it says when.
 */
const BLOCK = { open: 0, closed: 1, settled: 2, asked: 3 } as const;
/** The key of the `seq` at which all blocks were closed: one row instead of one for each block. */
const CLOSED_BLOCKS = "closed-blocks";
/** Blocks from after that. */
const IS_LATER = `since > coalesce((SELECT seq FROM room WHERE key = '${CLOSED_BLOCKS}'), -1)`;
const IS_OPEN = `is_closed = ${BLOCK.open} AND ${IS_LATER}`;
const IS_OPEN_OR_ASKED = `is_closed IN (${BLOCK.open}, ${BLOCK.asked}) AND ${IS_LATER}`;

/**
 * A participant's row. `seq`: the last change. `isGone` keeps the row of a leaver, for clients that missed it.
 */
export type StoredPerson = { person: RoomParticipant; seq: number; isGone: boolean };

/** The room as it is stored, and what D1 does not have yet. */
export type StoredRoom = {
  state: RoomState;
  /** `seq` of the last change of the run and of the texts. */
  runSeq: number;
  textsSeq: number;
  people: ReadonlyMap<number, StoredPerson>;
  /** Pairs of people hidden from each other, and `seq` of the last change; -1: there was never a pair. */
  hiding: readonly BlockPair[];
  hidingSeq: number;
  /** `seq` of the begin of the run, which cleared the ready marks of earlier rows; -1: it has not begun. */
  begunSeq: number;
  unrecorded: ReadonlySet<Unrecorded>;
  /** D1 has refused `unrecorded`, so the disk must say that it is still owed. */
  isOverdue: boolean;
  /** The newest chat line, edit or removal; 0: there is none. */
  saidSeq: number;
  /** The `saidSeq` of the copy outside the room; 0: there is no copy, STALE: a line in it has changed. */
  copiedSeq: number;
  /** The first line that the copy lacks; null: it has all lines. */
  uncopiedSince: Instant | null;
};
export const STALE = -1;

/** A message or a log, in the order of all durable changes. `block`: the chat block that paid for it. */
export type StoredLine =
  | { kind: "message"; message: AuthoredMessage; block: number }
  | { kind: "log"; seq: number; log: RoomLog; userId: number };

/** A stored chat block. `since` is the seq before its first message. */
export type Block = ChatBlock & { since: number };
export type OpenBlock = Block & { used: number };

/** The run's row. `begunSeq` and `isOverdue` are missing in older rows. */
type RunBody = Run & { unrecorded: Unrecorded[]; begunSeq?: number; isOverdue?: boolean };
/**
 * Debts whose payment is written at once. The others stay on disk until the run's row is written again: D1 knows which
 * version of the run it has.
 */
export const isNoted = (what: Unrecorded): boolean => what === "chat" || what === "mentions";

type Texts = Pick<RoomState, "title" | "content" | "contentHtml" | "summary" | "prompt">;
type Run = Omit<RoomState, keyof Texts | "hostText" | "participants" | "seq">;

const textsOf = ({ title, content, contentHtml, summary, prompt }: RoomState): Texts => ({
  title,
  content,
  contentHtml,
  summary,
  prompt,
});
function runOf(state: RoomState): Run {
  const { title, content, contentHtml, summary, prompt, hostText, participants, seq, ...run } = state;
  return run;
}

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

export class RoomStore {
  readonly #storage: DurableObjectStorage;
  #isReady: boolean;
  #ended: Map<string, number> | null = null;
  /** As stored; read once, with the first arrival of a process. */
  #presence: Map<number, Presence> | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#isReady = (storage.kv.get<number>("tables") ?? 0) === MIGRATIONS.length;
  }

  transaction<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  /** Creates the tables with the first write, so that a room nobody used leaves no storage behind. */
  #prepare(): void {
    if (this.#isReady) return;
    const done = this.#storage.kv.get<number>("tables") ?? 0;
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec(MIGRATIONS.slice(done).join("\n"));
      this.#storage.kv.put("tables", MIGRATIONS.length);
    });
    this.#isReady = true;
  }

  /** Erases the storage of a deleted session. */
  async forget(): Promise<void> {
    this.#isReady = false;
    this.#ended = null;
    this.#presence = null;
    const { kv } = this.#storage;
    if ((kv.get<number>("tables") ?? 0) === 0 && kv.get(ENDED_LOGINS) === undefined) return;
    await this.#storage.deleteAll();
  }

  /** The ended logins, and until when a ticket of each may be valid. */
  #endedLogins(): Map<string, number> {
    this.#ended ??= new Map(this.#storage.kv.get<[string, number][]>(ENDED_LOGINS) ?? []);
    return this.#ended;
  }
  hasLoginEnded(loginHash: string, now: Instant): boolean {
    return (this.#endedLogins().get(loginHash) ?? 0) > now;
  }
  endLogins(loginHashes: readonly string[], until: Instant, now: Instant): void {
    const ended = this.#endedLogins();
    for (const [hash, end] of ended) if (end <= now) ended.delete(hash);
    for (const hash of loginHashes) ended.set(hash, until);
    this.#storage.kv.put(ENDED_LOGINS, [...ended]);
  }

  /** The leaves that may carry sockets of this room. */
  leaves(): string[] {
    return this.#storage.kv.get<string[]>(LEAVES) ?? [];
  }
  setLeaves(names: readonly string[]): void {
    if (names.length > 0) this.#storage.kv.put(LEAVES, names);
    else this.#storage.kv.delete(LEAVES);
  }

  /**
   * `hasSlept`: the room wakes from hibernation, so what it owed D1 has been paid unless it is overdue. After a restart
   * nobody knows.
   */
  read({ hasSlept }: { hasSlept: boolean }): StoredRoom | null {
    if ((this.#storage.kv.get<number>("tables") ?? 0) === 0) return null;
    this.#prepare();
    const { sql } = this.#storage;
    const rows = sql.exec<{ key: string; seq: number; body: string }>("SELECT * FROM room").toArray();
    const run = rows.find((row) => row.key === "run");
    const texts = rows.find((row) => row.key === "texts");
    const hostText = rows.find((row) => row.key === "host-text");
    const hiding = rows.find((row) => row.key === "hiding");
    const copied = rows.find((row) => row.key === "copied");
    const closed = rows.find((row) => row.key === CLOSED_BLOCKS);
    if (!run || !texts) return null;
    const {
      unrecorded: owed,
      begunSeq = -1,
      isOverdue = false,
      ...runBody
    } = JSON.parse(run.body) as RunBody;
    const people = new Map(
      sql
        .exec<{ user_id: number; seq: number; is_gone: number; body: string }>("SELECT * FROM people")
        .toArray()
        .map((row): [number, StoredPerson] => {
          const person = JSON.parse(row.body) as RoomParticipant;
          const stored = { person, seq: row.seq, isGone: row.is_gone === 1 };
          const isCleared = person.isReady && !stored.isGone && row.seq < begunSeq;
          return [
            row.user_id,
            isCleared ? { ...stored, person: { ...person, isReady: false }, seq: begunSeq } : stored,
          ];
        }),
    );
    const participants = [...people.values()]
      .filter((stored) => !stored.isGone)
      .map((stored) => stored.person)
      .sort((a, b) => a.joinedAt - b.joinedAt || a.userId - b.userId);
    const log = sql
      .exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM lines WHERE kind = 'log'")
      .one().seq;
    const changed = sql
      .exec<{ seq: number | null }>("SELECT max(changed_seq) AS seq FROM lines WHERE changed_seq IS NOT NULL")
      .one().seq;
    const [said] = this.listMessages({ limit: 1 });
    const [uncopied] = sql
      .exec<{ created_at: number }>(
        "SELECT created_at FROM lines WHERE seq > ? AND kind = 'message' ORDER BY seq LIMIT 1",
        copied?.seq ?? 0,
      )
      .toArray();
    const seq = Math.max(
      run.seq,
      texts.seq,
      log ?? 0,
      said?.seq ?? 0,
      changed ?? 0,
      hiding?.seq ?? 0,
      closed?.seq ?? 0,
      ...[...people.values()].map((stored) => stored.seq),
    );
    return {
      state: {
        ...runBody,
        // A room stored before this field existed is closed until it has read D1.
        hasCode: runBody.hasCode ?? true,
        isPrivate: runBody.isPrivate ?? true,
        slowMode: asSlowMode(runBody.slowMode),
        mutes: runBody.mutes ?? [],
        needsHost: runBody.needsHost ?? false,
        ...(JSON.parse(texts.body) as Texts),
        hostText: hostText ? (JSON.parse(hostText.body) as HostText) : null,
        seq,
        participants,
      },
      runSeq: run.seq,
      textsSeq: texts.seq,
      people,
      hiding: hiding ? (JSON.parse(hiding.body) as BlockPair[]) : [],
      hidingSeq: hiding?.seq ?? -1,
      begunSeq,
      unrecorded: new Set(hasSlept && !isOverdue ? owed.filter(isNoted) : owed),
      isOverdue,
      saidSeq: Math.max(said?.seq ?? 0, changed ?? 0),
      copiedSeq: copied?.seq ?? 0,
      uncopiedSince: uncopied ? instant(uncopied.created_at) : null,
    };
  }

  /** Writes the rows that differ between `before` and `after`. */
  write(before: StoredRoom | null, after: StoredRoom): void {
    this.#prepare();
    if (before === null || before.runSeq !== after.runSeq || areDebtsNew(before, after)) {
      const { begunSeq, isOverdue } = after;
      const body: RunBody = { ...runOf(after.state), unrecorded: [...after.unrecorded], begunSeq, isOverdue };
      this.#put("run", after.runSeq, body);
    }
    if (before?.textsSeq !== after.textsSeq) this.#put("texts", after.textsSeq, textsOf(after.state));
    const { hostText } = after.state;
    if (hostText && before?.state.hostText !== hostText) this.#put("host-text", after.textsSeq, hostText);
    if ((before?.hidingSeq ?? -1) !== after.hidingSeq) this.#put("hiding", after.hidingSeq, after.hiding);
    if ((before?.copiedSeq ?? 0) !== after.copiedSeq) this.#put("copied", after.copiedSeq, null);
    if (before?.people === after.people) return;
    for (const [userId, stored] of after.people)
      if (before?.people.get(userId) !== stored && !isClearedByRun(before, after, stored))
        this.#storage.sql.exec(
          `INSERT INTO people (user_id, seq, is_gone, body) VALUES (?, ?, ?, ?)
           ON CONFLICT (user_id) DO UPDATE SET seq = excluded.seq, is_gone = excluded.is_gone, body = excluded.body`,
          userId,
          stored.seq,
          stored.isGone ? 1 : 0,
          JSON.stringify(stored.person),
        );
  }
  #put(key: string, seq: number, body: unknown): void {
    this.#storage.sql.exec(
      "INSERT INTO room (key, seq, body) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET seq = excluded.seq, body = excluded.body",
      key,
      seq,
      JSON.stringify(body),
    );
  }

  // ------------------------------------------------------------------ presence (G-24, G-25)

  presenceOf(userId: number): Presence {
    return this.listPresence().get(userId) ?? NOBODY_YET;
  }
  listPresence(): ReadonlyMap<number, Presence> {
    if (!this.#isReady) return new Map();
    this.#presence ??= new Map(
      this.#storage.sql
        .exec<{ user_id: number; body: string }>("SELECT user_id, body FROM presence")
        .toArray()
        .map((row) => [row.user_id, JSON.parse(row.body) as Presence]),
    );
    return this.#presence;
  }
  setPresence(userId: number, presence: Presence, now: Instant): void {
    this.#prepare();
    this.#storage.sql.exec(
      `INSERT INTO presence (user_id, at, body) VALUES (?, ?, ?)
       ON CONFLICT (user_id) DO UPDATE SET at = excluded.at, body = excluded.body`,
      userId,
      now,
      JSON.stringify(presence),
    );
    this.#presence?.set(userId, presence);
  }
  /** The last instant that the room stored. */
  storedUntil(): Instant {
    const { at } = this.#storage.sql
      .exec<{ at: number }>(
        "SELECT max((SELECT coalesce(max(at), 0) FROM presence), coalesce((SELECT created_at FROM lines ORDER BY seq DESC LIMIT 1), 0)) AS at",
      )
      .one();
    return instant(at);
  }

  // ------------------------------------------------------------------ messages and logs

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
    this.#storage.sql.exec(
      `INSERT INTO lines (seq, kind, user_id, username, content, nonce, block, created_at)
       VALUES (?, 'log', ?, ?, ?, '', -1, ?)`,
      seq,
      userId,
      log.username,
      JSON.stringify(log),
      log.createdAt,
    );
  }
  #addMessage(line: SentLine & Partial<CopiedLine>, more: readonly SentLine[]): void {
    const { changed_seq = null, edited_at = null, removed_at = null } = line;
    this.#storage.sql.exec(
      `INSERT INTO lines (seq, kind, user_id, username, content, nonce, block, created_at, changed_seq, edited_at, removed_at, more)
       VALUES (?, 'message', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      line.seq,
      line.user_id,
      line.username,
      line.content,
      line.nonce,
      line.block,
      line.created_at,
      changed_seq,
      edited_at,
      removed_at,
      more.length > 0 ? JSON.stringify(more) : null,
    );
  }

  /**
   * Rows with lines after `since` and before `before`, newest first, read `chunk` at a time: a cursor that is left open
   * would hold the storage. The first and the last row may have further lines.
   */
  *#rows(kind: "message" | "log", { since = OLDEST, before = Number.MAX_SAFE_INTEGER, chunk }: Rows) {
    if (!this.#isReady) return;
    for (let from = before; ; ) {
      const rows: LineRow[] = this.#storage.sql
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
  *#newestFirst({ since = OLDEST, before = Number.MAX_SAFE_INTEGER, chunk = CHUNK }: Partial<Rows> = {}) {
    for (const row of this.#rows("message", { since, before, chunk }))
      for (const line of linesIn(row).reverse()) if (line.seq > since && line.seq < before) yield line;
  }
  /** In ascending order: the newest `limit` messages after `since` and before `before`. */
  listMessages({ since = -1, before, limit, hidden }: LinePage): AuthoredMessage[] {
    const found: AuthoredMessage[] = [];
    for (const line of this.#newestFirst({ since, before, chunk: Math.min(limit + 1, CHUNK) })) {
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
    if (!this.#isReady) return 0;
    return this.#storage.sql
      .exec<{ n: number }>(
        "SELECT total(1 + coalesce(json_array_length(more), 0)) AS n FROM lines WHERE kind = 'message'",
      )
      .one().n;
  }
  /** The row that contains the message with this `seq`, if there is such a message. */
  #rowOf(seq: number): LineRow | null {
    if (!this.#isReady) return null;
    const [row] = this.#storage.sql
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
    if (!this.#isReady) return [];
    const found: AuthoredMessage[] = [];
    const chunk = Math.min(limit, CHUNK);
    for (let from = this.#firstRowAfter(after); ; ) {
      const rows: LineRow[] = this.#storage.sql
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
    const [row] = this.#storage.sql
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
    this.#storage.sql.exec("UPDATE lines SET more = NULL WHERE seq = ?", first.seq);
    for (const line of others) this.#addMessage(line, []);
  }
  /**
   * Renames the author of all lines, and erases the text of their logs. `former`: the name in logs without a user's
   * id.
   */
  renameAuthor({ userId, username, former }: { userId: number; username: string; former: string }): void {
    if (!this.#isReady) return;
    const rows = this.#storage.sql.exec<LineRow>("SELECT * FROM lines WHERE more IS NOT NULL").toArray();
    for (const row of rows) if (linesIn(row).some((line) => line.user_id === userId)) this.#part(row);
    this.#storage.sql.exec(
      "UPDATE lines SET username = ? WHERE user_id = ? AND kind = 'message'",
      username,
      userId,
    );
    this.#storage.sql.exec(
      `UPDATE lines SET username = ?, content = json_set(content, '$.username', ?, '$.title', '', '$.goalTitle', '')
       WHERE kind = 'log' AND (user_id = ? OR (user_id = 0 AND username = ?))`,
      username,
      username,
      userId,
      former,
    );
    this.#storage.sql.exec("DELETE FROM mentions WHERE user_id = ?", userId);
  }
  /** An edited line holds only its new text; a removed line holds none. */
  changeLine(change: LineChange): void {
    const row = this.#rowOf(change.line);
    if (row) this.#part(row);
    const isEdit = change.type === "edited";
    this.#storage.sql.exec(
      `UPDATE lines SET content = ?, changed_seq = ?, ${isEdit ? "edited_at" : "removed_at"} = ? WHERE seq = ?`,
      isEdit ? change.content : "",
      change.seq,
      change.at,
      change.line,
    );
  }
  /** Edits and removals after `since` of lines up to `since`, in ascending order: the newest `limit`. */
  listChanges({ since, limit }: { since: number; limit: number }): LineChange[] {
    if (!this.#isReady) return [];
    return this.#storage.sql
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
  /** The last line of each person since then. */
  lastSentByUser(since: Instant): Map<number, Instant> {
    const said = new Map<number, Instant>();
    for (const { user_id, created_at } of this.#newestFirst()) {
      if (created_at < since) break;
      if (!said.has(user_id)) said.set(user_id, instant(created_at));
    }
    return said;
  }
  /** Author and nonce of the newest lines. */
  recentNonces(limit: number): { userId: number; nonce: string }[] {
    const found: { userId: number; nonce: string }[] = [];
    for (const { user_id, nonce } of this.#newestFirst({ chunk: Math.min(limit, CHUNK) })) {
      if (found.length === limit) break;
      found.push({ userId: user_id, nonce });
    }
    return found.reverse();
  }

  // ------------------------------------------------------------------ mentions that D1 lacks (N-26)

  addMention(mention: ChatMention): void {
    const { seq, userId } = mention;
    this.#storage.sql.exec(
      "INSERT INTO mentions (seq, user_id, body) VALUES (?, ?, ?)",
      seq,
      userId,
      JSON.stringify(mention),
    );
  }
  /** The oldest. */
  listMentions(limit: number): ChatMention[] {
    if (!this.#isReady) return [];
    return this.#storage.sql
      .exec<{ body: string }>("SELECT body FROM mentions ORDER BY seq LIMIT ?", limit)
      .toArray()
      .map(({ body }) => JSON.parse(body) as ChatMention);
  }
  dropMentions(until: number): void {
    this.#storage.sql.exec("DELETE FROM mentions WHERE seq <= ?", until);
  }

  // ------------------------------------------------------------------ the copy outside the room

  /** The chat and its blocks, as they are on disk. */
  chat(): Pick<ChatCopy, "lines" | "blocks"> {
    const { sql } = this.#storage;
    return {
      lines: [...this.#newestFirst()].reverse(),
      blocks: sql
        .exec<CopiedBlock>(
          `SELECT user_id, n, size, since, asked_at,
             iif(is_closed <> ${BLOCK.settled} AND NOT (${IS_LATER}), ${BLOCK.closed}, is_closed) AS is_closed
           FROM blocks ORDER BY user_id, n`,
        )
        .toArray(),
    };
  }
  /** Fills a room without lines, in the transaction that first stores it. */
  addChat({ lines, blocks }: ChatCopy): void {
    for (const line of lines) this.#addMessage(line, []);
    for (const { user_id, n, size, since, is_closed, asked_at } of blocks)
      this.#storage.sql.exec(
        "INSERT INTO blocks (user_id, n, size, since, is_closed, asked_at) VALUES (?, ?, ?, ?, ?, ?)",
        user_id,
        n,
        size,
        since,
        is_closed,
        asked_at,
      );
  }

  // ------------------------------------------------------------------ chat blocks

  /** The block is about to be paid, before a line needs it. */
  askBlock({ userId, n, since, at }: Omit<Block, "size"> & { at: Instant }): void {
    this.#prepare();
    this.#storage.sql.exec(
      `INSERT INTO blocks (user_id, n, size, since, is_closed, asked_at) VALUES (?, ?, 0, ?, ${BLOCK.asked}, ?)
       ON CONFLICT (user_id, n) DO UPDATE SET since = excluded.since, asked_at = excluded.asked_at,
         is_closed = ${BLOCK.asked}`,
      userId,
      n,
      since,
      at,
    );
  }
  /** Nothing was paid for the asked block. */
  dropAsked({ userId, n }: { userId: number; n: number }): void {
    this.#storage.sql.exec("DELETE FROM blocks WHERE user_id = ? AND n = ? AND size = 0", userId, n);
  }
  /** A paid block; `askedAt` when no line needs it yet. */
  addBlock(block: Block, askedAt: Instant | null): void {
    this.#prepare();
    const { userId, n, size, since } = block;
    this.#storage.sql.exec(
      `INSERT INTO blocks (user_id, n, size, since, asked_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (user_id, n) DO UPDATE SET size = excluded.size, since = excluded.since,
         asked_at = excluded.asked_at, is_closed = ${BLOCK.open}
       WHERE size = 0`,
      userId,
      n,
      size,
      since,
      askedAt,
    );
  }
  /** The number after the person's newest paid block. */
  nextBlock(userId: number): number {
    if (!this.#isReady) return 0;
    return this.#storage.sql
      .exec<{ n: number }>(
        "SELECT coalesce(max(n), -1) + 1 AS n FROM blocks WHERE user_id = ? AND size > 0",
        userId,
      )
      .one().n;
  }
  /** The person's newest two open blocks, oldest first: the present one, and perhaps the next. */
  openBlocks(userId: number): OpenBlock[] {
    if (!this.#isReady) return [];
    const rows = this.#storage.sql
      .exec<{ n: number; size: number; since: number }>(
        `SELECT n, size, since FROM blocks WHERE user_id = ? AND ${IS_OPEN} ORDER BY n DESC LIMIT 2`,
        userId,
      )
      .toArray()
      .reverse();
    return rows.map(({ n, size, since }) => {
      let used = 0;
      for (const line of this.#newestFirst({ since })) {
        if (line.user_id === userId && line.block === n) used++;
      }
      return { userId, n, size, since, used };
    });
  }
  /** People for whom a block was asked after `since`, and when, oldest first. */
  askedSince(since: Instant): Map<number, Instant> {
    if (!this.#isReady) return new Map();
    return new Map(
      this.#storage.sql
        .exec<{ user_id: number; asked_at: number }>(
          `SELECT user_id, asked_at FROM blocks
           WHERE asked_at > ? AND ${IS_OPEN_OR_ASKED} ORDER BY asked_at`,
          since,
        )
        .toArray()
        .map((row) => [row.user_id, instant(row.asked_at)]),
    );
  }
  /** Closes the blocks that were asked until then and have no line, except those of `busy`; answers whose. */
  closeUnused(until: Instant, busy: ReadonlySet<number>): number[] {
    if (!this.#isReady) return [];
    const asked = this.#storage.sql
      .exec<{ user_id: number; n: number }>(
        `SELECT user_id, n FROM blocks WHERE asked_at <= ? AND ${IS_OPEN_OR_ASKED}`,
        until,
      )
      .toArray()
      .filter((row) => !busy.has(row.user_id));
    if (asked.length === 0) return [];
    const used = this.usedByBlock();
    const unused = asked.filter((row) => !used.has(blockKey({ userId: row.user_id, n: row.n })));
    for (const { user_id, n } of unused)
      this.#storage.sql.exec(
        `UPDATE blocks SET is_closed = ${BLOCK.closed} WHERE user_id = ? AND n = ?`,
        user_id,
        n,
      );
    return [...new Set(unused.map((row) => row.user_id))];
  }
  /** Closes the person's blocks, so that the next message reserves a new block. */
  closeBlocks(userId: number): void {
    this.#storage.sql.exec(
      `UPDATE blocks SET is_closed = ${BLOCK.closed} WHERE ${IS_OPEN_OR_ASKED} AND user_id = ?`,
      userId,
    );
  }
  /** Closes everybody's blocks, none of which was made after `seq`. */
  closeAllBlocks(seq: number): void {
    const { n } = this.#storage.sql
      .exec<{ n: number }>(`SELECT count(*) AS n FROM blocks WHERE ${IS_OPEN_OR_ASKED}`)
      .one();
    if (n > 0) this.#put(CLOSED_BLOCKS, seq, null);
  }
  /** People with closed blocks that are not yet settled. */
  usersWithClosedBlocks(): number[] {
    return this.#storage.sql
      .exec<{ user_id: number }>(`SELECT DISTINCT user_id FROM blocks WHERE is_closed = ${BLOCK.closed}`)
      .toArray()
      .map((row) => row.user_id);
  }
  /** Marks the person's closed blocks as settled. The ledger may lack an asked block, so its number stays free. */
  markSettled(userId: number): void {
    this.#storage.sql.exec(
      `DELETE FROM blocks WHERE is_closed = ${BLOCK.closed} AND size = 0 AND user_id = ?`,
      userId,
    );
    this.#storage.sql.exec(
      `UPDATE blocks SET is_closed = ${BLOCK.settled} WHERE is_closed = ${BLOCK.closed} AND user_id = ?`,
      userId,
    );
  }
  blocksInUse(): Set<BlockKey> {
    return new Set(
      this.#storage.sql
        .exec<{ user_id: number; n: number }>(`SELECT user_id, n FROM blocks WHERE ${IS_OPEN}`)
        .toArray()
        .map((row) => blockKey({ userId: row.user_id, n: row.n })),
    );
  }
  /** The number of messages that each block paid for. */
  usedByBlock(): Map<BlockKey, number> {
    const used = new Map<BlockKey, number>();
    for (const { user_id, block } of this.#newestFirst()) {
      const key = blockKey({ userId: user_id, n: block });
      used.set(key, (used.get(key) ?? 0) + 1);
    }
    return used;
  }
}

/** Whether the run's row must say what is owed to D1. */
export const areDebtsNew = (before: StoredRoom, after: StoredRoom): boolean =>
  before.isOverdue !== after.isOverdue ||
  [...after.unrecorded].some((one) => !before.unrecorded.has(one)) ||
  [...before.unrecorded].some((one) => isNoted(one) && !after.unrecorded.has(one));

/** Whether the row on disk reads like this anyway, because the run has begun meanwhile. */
function isClearedByRun(before: StoredRoom | null, after: StoredRoom, { person, seq, isGone }: StoredPerson) {
  const was = before?.people.get(person.userId);
  if (!was?.person.isReady || was.isGone || isGone || seq !== after.begunSeq) return false;
  return JSON.stringify({ ...was.person, isReady: false }) === JSON.stringify(person);
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

/**
 * The people's rows after a change of the roster. A changed row gets the new `seq`; a leaver's row stays,
 * marked as gone.
 */
export function stampPeople(
  before: ReadonlyMap<number, StoredPerson>,
  participants: readonly RoomParticipant[],
  seq: number,
): ReadonlyMap<number, StoredPerson> {
  const after = new Map(before);
  const seated = new Set<number>();
  for (const person of participants) {
    seated.add(person.userId);
    const known = before.get(person.userId);
    if (known?.person !== person || known.isGone) after.set(person.userId, { person, seq, isGone: false });
  }
  for (const [userId, stored] of before)
    if (!stored.isGone && !seated.has(userId)) after.set(userId, { ...stored, seq, isGone: true });
  return after;
}

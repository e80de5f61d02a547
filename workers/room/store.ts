// The SQLite storage of a room: run, texts, people, presence and ended logins. Each row carries the `seq` of its last
// change, so a reconnecting client can receive what it missed.

import type { ChatCopy } from "~/domain/room/chat-copy";
import { NOBODY_YET, type Presence } from "~/domain/room/presence";
import type { PendingWrite } from "~/domain/room/record";
import type { RoomParticipant, RoomState } from "~/domain/room/room";
import type { BlockPair } from "~/domain/safety/blocks";
import { type Instant, instant } from "~/domain/time";
import { BlockStore } from "./block-store";
import { LineStore } from "./line-store";
import type { StoredPerson, StoredRoom } from "./stored-room";
import { RoomTables } from "./tables";

/** The key of the ended logins; a room without tables may have them. */
const ENDED_LOGINS = "ended-logins";

type Texts = Pick<
  RoomState,
  "title" | "content" | "contentHtml" | "contributions" | "summary" | "prompt" | "editedAt"
>;
type Run = Omit<RoomState, keyof Texts | "participants" | "seq">;

const textsOf = ({
  title,
  content,
  contentHtml,
  contributions,
  summary,
  prompt,
  editedAt,
}: RoomState): Texts => ({
  title,
  content,
  contentHtml,
  contributions,
  summary,
  prompt,
  ...(editedAt && { editedAt }),
});
function runOf(state: RoomState): Run {
  const { title, content, contentHtml, summary, prompt, contributions, editedAt, participants, seq, ...run } =
    state;
  return run;
}

export class RoomStore {
  readonly lines: LineStore;
  readonly blocks: BlockStore;
  readonly #storage: DurableObjectStorage;
  readonly #tables: RoomTables;
  #endedLoginsCache: Map<string, number> | null = null;
  /** The presence rows as stored; read once per process, when the first person arrives. */
  #presence: Map<number, Presence> | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#tables = new RoomTables(storage);
    this.lines = new LineStore(this.#tables);
    this.blocks = new BlockStore(this.#tables);
  }

  transaction<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  /** Erases the storage of a deleted session. */
  async forget(): Promise<void> {
    const didExist = this.#tables.exist;
    this.#tables.forget();
    this.#endedLoginsCache = null;
    this.#presence = null;
    if (!didExist && this.#storage.kv.get(ENDED_LOGINS) === undefined) return;
    await this.#storage.deleteAll();
  }

  /** The ended logins, and until when a ticket of each may be valid. */
  #endedLogins(): Map<string, number> {
    this.#endedLoginsCache ??= new Map(this.#storage.kv.get<[string, number][]>(ENDED_LOGINS) ?? []);
    return this.#endedLoginsCache;
  }
  hasLoginEnded(loginHash: string, now: Instant): boolean {
    return (this.#endedLogins().get(loginHash) ?? 0) > now;
  }
  endLogins(loginHashes: readonly string[], until: Instant, now: Instant): void {
    const endedLogins = this.#endedLogins();
    for (const [hash, end] of endedLogins) if (end <= now) endedLogins.delete(hash);
    for (const hash of loginHashes) endedLogins.set(hash, until);
    this.#storage.kv.put(ENDED_LOGINS, [...endedLogins]);
  }

  read(): StoredRoom | null {
    if (!this.#tables.exist) return null;
    this.#tables.prepare();
    const { sql } = this.#storage;
    const rows = sql.exec<{ key: string; seq: number; body: string }>("SELECT * FROM room").toArray();
    const runRow = rows.find((row) => row.key === "run");
    const textsRow = rows.find((row) => row.key === "texts");
    const hidingRow = rows.find((row) => row.key === "hiding");
    const copiedRow = rows.find((row) => row.key === "copied");
    if (!runRow || !textsRow) return null;
    const people = new Map(
      sql
        .exec<{ user_id: number; seq: number; is_gone: number; body: string }>("SELECT * FROM people")
        .toArray()
        .map((row): [number, StoredPerson] => {
          const person = JSON.parse(row.body) as RoomParticipant;
          return [row.user_id, { person, seq: row.seq, isGone: row.is_gone === 1 }];
        }),
    );
    const participants = [...people.values()]
      .filter((storedPerson) => !storedPerson.isGone)
      .map((storedPerson) => storedPerson.person)
      .sort((a, b) => a.joinedAt - b.joinedAt || a.userId - b.userId);
    const lastLogSeq = sql
      .exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM lines WHERE kind <> 'message'")
      .one().seq;
    const lastChangeSeq = sql
      .exec<{ seq: number | null }>("SELECT max(changed_seq) AS seq FROM lines WHERE changed_seq IS NOT NULL")
      .one().seq;
    const debts = sql.exec<{ what: PendingWrite }>("SELECT what FROM debts").toArray();
    const [newestMessage] = this.lines.listMessages({ limit: 1 });
    const [firstUncopied] = sql
      .exec<{ created_at: number }>(
        "SELECT created_at FROM lines WHERE seq > ? AND kind = 'message' ORDER BY seq LIMIT 1",
        copiedRow?.seq ?? 0,
      )
      .toArray();
    const seq = Math.max(
      runRow.seq,
      textsRow.seq,
      lastLogSeq ?? 0,
      newestMessage?.seq ?? 0,
      lastChangeSeq ?? 0,
      hidingRow?.seq ?? 0,
      ...[...people.values()].map((storedPerson) => storedPerson.seq),
    );
    return {
      state: {
        ...(JSON.parse(runRow.body) as Run),
        ...(JSON.parse(textsRow.body) as Texts),
        seq,
        participants,
      },
      runSeq: runRow.seq,
      textsSeq: textsRow.seq,
      people,
      hiding: hidingRow ? (JSON.parse(hidingRow.body) as BlockPair[]) : [],
      hidingSeq: hidingRow?.seq ?? -1,
      pendingWrites: new Set(debts.map(({ what }) => what)),
      chatSeq: Math.max(newestMessage?.seq ?? 0, lastChangeSeq ?? 0),
      copiedSeq: copiedRow?.seq ?? 0,
      uncopiedSince: firstUncopied ? instant(firstUncopied.created_at) : null,
    };
  }

  /** Writes the rows that differ between `before` and `after`. */
  write(before: StoredRoom | null, after: StoredRoom): void {
    this.#tables.prepare();
    if (before?.runSeq !== after.runSeq) this.#tables.put("run", after.runSeq, runOf(after.state));
    if (before?.textsSeq !== after.textsSeq) this.#tables.put("texts", after.textsSeq, textsOf(after.state));
    if ((before?.hidingSeq ?? -1) !== after.hidingSeq)
      this.#tables.put("hiding", after.hidingSeq, after.hiding);
    if ((before?.copiedSeq ?? 0) !== after.copiedSeq) this.#tables.put("copied", after.copiedSeq, null);
    this.#writeDebts(before?.pendingWrites ?? new Set(), after.pendingWrites);
    if (before?.people === after.people) return;
    for (const [userId, storedPerson] of after.people)
      if (before?.people.get(userId) !== storedPerson)
        this.#tables.sql.exec(
          `INSERT INTO people (user_id, seq, is_gone, body) VALUES (?, ?, ?, ?)
           ON CONFLICT (user_id) DO UPDATE SET seq = excluded.seq, is_gone = excluded.is_gone, body = excluded.body`,
          userId,
          storedPerson.seq,
          storedPerson.isGone ? 1 : 0,
          JSON.stringify(storedPerson.person),
        );
  }

  #writeDebts(before: ReadonlySet<PendingWrite>, after: ReadonlySet<PendingWrite>): void {
    for (const pendingWrite of after)
      if (!before.has(pendingWrite))
        this.#tables.sql.exec("INSERT INTO debts (what) VALUES (?)", pendingWrite);
    for (const pendingWrite of before)
      if (!after.has(pendingWrite)) this.#tables.sql.exec("DELETE FROM debts WHERE what = ?", pendingWrite);
  }

  // ------------------------------------------------------------------ presence (G-24, G-25)

  presenceOf(userId: number): Presence {
    return this.listPresence().get(userId) ?? NOBODY_YET;
  }
  listPresence(): ReadonlyMap<number, Presence> {
    if (!this.#tables.areReady) return new Map();
    this.#presence ??= new Map(
      this.#tables.sql
        .exec<{ user_id: number; body: string }>("SELECT user_id, body FROM presence")
        .toArray()
        .map((row) => [row.user_id, JSON.parse(row.body) as Presence]),
    );
    return this.#presence;
  }
  setPresence(userId: number, presence: Presence, now: Instant): void {
    this.#tables.prepare();
    this.#tables.sql.exec(
      `INSERT INTO presence (user_id, at, body) VALUES (?, ?, ?)
       ON CONFLICT (user_id) DO UPDATE SET at = excluded.at, body = excluded.body`,
      userId,
      now,
      JSON.stringify(presence),
    );
    this.#presence?.set(userId, presence);
  }
  /** The latest instant of a presence row or chat line on disk. */
  storedUntil(): Instant {
    const { at } = this.#tables.sql
      .exec<{ at: number }>(
        "SELECT max((SELECT coalesce(max(at), 0) FROM presence), coalesce((SELECT created_at FROM lines ORDER BY seq DESC LIMIT 1), 0)) AS at",
      )
      .one();
    return instant(at);
  }

  // ------------------------------------------------------------------ the copy outside the room

  /** The chat and its blocks, as they are on disk. */
  exportChat(): Pick<ChatCopy, "lines" | "blocks"> {
    return { lines: this.lines.exportMessages(), blocks: this.blocks.exportBlocks() };
  }
  /** Fills a room without lines, in the transaction that first stores it. */
  importChat({ lines, blocks }: ChatCopy): void {
    this.lines.importMessages(lines);
    this.blocks.importBlocks(blocks);
  }
}

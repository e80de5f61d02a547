// The chat blocks of a room in its SQLite (B-13): the lines that each person has paid for, and how many are left.
import { type BlockKey, blockKey, type ChatBlock } from "~/domain/room/chat";
import type { CopiedBlock } from "~/domain/room/chat-copy";
import { type Instant, instant } from "~/domain/time";
import type { RoomTables } from "./tables";

/**
 * The values of `blocks.is_closed`. An `asked` block may be paid already or not, and has size 0. The column `asked_at` is
 * set for a block that was reserved before a line needed it.
 */
const STATUS = { open: 0, closed: 1, settled: 2, asked: 3 } as const;
const IS_OPEN = `is_closed = ${STATUS.open}`;
const IS_OPEN_OR_ASKED = `is_closed IN (${STATUS.open}, ${STATUS.asked})`;

/** A stored chat block. `since` is the seq before its first message. */
export type Block = ChatBlock & { since: number };
export type OpenBlock = Block & { used: number };

export class BlockStore {
  readonly #tables: RoomTables;

  constructor(tables: RoomTables) {
    this.#tables = tables;
  }

  /** Stores the request for a block that is about to be paid, before a line needs it. */
  addRequest({ userId, n, since, at }: Omit<Block, "size"> & { at: Instant }): void {
    this.#tables.prepare();
    this.#tables.sql.exec(
      `INSERT INTO blocks (user_id, n, size, since, is_closed, asked_at) VALUES (?, ?, 0, ?, ${STATUS.asked}, ?)
       ON CONFLICT (user_id, n) DO UPDATE SET since = excluded.since, asked_at = excluded.asked_at,
         is_closed = ${STATUS.asked}`,
      userId,
      n,
      since,
      at,
    );
  }
  /** Deletes a request for which nothing was paid. */
  dropRequest({ userId, n }: { userId: number; n: number }): void {
    this.#tables.sql.exec("DELETE FROM blocks WHERE user_id = ? AND n = ? AND size = 0", userId, n);
  }
  /** Stores a paid block. `askedAt` is set when no line needs the block yet. */
  addBlock(block: Block, askedAt: Instant | null): void {
    this.#tables.prepare();
    const { userId, n, size, since } = block;
    this.#tables.sql.exec(
      `INSERT INTO blocks (user_id, n, size, since, asked_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (user_id, n) DO UPDATE SET size = excluded.size, since = excluded.since,
         asked_at = excluded.asked_at, is_closed = ${STATUS.open}
       WHERE size = 0`,
      userId,
      n,
      size,
      since,
      askedAt,
    );
  }
  /** The number after the person's newest paid block. */
  nextBlockNumber(userId: number): number {
    if (!this.#tables.areReady) return 0;
    return this.#tables.sql
      .exec<{ n: number }>(
        "SELECT coalesce(max(n), -1) + 1 AS n FROM blocks WHERE user_id = ? AND size > 0",
        userId,
      )
      .one().n;
  }
  /** The person's newest two open blocks, oldest first: the current block, and perhaps the next. */
  openBlocks(userId: number): OpenBlock[] {
    if (!this.#tables.areReady) return [];
    return this.#tables.sql
      .exec<{ n: number; size: number; since: number; used: number }>(
        `SELECT n, size, since,
           (SELECT count(*) FROM lines WHERE lines.seq > since AND lines.user_id = blocks.user_id AND block = n) AS used
         FROM blocks WHERE user_id = ? AND ${IS_OPEN} ORDER BY n DESC LIMIT 2`,
        userId,
      )
      .toArray()
      .reverse()
      .map((row) => ({ userId, ...row }));
  }
  /** People for whom a block was requested after `since`, and when, oldest first. */
  requestedSince(since: Instant): Map<number, Instant> {
    if (!this.#tables.areReady) return new Map();
    return new Map(
      this.#tables.sql
        .exec<{ user_id: number; asked_at: number }>(
          `SELECT user_id, asked_at FROM blocks
           WHERE asked_at > ? AND ${IS_OPEN_OR_ASKED} ORDER BY asked_at`,
          since,
        )
        .toArray()
        .map((row) => [row.user_id, instant(row.asked_at)]),
    );
  }
  /**
   * Closes the blocks that were requested up to `until` and have no line, except those of the people in `busy`. Returns
   * the owners of closed blocks.
   */
  closeUnused(until: Instant, busy: ReadonlySet<number>): number[] {
    if (!this.#tables.areReady) return [];
    const requestedRows = this.#tables.sql
      .exec<{ user_id: number; n: number }>(
        `SELECT user_id, n FROM blocks WHERE asked_at <= ? AND ${IS_OPEN_OR_ASKED}`,
        until,
      )
      .toArray()
      .filter((row) => !busy.has(row.user_id));
    if (requestedRows.length === 0) return [];
    const linesByBlock = this.usedByBlock();
    const unused = requestedRows.filter(
      (row) => !linesByBlock.has(blockKey({ userId: row.user_id, n: row.n })),
    );
    for (const { user_id, n } of unused)
      this.#tables.sql.exec(
        `UPDATE blocks SET is_closed = ${STATUS.closed} WHERE user_id = ? AND n = ?`,
        user_id,
        n,
      );
    return [...new Set(unused.map((row) => row.user_id))];
  }
  /** Closes the person's blocks, so that the next message reserves a new block. */
  closeBlocks(userId: number): void {
    this.#tables.sql.exec(
      `UPDATE blocks SET is_closed = ${STATUS.closed} WHERE ${IS_OPEN_OR_ASKED} AND user_id = ?`,
      userId,
    );
  }
  /** Closes everybody's blocks. */
  closeAllBlocks(): void {
    this.#tables.sql.exec(`UPDATE blocks SET is_closed = ${STATUS.closed} WHERE ${IS_OPEN_OR_ASKED}`);
  }
  /** People with closed blocks that are not yet settled. */
  usersWithClosedBlocks(): number[] {
    return this.#tables.sql
      .exec<{ user_id: number }>(`SELECT DISTINCT user_id FROM blocks WHERE is_closed = ${STATUS.closed}`)
      .toArray()
      .map((row) => row.user_id);
  }
  /** Marks the person's closed blocks as settled. The ledger may lack a requested block, so its number is used again. */
  markSettled(userId: number): void {
    this.#tables.sql.exec(
      `DELETE FROM blocks WHERE is_closed = ${STATUS.closed} AND size = 0 AND user_id = ?`,
      userId,
    );
    this.#tables.sql.exec(
      `UPDATE blocks SET is_closed = ${STATUS.settled} WHERE is_closed = ${STATUS.closed} AND user_id = ?`,
      userId,
    );
  }
  blocksInUse(): Set<BlockKey> {
    return new Set(
      this.#tables.sql
        .exec<{ user_id: number; n: number }>(`SELECT user_id, n FROM blocks WHERE ${IS_OPEN}`)
        .toArray()
        .map((row) => blockKey({ userId: row.user_id, n: row.n })),
    );
  }
  /** The number of messages that each block paid for. */
  usedByBlock(): Map<BlockKey, number> {
    return new Map(
      this.#tables.sql
        .exec<{ user_id: number; block: number; used: number }>(
          "SELECT user_id, block, count(*) AS used FROM lines WHERE kind = 'message' GROUP BY user_id, block",
        )
        .toArray()
        .map(({ user_id, block, used }) => [blockKey({ userId: user_id, n: block }), used]),
    );
  }

  /** All blocks, as they are on disk. */
  exportBlocks(): CopiedBlock[] {
    return this.#tables.sql
      .exec<CopiedBlock>(
        "SELECT user_id, n, size, since, is_closed, asked_at FROM blocks ORDER BY user_id, n",
      )
      .toArray();
  }
  /** Fills a room without blocks. */
  importBlocks(blocks: readonly CopiedBlock[]): void {
    for (const { user_id, n, size, since, is_closed, asked_at } of blocks)
      this.#tables.sql.exec(
        "INSERT INTO blocks (user_id, n, size, since, is_closed, asked_at) VALUES (?, ?, ?, ?, ?, ?)",
        user_id,
        n,
        size,
        since,
        is_closed,
        asked_at,
      );
  }
}

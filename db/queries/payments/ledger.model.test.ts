// The ledger's own SQL in an in-memory SQLite, compared with the reference model over 100,000 random operations. The
// test ledger.workers.test.ts runs parallel operations on a real D1.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fillPlaceholders, sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connect, type Statement, schema } from "#db/connect.server";
import {
  blockReference,
  type ChatBlock,
  closeChatBlock,
  reserveChatBlock,
} from "#db/queries/room/chat-blocks";
import { freeSeat, hasSeat, refundSeats, takeSeat } from "#db/queries/sessions/participants";
import { returnTokens, spendTokens } from "#db/queries/tokens";
import { runsOf, seedsOf } from "#tests/support/property-seed";
import { brokenConstraint } from "~/domain/errors";
import { type Instant, instant, seconds } from "~/domain/time";
import type { Priced } from "~/domain/tokens";
import { Ledger, type Outcome } from "./ledger.model";
import { grantPeriod } from "./payments";
import { restoreLot, reverseLot } from "./reversals";

const USERS = 4;
const START = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;
/** The session whose chat and seats are paid. */
const SESSION = {
  id: 1,
  slug: "session",
  title: "A session",
  ownerId: 1,
  duration: seconds(3600),
  schedule: { groups: [] },
  createdAt: instant(START),
  updatedAt: instant(START),
};
/** Only builds statements; no statement runs on it. */
const db = connect({} as D1Database);

const user = fc.integer({ min: 1, max: USERS });
const nth = fc.nat(1000);
const operation = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      type: fc.constant("spend" as const),
      user,
      payer: fc.option(user, { nil: null, freq: 4 }),
      what: fc.constantFrom<Priced>("goal", "join", "join", "follow", "log", "note", "post"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("repeat" as const), user, nth }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("sit" as const),
      user,
      payer: fc.option(user, { nil: null, freq: 4 }),
      // A third of the operations take an earlier seat again, as a repeated request does.
      again: fc.option(nth, { freq: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("stand" as const), user, isRefunded: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("refund" as const),
      nth,
      upTo: fc.constantFrom(1, 37, 100, 9e9),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("open" as const), user, nth }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("close" as const), nth, used: fc.nat(100) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("grant" as const),
      user,
      amount: fc.integer({ min: 1, max: 250 }),
      scope: fc.constantFrom("all" as const, "all" as const, "goals" as const),
      days: fc.constantFrom(Number.POSITIVE_INFINITY, 0, 1, 3, 30),
      isRepeat: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("reverse" as const),
      nth,
      cents: fc.constantFrom(1, 333, 500, 1000),
      // Stripe may send the same refund again.
      id: fc.constantFrom("re_1", "re_2", "dp_1"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("restore" as const),
      nth,
      id: fc.constantFrom("re_1", "re_2", "dp_1"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("wait" as const), days: fc.constantFrom(0.5, 1, 2) }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

function openDatabase(): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec("PRAGMA foreign_keys = OFF");
  const folder = join(import.meta.dirname, "../../migrations");
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort())
    sqlite.exec(readFileSync(join(folder, file), "utf8"));
  sqlite.exec("PRAGMA foreign_keys = OFF");
  return sqlite;
}

type Compiled = { sql: string; params: unknown[] };
const compile = (batch: Statement[]): Compiled[] =>
  batch.map((statement) => (statement as unknown as { toSQL(): Compiled }).toSQL());

/** One database and its prepared statements for all runs; each run begins with empty tables. */
const sqlite = openDatabase();
const prepared = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
type LotRow = { reference: string; granted: number; remaining: number; entries: number };
const owedBy = sqlite.prepare(
  "SELECT -coalesce(sum(amount), 0) AS owed FROM token_entries WHERE user_id = ? AND lot_id IS NULL",
);
const readOwed = (userId: number) => (owedBy.get(userId) as { owed: number }).owed;
const readLots = sqlite.prepare(
  `SELECT reference, granted, remaining,
    (SELECT coalesce(sum(amount), 0) FROM token_entries e WHERE e.lot_id = l.id) AS entries FROM token_lots l ORDER BY id`,
);

const readSeats = sqlite.prepare("SELECT user_id AS userId, seat FROM participants");

/** Frequent batches are compiled once per kind, with placeholders for the values. */
const kinds = new Map<string, Compiled[]>();
function fill<Values extends Record<string, unknown>>(
  kind: string,
  values: Values,
  build: (values: Values) => Statement[],
): Compiled[] {
  const known = kinds.get(kind);
  const made =
    known ??
    compile(
      build(Object.fromEntries(Object.keys(values).map((key) => [key, sql.placeholder(key)])) as Values),
    );
  kinds.set(kind, made);
  const filled = made.map((one) => ({ sql: one.sql, params: fillPlaceholders(one.params, values) }));
  if (!known) expect(filled).toEqual(compile(build(values)).map(({ sql, params }) => ({ sql, params })));
  return filled;
}

/** Like D1, runs a batch as a transaction. */
function run(batch: Compiled[]): Outcome {
  sqlite.exec("BEGIN");
  try {
    for (const { sql, params } of batch) {
      const ready = prepared.get(sql) ?? sqlite.prepare(sql);
      prepared.set(sql, ready);
      ready.run(...(params as never[]));
    }
    sqlite.exec("COMMIT");
    return "done";
  } catch (error) {
    sqlite.exec("ROLLBACK");
    const broken = brokenConstraint(error);
    if (broken === "tokens_sufficient") return "INSUFFICIENT_TOKENS";
    if (broken === "entry_written_once" || broken === "one_seat_per_user") return "refused";
    throw error;
  }
}

/** By reference, because the lots of one refund have no order. */
const leftIn = (lots: readonly { reference: string; remaining: number }[]) =>
  new Map(lots.map(({ reference, remaining }) => [reference, remaining]));

let carriedOut = 0;

function follow(operations: Operation[]): void {
  sqlite.exec(
    "DELETE FROM participants; DELETE FROM token_entries; DELETE FROM token_lots; DELETE FROM sessions",
  );
  expect(run(compile([db.insert(schema.sessions).values(SESSION)]))).toBe("done");
  const model = new Ledger();
  let now = START;
  const chat: { reference: string; asked: ChatBlock }[] = [];
  const references: string[] = [];
  const granted: string[] = [];
  const seats = new Map<number, string>();
  const everSat: { userId: number; paidBy: number; seat: string }[] = [];
  const pick = <T>(list: T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
  for (const [i, op] of operations.entries()) {
    const at = instant(now);
    const isAsTheModel = (ran: Outcome, outcome: Outcome) => {
      if (ran !== outcome) expect.fail(`${i} ${JSON.stringify(op)}: ${ran}, not ${outcome}`);
    };
    if (op.type === "wait") now += op.days * DAY;
    if (op.type === "grant") {
      const reference = (op.isRepeat ? pick(granted, i) : undefined) ?? `lot-${i}`;
      const expiresAt = op.days === Number.POSITIVE_INFINITY ? op.days : now + op.days * DAY;
      granted.push(reference);
      model.grant({ reference, user: op.user, scope: op.scope, granted: op.amount, expiresAt });
      const lot = {
        userId: op.user,
        scope: op.scope,
        tokens: op.amount,
        // A purchased lot never expires.
        expiresAt: (Number.isFinite(expiresAt) ? instant(expiresAt) : null) as Instant,
        reference,
        now: at,
      };
      const granting = fill("grant", lot, (values) => [grantPeriod(db, values)]);
      isAsTheModel(run(granting), "done");
    }
    if (op.type === "spend" || op.type === "repeat") {
      const again = op.type === "repeat" ? pick(references, op.nth) : undefined;
      const reference = again ?? `use-${i}`;
      const payer = op.type === "spend" ? (op.payer ?? op.user) : op.user;
      const priced: Priced = op.type === "spend" ? op.what : "goal";
      const outcome = model.spend(payer, priced, reference, now);
      const reason = payer !== op.user ? ({ reason: "host_join" } as const) : {};
      const kind = `spend ${priced} ${payer !== op.user}`;
      const spending = fill(kind, { userId: payer, reference, now: at }, (values) =>
        spendTokens(db, { ...values, what: priced, ...reason }),
      );
      isAsTheModel(run(spending), outcome);
      if (outcome === "done") references.push(reference);
    }
    if (op.type === "sit") {
      const earlier = op.again === null ? undefined : pick(everSat, op.again);
      const who = earlier ?? { userId: op.user, paidBy: op.payer ?? op.user, seat: `join:${i}` };
      const { userId } = who;
      const taken = {
        ...who,
        sessionId: SESSION.id,
        personId: userId,
        username: "somebody",
        now: at,
        viewer: userId,
      };
      const held = seats.get(who.userId);
      let outcome: Outcome = "done";
      if (held === who.seat) outcome = "refused";
      else if (held === undefined) outcome = model.spend(who.paidBy, "join", who.seat, now);
      const sitting = compile([
        ...takeSeat(db, taken, { joinCode: "", isFree: false, hostId: null, capacity: 100 }),
        ...spendTokens(db, {
          userId: who.paidBy,
          what: "join",
          reference: who.seat,
          now: at,
          condition: hasSeat(taken),
        }),
      ]);
      isAsTheModel(run(sitting), outcome);
      if (outcome === "done" && held === undefined) {
        seats.set(who.userId, who.seat);
        everSat.push(who);
      }
    }
    if (op.type === "stand") {
      const seat = seats.get(op.user);
      if (seat === undefined) continue;
      if (op.isRefunded) model.giveBack(seat, 100, "refund", now);
      seats.delete(op.user);
      const key = { sessionId: SESSION.id, userId: op.user, seat };
      const leaving = freeSeat(db, key, sql`true`);
      const refund = op.isRefunded ? refundSeats(db, key, at, sql`true`) : [];
      isAsTheModel(run(compile([...refund, leaving.count, leaving.row])), "done");
    }
    if (op.type === "refund") {
      const reference = pick(references, op.nth);
      if (!reference) continue;
      model.giveBack(reference, op.upTo, "refund", now);
      const returning = returnTokens(db, { reference, reason: "refund", upTo: op.upTo, now: at });
      isAsTheModel(run(compile(returning)), "done");
    }
    if (op.type === "open") {
      // A third of the operations ask for the same block again, as after a crash.
      const old = op.nth % 3 === 0 ? pick(chat, op.nth) : undefined;
      const asked = old?.asked ?? { sessionId: 1, userId: op.user, n: i };
      const block = old ?? { reference: blockReference(asked), asked };
      const outcome = model.openBlock(asked.userId, block.reference, now);
      isAsTheModel(run(compile(reserveChatBlock(db, asked, at))), outcome);
      if (outcome === "done") chat.push(block);
    }
    if (op.type === "close") {
      const block = pick(chat, op.nth);
      const size = block ? model.blocks.get(block.reference)?.size : undefined;
      if (!block || size === undefined) continue;
      const used = Math.min(op.used, size);
      model.closeBlock(block.reference, used, now);
      isAsTheModel(run(compile(closeChatBlock(db, block.reference, size, used, at))), "done");
    }
    if (op.type === "reverse" || op.type === "restore") {
      const grant = pick(granted, op.nth);
      if (!grant) continue;
      const row = {
        id: op.id,
        grant,
        cents: op.type === "reverse" ? op.cents : 0,
        paidCents: 1000,
        now: at,
      };
      if (op.type === "reverse") model.reverse(op.id, grant, op.cents, 1000);
      else model.restore(op.id, grant);
      const batch = op.type === "reverse" ? reverseLot(db, row) : restoreLot(db, row);
      isAsTheModel(run(compile(batch)), "done");
    }
    carriedOut++;
    if (i % 40 !== 0 && i !== operations.length - 1) continue;
    const lots = readLots.all() as LotRow[];
    expect(leftIn(lots), `after ${i} ${JSON.stringify(op)}`).toEqual(leftIn(model.lots));
    for (let userId = 1; userId <= USERS; userId++) expect(readOwed(userId)).toBe(model.owed(userId));
    const sat = readSeats.all() as { userId: number; seat: string }[];
    expect(new Map(sat.map(({ userId, seat }) => [userId, seat]))).toEqual(seats);
    expect(lots.filter((lot) => lot.granted + lot.entries !== lot.remaining || lot.remaining < 0)).toEqual(
      [],
    );
  }
}

const OPERATIONS = 400;
const RUNS = runsOf(700, 140, 30);

test.each(seedsOf(20_261_123))(
  `B-12 B-10 B-09 B-13 B-14 R-89 the statements and the reference model agree over ${RUNS * OPERATIONS} random operations (seed %i)`,
  {
    timeout: 240_000,
  },
  (seed) => {
    carriedOut = 0;
    fc.assert(
      fc.property(fc.array(operation, { minLength: OPERATIONS, maxLength: OPERATIONS, size: "max" }), follow),
      {
        numRuns: RUNS,
        seed,
        endOnFailure: true,
      },
    );
    expect(carriedOut).toBeGreaterThan(0.9 * RUNS * OPERATIONS);
  },
);

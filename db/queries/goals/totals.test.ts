// Generated histories of logs against an in-memory SQLite: a goal's row, its days and a participant's totals always
// equal the sums of the logs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connect, type Statement } from "#db/connect.server";
import { runsOf, seedsOf } from "#tests/support/property-seed";
import { brokenConstraint } from "~/domain/errors";
import { countOf, type GoalContribution, type Log, NOTHING } from "~/domain/goals/logs";
import type { Owned } from "~/domain/owned";
import { HOUR, instant, millis, seconds } from "~/domain/time";
import { setDaySkipped } from "./days";
import { deleteLog, insertLog, updateLog } from "./logs";

/** Of each of two seeds. */
const HISTORIES = runsOf(20_000, 5000, 1000);
const START = Date.UTC(2026, 10, 21);
const DAYS = ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"];
/** Only builds statements; no statement runs on it. */
const db = connect({} as D1Database);

const measured = fc.record({
  status: fc.constantFrom<1 | 2 | 3 | 4>(1, 2, 2, 2, 3, 4),
  isTimed: fc.boolean(),
  amount: fc.option(fc.integer({ min: -3000, max: 9000 }), { nil: null }),
  distance: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: null }),
  duration: fc.option(fc.integer({ min: 0, max: 600 }), { nil: null }),
  elapsedDuration: fc.integer({ min: 0, max: 600_000 }),
});
const nth = fc.nat(20);
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("insert"), day: fc.constantFrom(...DAYS), measured }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("change"), nth, measured }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("delete"), nth }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("skip"), day: fc.constantFrom(...DAYS) }) },
) as fc.Arbitrary<
  | { type: "insert"; day: string; measured: Measured }
  | { type: "change"; nth: number; measured: Measured }
  | { type: "delete"; nth: number }
  | { type: "skip"; day: string }
>;
type Measured = typeof measured extends fc.Arbitrary<infer T> ? T : never;
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
/** A personal goal, or a goal of a session. */
const history = fc.record({
  isShared: fc.boolean(),
  operations: fc.array(operation, { minLength: 1, maxLength: 7 }),
});

const sqlite = new DatabaseSync(":memory:");
const folder = join(import.meta.dirname, "../../migrations");
for (const name of readdirSync(folder)
  .filter((file) => file.endsWith(".sql"))
  .sort())
  sqlite.exec(readFileSync(join(folder, name), "utf8"));
sqlite.exec(`INSERT INTO users (id, email, username, password_hash, created_at, updated_at) VALUES (1, 'a@example.com', 'walker', '-', 1, 1);
  INSERT INTO sessions (id, slug, owner_id, title, duration, schedule, created_at, updated_at) VALUES (1, 'walk', 1, 'Walk', 3600, '{}', 1, 1);`);

const prepared = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
/** Like D1, runs a batch as a transaction. False: progress would go below zero. */
function run(batch: Statement[]): boolean {
  sqlite.exec("BEGIN");
  try {
    for (const statement of batch) {
      const { sql, params } = (statement as unknown as { toSQL(): { sql: string; params: never[] } }).toSQL();
      const ready = prepared.get(sql) ?? sqlite.prepare(sql);
      prepared.set(sql, ready);
      ready.run(...params);
    }
    sqlite.exec("COMMIT");
    return true;
  } catch (error) {
    sqlite.exec("ROLLBACK");
    if (brokenConstraint(error) === "goal_progress_not_negative") return false;
    throw error;
  }
}

const insertGoal = sqlite.prepare(
  "INSERT INTO goals (id, uuid, user_id, session_id, title, created_at, updated_at) VALUES (?, ?, 1, ?, 'Pages', 1, 1)",
);
const readGoal = sqlite.prepare(
  "SELECT amount_elapsed AS amount, distance_elapsed_mm AS distance, duration_elapsed AS duration, logs_count AS rows FROM goals WHERE id = ?",
);
const readDays = sqlite.prepare(
  "SELECT day, amount, distance_mm AS distance, duration, logs FROM goal_days WHERE goal_id = ? ORDER BY day",
);
const readTotals = sqlite.prepare(
  "SELECT amount, distance_mm AS distance, duration FROM session_totals WHERE session_id = 1 AND goal_uuid = ?",
);
const readLog = sqlite.prepare("SELECT id FROM logs WHERE uuid = ?");

const sumOf = (logs: readonly Log[]): GoalContribution =>
  logs.map(countOf).reduce(
    (sum, one) => ({
      amount: sum.amount + one.amount,
      distance: sum.distance + one.distance,
      duration: sum.duration + one.duration,
      logs: sum.logs + one.logs,
    }),
    NOTHING,
  );
const isBelowZero = ({ amount, distance, duration }: GoalContribution) =>
  amount < 0 || distance < 0 || duration < 0;

let nextGoal = 0;
let now = START;
let refusals = 0;

function follow({ isShared, operations }: { isShared: boolean; operations: Operation[] }): void {
  const goalId = ++nextGoal;
  const uuid = `goal-${goalId}`;
  insertGoal.run(goalId, uuid, isShared ? 1 : null);
  let logs: Owned<Log>[] = [];
  for (const [i, op] of operations.entries()) {
    now += 1000;
    const at = instant(now);
    if (op.type === "skip") {
      run([setDaySkipped(db, { goalId, userId: 1, day: op.day, isSkipped: true })]);
      continue;
    }
    const before = op.type === "insert" ? undefined : logs[op.nth % Math.max(1, logs.length)];
    if (op.type !== "insert" && !before) continue;
    const values =
      op.type === "delete"
        ? null
        : {
            ...op.measured,
            // One timer of a goal runs at a time.
            status: op.measured.status === 1 && op.measured.isTimed ? (3 as const) : op.measured.status,
            duration: op.measured.duration === null ? null : seconds(op.measured.duration),
            elapsedDuration: millis(op.measured.elapsedDuration),
          };
    const log =
      op.type === "insert"
        ? ({
            uuid: `log-${goalId}-${i}`,
            goalId,
            userId: 1,
            username: "walker",
            sessionId: isShared ? 1 : null,
            sessionGoalUuid: isShared ? uuid : null,
            title: "",
            content: "",
            contentHtml: "",
            summary: "",
            action: "",
            day: op.day,
            createdAt: at,
            updatedAt: at,
            ...values,
          } as unknown as Owned<Log>)
        : ({ ...before, ...values, updatedAt: at } as Owned<Log>);
    const rest = logs.filter((one) => one !== before);
    const wanted = op.type === "delete" ? rest : [...rest, log];
    const statements = !before
      ? (({ row, counters }) => [row, ...counters])(insertLog(db, log as never))
      : op.type === "delete"
        ? (({ row, counters }) => [...counters, row])(deleteLog(db, before, instant(at + HOUR)))
        : (({ row, counters }) => [...counters, row])(
            updateLog(db, before, { ...values, updatedAt: at } as never),
          );
    const isDone = run(statements);
    expect(isDone, `${i} ${JSON.stringify(op)}`).toBe(!isBelowZero(sumOf(wanted)));
    if (!isDone) {
      refusals++;
      continue;
    }
    if (!before) log.id = (readLog.get(log.uuid) as { id: number }).id;
    logs = wanted;
  }
  const { logs: _, ...sum } = sumOf(logs);
  expect(readGoal.get(goalId)).toEqual({ ...sum, rows: logs.length });
  const days = readDays.all(goalId) as ({ day: string } & GoalContribution)[];
  for (const day of DAYS) {
    const { day: __, ...found } = days.find((one) => one.day === day) ?? { day, ...NOTHING };
    expect(found, day).toEqual(sumOf(logs.filter((log) => log.day === day)));
  }
  const totals = readTotals.get(uuid) ?? { amount: 0, distance: 0, duration: 0 };
  expect(totals).toEqual(isShared ? sum : { amount: 0, distance: 0, duration: 0 });
}

test.each(seedsOf(20_261_126))(
  `E-25 over ${HISTORIES} generated histories totals, days and a participant's totals equal the sum of the logs (seed %i)`,
  { timeout: 240_000 },
  (seed) => {
    refusals = 0;
    fc.assert(fc.property(history, follow), { numRuns: HISTORIES, seed, endOnFailure: true });
    expect(refusals).toBeGreaterThan(HISTORIES / 50);
  },
);

// The rows of an archive of the earlier schema, as the present tables have them.
import { expect, test } from "vitest";
import { inPresentTables, isEarlier } from "./earlier-archive.mjs";

const migrations = [...Array.from({ length: 54 }, (_, n) => `${n}.sql`), "0054_totals-on-the-newest-day.sql"];
type Row = Record<string, string | number | null>;
const table = (name: string, ...rows: Row[]) => {
  const columns = Object.keys(rows[0] ?? {});
  return { name, columns, rows: rows.map((row) => columns.map((column) => row[column])) };
};

const archive = {
  migrations,
  ledger: { granted: 100 },
  sequences: [
    { name: "sessions", seq: 1007 },
    { name: "retired_sessions", seq: 1 },
  ],
  tables: [
    table(
      "sessions",
      {
        id: 1,
        started_at: 50,
        host_id: 4,
        content: "Host\n\nAda",
        content_html: "<p>Host</p>\n<p>Ada</p>",
        updated_at: 9,
      },
      { id: 2, started_at: null, host_id: 4, content: "Both", content_html: "<p>Both</p>", updated_at: 8 },
    ),
    table(
      "participants",
      { session_id: 1, user_id: 4, entry_id: 1 },
      { session_id: 2, user_id: 4, entry_id: null },
    ),
    table(
      "host_texts",
      { session_id: 1, content: "Host", content_html: "<p>Host</p>" },
      { session_id: 2, content: "Old", content_html: "<p>Old</p>" },
    ),
    table(
      "token_entries",
      { id: 1, user_id: 4, reference: null, paid_for: "join:1" },
      { id: 2, user_id: 4, reference: "goal:a", paid_for: null },
      { id: 3, user_id: 4, reference: "log:gone", paid_for: "log:gone" },
    ),
    table(
      "goals",
      { id: 1, user_id: 4, amount_elapsed: 1, duration_elapsed: 2, distance_elapsed: 3, logs_count: 4 },
      { id: 2, user_id: 4, amount_elapsed: 5, duration_elapsed: 6, distance_elapsed: 7, logs_count: 8 },
    ),
    table(
      "goal_tags",
      { user_id: 4, tag: "home", goal_id: 1 },
      { user_id: 4, tag: "home", goal_id: 2 },
      { user_id: 5, tag: "home", goal_id: 3 },
    ),
    table(
      "goal_days",
      {
        goal_id: 1,
        user_id: 4,
        day: "2026-11-21",
        total_amount: 10,
        total_duration: 20,
        total_distance: 30,
        total_logs: 40,
      },
      {
        goal_id: 1,
        user_id: 4,
        day: "2026-11-20",
        total_amount: 9,
        total_duration: 9,
        total_distance: 9,
        total_logs: 9,
      },
      {
        goal_id: 1,
        user_id: 5,
        day: "2026-11-22",
        total_amount: 7,
        total_duration: 7,
        total_distance: 7,
        total_logs: 7,
      },
      {
        goal_id: 2,
        user_id: 4,
        day: "2026-11-21",
        total_amount: null,
        total_duration: null,
        total_distance: null,
        total_logs: null,
      },
    ),
  ],
};
const wanted = (name: string, ...columns: string[]) => ({ name, columns });
const here = {
  migrations: ["0000_schema.sql"],
  tables: [
    wanted("sessions", "id", "title_pairs", "told_start", "content", "content_html"),
    wanted("participants", "session_id", "joined_start"),
    wanted("contributions", "id", "session_id", "seq", "user_id", "content", "content_html", "created_at"),
    wanted("token_entries", "id", "reference"),
    wanted("goals", "id", "amount_elapsed", "duration_elapsed", "distance_elapsed", "logs_count"),
    wanted("goal_days", "goal_id", "day"),
    wanted("failed_rows", "job"),
    wanted("tag_counts", "user_id", "tag", "goals"),
  ],
};

test("Q-44 only an archive of exactly the earlier migrations is converted", () => {
  expect(isEarlier({ migrations })).toBe(true);
  expect(isEarlier({ migrations: migrations.slice(1) })).toBe(false);
  expect(isEarlier({ migrations: ["0000_schema.sql"] })).toBe(false);
});

test("Q-44 earlier rows get their references, totals, contributions and starts", () => {
  const { tables, sequences, ledger, migrations: now } = inPresentTables(structuredClone(archive), here);
  const rows = Object.fromEntries(
    tables.map((one: { name: string; rows: unknown[] }) => [one.name, one.rows]),
  );
  expect({ rows, sequences, ledger, now }).toEqual({
    now: ["0000_schema.sql"],
    ledger: { granted: 100 },
    sequences: [{ name: "sessions", seq: 1007 }],
    rows: {
      sessions: [
        [1, "", null, "Host", "<p>Host</p>"],
        [2, "", null, "", ""],
      ],
      participants: [
        [1, 50],
        [2, null],
      ],
      contributions: [
        [1, 1, 0, null, "Ada", "<p>Ada</p>", 9],
        [2, 2, 0, null, "Both", "<p>Both</p>", 8],
      ],
      token_entries: [
        [1, "join:1"],
        [2, "goal:a"],
        [3, "log:gone"],
      ],
      goals: [
        [1, 10, 20, 30, 40],
        [2, 5, 6, 7, 8],
      ],
      goal_days: [
        [1, "2026-11-21"],
        [1, "2026-11-20"],
        [1, "2026-11-22"],
        [2, "2026-11-21"],
      ],
      failed_rows: [],
      tag_counts: [
        [4, "home", 2],
        [5, "home", 1],
      ],
    },
  });
});

test("Q-44 a column that nothing gives is named", () => {
  const unknown = { ...here, tables: [wanted("goals", "id", "colour")] };
  expect(() => inPresentTables(structuredClone(archive), unknown)).toThrow(
    "The archive has no goals.colour.",
  );
});

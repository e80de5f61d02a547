// Archives from before the schema was one migration: their rows as the present tables have them.
import { randomBytes } from "node:crypto";

/** The migrations of these archives. */
const EARLIER = { count: 55, last: "0054_totals-on-the-newest-day.sql" };

export const isEarlier = ({ migrations }) =>
  migrations.length === EARLIER.count && migrations.at(-1) === EARLIER.last;

/**
 * `here`: the tables of this version, with their columns, and its migrations. Throws for a value that no statement below
 * gives.
 */
export function inPresentTables({ tables, sequences, ledger }, here) {
  const rowsOf = new Map(tables.map(({ name, columns, rows }) => [name, rows.map(asObject(columns))]));
  convert(rowsOf);
  return {
    ledger,
    sequences: sequences.filter(({ name }) => here.tables.some((table) => table.name === name)),
    migrations: here.migrations,
    tables: here.tables.map(({ name, columns }) => ({
      name,
      columns,
      rows: (rowsOf.get(name) ?? []).map((row) =>
        columns.map((column) => {
          if (row[column] === undefined) throw new Error(`The archive has no ${name}.${column}.`);
          return row[column];
        }),
      ),
    })),
  };
}

/** The handle of a seat or turn, as the column's default makes it. */
const newHandle = () => `~${randomBytes(8).toString("hex")}`;

const asObject = (columns) => (row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]));

/** In the order of the migrations that the archive lacks. */
function convert(rowsOf) {
  const each = (name, change) => {
    for (const row of rowsOf.get(name) ?? []) Object.assign(row, change(row));
  };
  each("recovery_codes", () => ({ created_at: 0 }));
  each("logs", () => ({ is_withheld: 0, is_interval: 0, search_text: "" }));
  each("notes", () => ({ search_text: "" }));
  each("users", () => ({ mail_failures: 0, distance_unit: null }));
  const asMillimetres = (thousandths) =>
    thousandths == null ? null : Math.sign(thousandths) * Math.round(Math.abs(thousandths) * 1609.344);
  for (const name of ["goal_days", "logs", "session_totals"])
    each(name, ({ distance }) => ({ distance_mm: asMillimetres(distance) }));
  each("persons", () => ({ shows_attended: 0 }));
  each("sessions", () => ({ told_start: null, title_pairs: "" }));
  for (const name of ["activities", "huts"]) each(name, () => ({ title_pairs: "" }));
  each("sessions", () => ({ is_example: 0 }));
  each("huts", () => ({ invite_sealed: null, invited_by: null }));
  const isPrivate = new Map((rowsOf.get("huts") ?? []).map((hut) => [hut.id, hut.is_private]));
  each("series", ({ hut_id: hut }) => ({ is_private: isPrivate.get(hut) ?? 0, stop: null }));
  const open = new Set(
    (rowsOf.get("sessions") ?? []).filter((row) => row.closed_at == null).map(({ id }) => id),
  );
  each("participants", ({ session_id: id }) => ({ handle: open.has(id) ? newHandle() : null }));
  for (const name of ["waiters", "standing_seats"]) each(name, () => ({ code_asked_at: null }));
  each("rota_hosts", () => ({ handle: newHandle() }));
  const startOf = new Map((rowsOf.get("sessions") ?? []).map(({ id, started_at: at }) => [id, at]));
  each("participants", ({ session_id: session }) => ({ joined_start: startOf.get(session) ?? null }));
  rowsOf.set("contributions", contributionsOf(rowsOf));
  // An entry had its reference, or what its row paid for.
  each("token_entries", ({ reference, paid_for: paidFor }) => ({ reference: reference ?? paidFor }));
  totalsIntoGoals(rowsOf);
  each("goals", ({ distance, distance_elapsed: elapsed }) => ({
    distance_mm: asMillimetres(distance),
    distance_elapsed_mm: asMillimetres(elapsed),
  }));
  rowsOf.set("tag_counts", countsOf(rowsOf.get("goal_tags") ?? []));
}

/** Contributions followed the host's text; nobody knows their authors. */
function contributionsOf(rowsOf) {
  const sessions = new Map((rowsOf.get("sessions") ?? []).map((row) => [row.id, row]));
  const contributions = [];
  for (const host of rowsOf.get("host_texts") ?? []) {
    const session = sessions.get(host.session_id);
    if (!session || session.content === host.content) continue;
    const isStart =
      session.content.startsWith(host.content) && session.content_html.startsWith(host.content_html);
    const rest = (column) =>
      (isStart ? session[column].slice(host[column].length) : session[column]).replace(/^\n+/, "");
    contributions.push({
      id: contributions.length + 1,
      session_id: session.id,
      seq: 0,
      user_id: null,
      username: null,
      content: rest("content"),
      content_html: rest("content_html"),
      created_at: session.updated_at,
    });
    session.content = isStart ? host.content : "";
    session.content_html = isStart ? host.content_html : "";
  }
  return contributions;
}

function countsOf(tags) {
  const counts = new Map();
  for (const { user_id, tag } of tags) {
    const key = `${user_id} ${tag}`;
    counts.set(key, { user_id, tag, goals: (counts.get(key)?.goals ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** The totals of a personal goal were on its newest day. */
function totalsIntoGoals(rowsOf) {
  const goals = new Map((rowsOf.get("goals") ?? []).map((row) => [row.id, row]));
  const newest = new Map();
  for (const day of rowsOf.get("goal_days") ?? []) {
    const isOwn = goals.get(day.goal_id)?.user_id === day.user_id;
    if (isOwn && !(newest.get(day.goal_id)?.day > day.day)) newest.set(day.goal_id, day);
  }
  for (const [id, day] of newest) {
    const goal = goals.get(id);
    goal.amount_elapsed = day.total_amount ?? goal.amount_elapsed;
    goal.duration_elapsed = day.total_duration ?? goal.duration_elapsed;
    goal.distance_elapsed = day.total_distance ?? goal.distance_elapsed;
    goal.logs_count = day.total_logs ?? goal.logs_count;
  }
}

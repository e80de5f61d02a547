// Statements of the planner, which records an event when a session's start comes within a reminder's lead (N-18, N-20);
// use cases run them.
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import type { Lead } from "~/domain/notices/notices";
import { type Instant, MINUTE } from "~/domain/time";

const { events, cronMarks } = schema;

/** The session `s` starts in (after, until]; served by the index of the lists. */
const startsBetween = (
  after: Instant,
  until: Instant,
): SQL => sql`s.closed_at IS NULL AND s.is_private IN (0, 1) AND s.is_template = 0
  AND s.list_key BETWEEN (${Math.floor(after / 1000)} << 31) AND (${Math.floor(until / 1000)} << 31) + 2147483647
  AND s.started_at > ${after} AND s.started_at <= ${until}`;

/** A participant has chosen this lead. Without one, a lead that is no default reminds nobody. */
const isChosenByParticipant = (lead: Lead): SQL =>
  sql`EXISTS (SELECT 1 FROM participants p JOIN notice_settings ns ON ns.user_id = p.user_id AND ns.kind = 'session-reminder' AND ns.value = ${lead} WHERE p.session_id = s.id)`;

/**
 * Inserts the events of this lead since the mark, and stores the new mark: two statements for one batch. A second
 * planner that read the same mark writes nothing.
 */
export function insertReminders(
  db: Database,
  lead: { minutes: Lead; isDefault: boolean },
  mark: { job: string; read: string },
  window: { after: Instant; now: Instant },
): [Statement, Statement] {
  const { minutes } = lead;
  const leadMilliseconds = minutes * MINUTE;
  const isStarting = startsBetween(
    (window.after + leadMilliseconds) as Instant,
    (window.now + leadMilliseconds) as Instant,
  );
  const isMarkUnchanged = sql`coalesce((SELECT mark FROM cron_marks WHERE job = ${mark.job}), '') = ${mark.read}`;
  const idPrefix = `e${window.now.toString(36).padStart(9, "0")}-`;
  return [
    insertFrom(
      db,
      events,
      {
        id: sql`${idPrefix} || ${minutes} || '-' || s.id`,
        kind: "session-reminder",
        subject: sql`'session:' || s.id`,
        body: sql`json_object('title', s.title, 'path', '/sessions/' || s.id, 'startedAt', s.started_at, 'lead', ${minutes})`,
        at: window.now,
      },
      sql`FROM sessions s WHERE ${isStarting} AND s.started_at > ${window.now} AND ${isMarkUnchanged} ${lead.isDefault ? sql`` : sql`AND ${isChosenByParticipant(minutes)}`}`,
    ),
    insertFrom(
      db,
      cronMarks,
      { job: mark.job, mark: String(window.now) },
      sql`WHERE ${isMarkUnchanged}`,
    ).onConflictDoUpdate({ target: cronMarks.job, set: { mark: sql`excluded.mark` } }),
  ];
}

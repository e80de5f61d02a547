// The visibility of private huts: conditions of every statement that reads a hut or its records (Q-27, R-87).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** A super admin in a browser, who sees every private hut (R-94). In a statement it is the user's id. */
class Overseer implements SQLWrapper {
  constructor(readonly id: number) {}
  getSQL(): SQL {
    return sql`${this.id}`;
  }
}

/** A user's id as a number or SQL, with an ordinary user's right; 0 is a visitor. */
export type Viewer = number | SQL | Overseer;

/** The only function that gives the right of a super admin. Statements never check that role themselves. */
export const viewerWith = (id: number, { seesAll }: { seesAll: boolean }): Viewer =>
  seesAll ? new Overseer(id) : id;

/** The user is a member or the owner of the hut, or a super admin. */
const isInHut = (hutId: SQL, viewer: Viewer): SQL =>
  viewer instanceof Overseer
    ? sql`TRUE`
    : sql`(EXISTS (SELECT 1 FROM hut_members seen_member WHERE seen_member.hut_id = ${hutId} AND seen_member.user_id = ${viewer})
    OR EXISTS (SELECT 1 FROM huts seen_hut WHERE seen_hut.id = ${hutId} AND seen_hut.owner_id = ${viewer}))`;

const hasSeatIn = (sessionId: SQL, viewer: Viewer): SQL =>
  sql`EXISTS (SELECT 1 FROM participants seen_seat WHERE seen_seat.session_id = ${sessionId} AND seen_seat.user_id = ${viewer})`;

const hasStandingSeatIn = (seriesId: SQL, viewer: Viewer): SQL =>
  sql`EXISTS (SELECT 1 FROM standing_seats seen_standing WHERE seen_standing.series_id = ${seriesId} AND seen_standing.user_id = ${viewer})`;

/**
 * A ban keeps the user out of the hut (Q-16); such a ban has no end until it is lifted. It also ends the rights of
 * seats in the hut's sessions (R-56).
 */
export const isBannedFrom = (hutId: SQL, viewer: Viewer): SQL =>
  sql`EXISTS (SELECT 1 FROM sanctions seen_ban WHERE seen_ban.scope = 'hut' AND seen_ban.target_id = ${hutId} AND seen_ban.user_id = ${viewer} AND seen_ban.kind = 'ban' AND seen_ban.until IS NULL)`;

const VISIBILITY_OF = {
  huts: (row: string, viewer: Viewer) => isInHut(sql.raw(`${row}.id`), viewer),
  /** The owner sees the activity too, and after the hut's deletion its followers do. */
  activities: (row: string, viewer: Viewer) =>
    sql`(${sql.raw(`${row}.owner_id`)} = ${viewer} OR ${isInHut(sql.raw(`${row}.hut_id`), viewer)}
      OR (${sql.raw(`${row}.hut_id`)} IS NULL AND EXISTS (SELECT 1 FROM followers seen_follow WHERE seen_follow.activity_id = ${sql.raw(`${row}.id`)} AND seen_follow.user_id = ${viewer})))`,
  /**
   * Without membership, a seat shows its session until the end. A private session that has lost its hut is visible with
   * a seat in it, or with a standing seat of its series (R-87).
   */
  sessions: (row: string, viewer: Viewer) =>
    sql`(${isInHut(sql.raw(`${row}.hut_id`), viewer)} OR ((${sql.raw(`${row}.hut_id`)} IS NULL OR ${sql.raw(`${row}.closed_at`)} IS NULL)
      AND ${hasSeatIn(sql.raw(`${row}.id`), viewer)} AND NOT ${isBannedFrom(sql.raw(`${row}.hut_id`), viewer)})
      OR (${sql.raw(`${row}.hut_id`)} IS NULL AND ${hasStandingSeatIn(sql.raw(`${row}.series_id`), viewer)}))`,
  /** Outside a hut, its host, the hosts in turn and people with a seat see the series (R-87). */
  series: (row: string, viewer: Viewer) =>
    sql`(${isInHut(sql.raw(`${row}.hut_id`), viewer)} OR (${sql.raw(`${row}.hut_id`)} IS NULL AND (${sql.raw(`${row}.owner_id`)} = ${viewer}
      OR ${hasStandingSeatIn(sql.raw(`${row}.id`), viewer)}
      OR EXISTS (SELECT 1 FROM rota_hosts seen_turn WHERE seen_turn.series_id = ${sql.raw(`${row}.id`)} AND seen_turn.user_id = ${viewer})
      OR EXISTS (SELECT 1 FROM sessions seen_day JOIN participants seen_seat ON seen_seat.session_id = seen_day.id AND seen_seat.user_id = ${viewer} WHERE seen_day.series_id = ${sql.raw(`${row}.id`)}))))`,
  items: (row: string, viewer: Viewer) =>
    sql`(${sql.raw(`${row}.person_id`)} IN (SELECT seen_person.id FROM persons seen_person WHERE seen_person.user_id = ${viewer})
      OR ${isInHut(sql.raw(`${row}.hut_id`), viewer)})`,
} satisfies Record<string, (row: string, viewer: Viewer) => SQL>;
export type VisibleTable = keyof typeof VISIBILITY_OF;

/** Rows that everybody sees, in the exact words of the partial indexes of lists. */
export const isPublic = (row: string): SQL => sql.raw(`${row}.is_private = 0`);

/** Whether the user sees a row of the table; `row` is the table's alias in the statement. */
export const isVisible = (table: VisibleTable, row: string, viewer: Viewer): SQL =>
  viewer === 0 ? isPublic(row) : sql`(${isPublic(row)} OR ${VISIBILITY_OF[table](row, viewer)})`;

/**
 * The condition of the user's own lists, feed and notices: they see the session, and no ban keeps them out of its hut
 * (R-56).
 */
export const isListedFor = (row: "sessions" | "t" | "n" | "seen_own", viewer: Viewer): SQL =>
  sql`(${isVisible("sessions", row, viewer)} AND NOT ${isBannedFrom(sql.raw(`${row}.hut_id`), viewer)})`;

/** The user sees the series, and no ban keeps the user out of its hut. */
export const isSeriesOpen = (row: "series" | "r" | "seen_row", viewer: Viewer): SQL =>
  sql`(${isVisible("series", row, viewer)} AND NOT ${isBannedFrom(sql.raw(`${row}.hut_id`), viewer)})`;

/**
 * The post is not removed, and the user may read it: with a join code its forum is for people with a seat (R-16). A ban
 * from the hut hides its posts.
 */
const isPostVisible = (postId: SQL, viewer: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM posts seen_post
    LEFT JOIN sessions seen_own ON seen_own.id = seen_post.session_id LEFT JOIN huts seen_place ON seen_place.id = seen_post.hut_id
    WHERE seen_post.id = ${postId} AND seen_post.removed_at IS NULL
    AND (seen_place.id IS NULL OR (${isVisible("huts", "seen_place", viewer)} AND NOT ${isBannedFrom(sql`seen_place.id`, viewer)}))
    AND (seen_own.id IS NULL OR (${isListedFor("seen_own", viewer)}
      AND (seen_own.join_code = '' OR ${hasSeatIn(sql`seen_own.id`, viewer)}))))`;

/** Whether the user may open the session, series or hut that a notice is about; true if it no longer exists. */
const isSubjectVisible = (subject: SQL, viewer: SQL): SQL => {
  const id = sql`CAST(substr(${subject}, instr(${subject}, ':') + 1) AS INTEGER)`;
  return sql`CASE substr(${subject}, 1, instr(${subject}, ':') - 1)
    WHEN 'session' THEN NOT EXISTS (SELECT 1 FROM sessions seen_own WHERE seen_own.id = ${id} AND NOT ${isListedFor("seen_own", viewer)})
    WHEN 'series' THEN NOT EXISTS (SELECT 1 FROM series seen_row WHERE seen_row.id = ${id} AND NOT ${isSeriesOpen("seen_row", viewer)})
    WHEN 'hut' THEN NOT EXISTS (SELECT 1 FROM huts seen_place WHERE seen_place.id = ${id} AND (NOT ${isVisible("huts", "seen_place", viewer)} OR ${isBannedFrom(sql`seen_place.id`, viewer)}))
    ELSE 1 END`;
};

/** Whether the session, series, hut or goal that a notice is about exists, and the session that its body names. */
const doesSubjectExist = ({ subject, body }: { subject: SQL; body: SQL }): SQL => {
  const id = sql`CAST(substr(${subject}, instr(${subject}, ':') + 1) AS INTEGER)`;
  return sql`((${body} ->> '$.session' IS NULL OR EXISTS (SELECT 1 FROM sessions named WHERE named.id = ${body} ->> '$.session'))
    AND CASE substr(${subject}, 1, instr(${subject}, ':') - 1)
    WHEN 'session' THEN EXISTS (SELECT 1 FROM sessions named WHERE named.id = ${id})
    WHEN 'series' THEN EXISTS (SELECT 1 FROM series named WHERE named.id = ${id})
    WHEN 'hut' THEN EXISTS (SELECT 1 FROM huts named WHERE named.id = ${id})
    WHEN 'goal' THEN EXISTS (SELECT 1 FROM goals named WHERE named.id = ${id})
    ELSE 1 END)`;
};

/**
 * Whether the user may open the subject, read the `post` and has the `seat` that a notice with this body is about; true
 * for a notice about anything else.
 */
export const isNoticeVisible = ({ subject, body }: { subject: SQL; body: SQL }, viewer: SQL): SQL =>
  sql`((${body} ->> '$.post' IS NULL OR ${isPostVisible(sql`${body} ->> '$.post'`, viewer)})
    AND (${body} ->> '$.seat' IS NULL OR ${hasSeatIn(sql`${body} ->> '$.seat'`, viewer)})
    AND ${isSubjectVisible(subject, viewer)})`;

/** Whether the path of a notice leads to a page that exists, and that the user may open. */
export const isNoticeOpen = (notice: { subject: SQL; body: SQL }, viewer: SQL): SQL =>
  sql`(${doesSubjectExist(notice)} AND ${isNoticeVisible(notice, viewer)})`;

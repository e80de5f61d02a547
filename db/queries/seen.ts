// The visibility of private huts: the condition of every statement that reads a hut or its things (Q-27).
import { type SQL, sql } from "drizzle-orm";

/** A user's id as a number or SQL; 0 is a visitor. */
export type Viewer = number | SQL;

/** The user is a member or the owner of the hut, or a super admin. */
const belongs = (hutId: SQL, viewer: Viewer): SQL =>
  sql`(EXISTS (SELECT 1 FROM hut_members seen_member WHERE seen_member.hut_id = ${hutId} AND seen_member.user_id = ${viewer})
    OR EXISTS (SELECT 1 FROM huts seen_hut WHERE seen_hut.id = ${hutId} AND seen_hut.owner_id = ${viewer})
    OR EXISTS (SELECT 1 FROM users seen_user WHERE seen_user.id = ${viewer} AND seen_user.role_id = 10))`;

const OF = {
  huts: (row: string, viewer: Viewer) => belongs(sql.raw(`${row}.id`), viewer),
  /** The owner sees the activity too, and after the hut's deletion its followers do. */
  activities: (row: string, viewer: Viewer) =>
    sql`(${sql.raw(`${row}.owner_id`)} = ${viewer} OR ${belongs(sql.raw(`${row}.hut_id`), viewer)}
      OR (${sql.raw(`${row}.hut_id`)} IS NULL AND EXISTS (SELECT 1 FROM followers seen_follow WHERE seen_follow.activity_id = ${sql.raw(`${row}.id`)} AND seen_follow.user_id = ${viewer})))`,
  /** A seat counts as membership for its session. */
  sessions: (row: string, viewer: Viewer) =>
    sql`(EXISTS (SELECT 1 FROM participants seen_seat WHERE seen_seat.session_id = ${sql.raw(`${row}.id`)} AND seen_seat.user_id = ${viewer})
      OR ${belongs(sql.raw(`${row}.hut_id`), viewer)})`,
  items: (row: string, viewer: Viewer) =>
    sql`(${sql.raw(`${row}.person_id`)} IN (SELECT seen_person.id FROM persons seen_person WHERE seen_person.user_id = ${viewer})
      OR ${belongs(sql.raw(`${row}.hut_id`), viewer)})`,
} satisfies Record<string, (row: string, viewer: Viewer) => SQL>;
export type SeenTable = keyof typeof OF;

/** Rows that everybody sees, in the exact words of the partial indexes of lists. */
export const isPublic = (row: string): SQL => sql.raw(`${row}.is_private = 0`);

/** Whether the user sees a row of the table; `row` is the table's alias in the statement. */
export const isSeen = (table: SeenTable, row: string, viewer: Viewer): SQL =>
  viewer === 0 ? isPublic(row) : sql`(${isPublic(row)} OR ${OF[table](row, viewer)})`;

const hasSeatIn = (sessionId: SQL, viewer: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM participants seen_seat WHERE seen_seat.session_id = ${sessionId} AND seen_seat.user_id = ${viewer})`;

/** The post is not removed, and the user may read it: with a join code its forum is for people with a seat (R-16). */
const isPostSeen = (postId: SQL, viewer: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM posts seen_post
    LEFT JOIN sessions seen_session ON seen_session.id = seen_post.session_id LEFT JOIN huts seen_place ON seen_place.id = seen_post.hut_id
    WHERE seen_post.id = ${postId} AND seen_post.removed_at IS NULL
    AND (seen_place.id IS NULL OR ${isSeen("huts", "seen_place", viewer)})
    AND (seen_session.id IS NULL OR (${isSeen("sessions", "seen_session", viewer)}
      AND (seen_session.join_code = '' OR ${hasSeatIn(sql`seen_session.id`, viewer)}
        OR EXISTS (SELECT 1 FROM users seen_admin WHERE seen_admin.id = ${viewer} AND seen_admin.role_id = 10)))))`;

/**
 * Whether the user may read the `post` and has the `seat` that a notice with this body is about; true for a notice about
 * anything else.
 */
export const isNoticeSeen = (body: SQL, viewer: SQL): SQL =>
  sql`((${body} ->> '$.post' IS NULL OR ${isPostSeen(sql`${body} ->> '$.post'`, viewer)})
    AND (${body} ->> '$.seat' IS NULL OR ${hasSeatIn(sql`${body} ->> '$.seat'`, viewer)}))`;

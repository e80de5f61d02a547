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

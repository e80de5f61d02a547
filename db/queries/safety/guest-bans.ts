// Statements on the bans of guests' browsers and networks (H-24), and on the sanctions of the accounts that have signed in
// by a browser. Use cases run them.
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { holdsIn } from "#db/queries/safety/sanctions";
import type { HeldSanction } from "~/domain/safety/sanctions";
import { DAY, type Instant, instant } from "~/domain/time";

const { guestBans } = schema;

/** `hashes`: of cookies and network, any of which a ban may name (H-24). `device`: the hash of the device cookie. */
export type Browser = { hashes: readonly string[]; device: string };

/** How long a browser is kept out (H-24). */
const BROWSER_BAN_DURATION = 30 * DAY;
/** The `until` of a network's ban, which ends when its session closes, however far ahead that is (H-24). */
export const UNTIL_CLOSED = instant(Date.UTC(9999, 0));

/** The session `s` and its places, where a ban may hold. */
export const OF_S = { id: sql`s.id`, seriesId: sql`s.series_id`, hutId: sql`s.hut_id` };

/**
 * The bans `b` of this browser in the session `s` or in another date of its series (H-24). A network's hash differs in
 * each session; a browser's hash is the same in all.
 */
const fromGuestBans = ({ hashes }: Browser, now: Instant): SQL =>
  sql`FROM guest_bans b JOIN sessions o ON o.id = b.session_id
    WHERE b.hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)})) AND b.until > ${now} AND (o.id = s.id OR o.series_id = s.series_id)`;

/** The bans and mutes `b`, in the session `s`, of the accounts that have signed in by this browser. */
const fromSanctions = ({ device }: Browser, now: Instant): SQL =>
  sql`FROM devices d JOIN sanctions b ON b.user_id = d.user_id
    WHERE d.token_hash = ${device} AND d.expires_at > ${now} AND ${holdsIn(OF_S, now)}`;

/** Rows if the session `s` takes no guest from this browser. */
export const selectBansIn = (browser: Browser, now: Instant): SQL =>
  sql`SELECT 1 ${fromGuestBans(browser, now)} UNION ALL SELECT 1 ${fromSanctions(browser, now)}`;

/**
 * Whether the browser or its network is banned from the session, and the sanctions that hold there of the accounts that
 * the browser remembers. They have no reason, because another person may use the browser.
 */
export const findBrowserBans = (db: Database, sessionId: number, browser: Browser, now: Instant) =>
  db
    .select({
      isBanned: sql<boolean>`EXISTS (SELECT 1 ${fromGuestBans(browser, now)})`
        .mapWith(Boolean)
        .as("is_banned"),
      sanctions: sql<
        HeldSanction[]
      >`(SELECT json_group_array(json_object('scope', b.scope, 'kind', b.kind, 'until', b.until, 'reason', '')) ${fromSanctions(browser, now)})`
        .mapWith((json: string) => JSON.parse(json) as HeldSanction[])
        .as("sanctions_of_browser"),
    })
    .from(sql`sessions s`)
    .where(sql`s.id = ${sessionId}`)
    .limit(1);

/** Bans the browser and the network of a guest from the session; does nothing for an account. */
export const banBrowser = (
  db: Database,
  { sessionId, userId, now }: { sessionId: number; userId: number; now: Instant },
): Statement[] => {
  const until = instant(now + BROWSER_BAN_DURATION);
  return [
    { hash: sql`l.token_hash`, until, from: sql`FROM users u JOIN logins l ON l.user_id = u.id WHERE true` },
    // A guest who was muted may have signed out.
    { hash: sql`d.token_hash`, until, from: sql`FROM users u JOIN devices d ON d.user_id = u.id WHERE true` },
    {
      hash: sql`u.guest_network`,
      until: UNTIL_CLOSED,
      from: sql`FROM users u WHERE u.guest_network IS NOT NULL`,
    },
  ].map(({ hash, until, from }) =>
    insertFrom(
      db,
      guestBans,
      { sessionId, hash, until, userId },
      sql`${from} AND u.id = ${userId} AND u.guest_of IS NOT NULL`,
    ).onConflictDoNothing(),
  );
};

/**
 * Makes the bans that name one of `hashes` name `hash` too, until the same instant, because the browser gets another
 * cookie. Returns the sessions.
 */
export const carryGuestBans = (db: Database, hashes: readonly string[], hash: string) =>
  insertFrom(
    db,
    guestBans,
    { sessionId: sql`b.session_id`, hash, until: sql`max(b.until)`, userId: sql`b.user_id` },
    sql`FROM guest_bans b WHERE b.hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)})) GROUP BY b.session_id`,
  )
    .onConflictDoNothing()
    .returning({ sessionId: guestBans.sessionId });

/**
 * Lifts the bans of this guest's browsers and network, in the session and in the other dates of its series, where
 * `condition` holds.
 */
export const liftGuestBans = (
  db: Database,
  { sessionId, userId }: { sessionId: number; userId: number },
  condition: SQL = sql`true`,
): Statement =>
  db.delete(guestBans).where(
    sql`session_id IN (SELECT o.id FROM sessions s JOIN sessions o ON o.id = s.id OR o.series_id = s.series_id WHERE s.id = ${sessionId})
      AND (user_id = ${userId} OR hash IN (SELECT l.token_hash FROM logins l WHERE l.user_id = ${userId} UNION SELECT d.token_hash FROM devices d WHERE d.user_id = ${userId}
        UNION SELECT u.guest_network FROM users u WHERE u.id = ${userId} AND u.guest_of IS NOT NULL)) AND ${condition}`,
  );

/**
 * Copies the bans of browsers, before their session is deleted, to the newest other date of its series, where the
 * browsers stay out as well (H-24). A network is kept out of one date only.
 */
export const keepBrowsersOut = (db: Database, sessionId: number, condition = sql`1`): Statement =>
  insertFrom(
    db,
    guestBans,
    { sessionId: sql`o.id`, hash: sql`b.hash`, until: sql`b.until`, userId: sql`b.user_id` },
    sql`FROM guest_bans b JOIN sessions s ON s.id = b.session_id
      JOIN sessions o ON o.id = (SELECT max(d.id) FROM sessions d WHERE d.series_id = s.series_id AND d.id <> s.id)
      WHERE s.id = ${sessionId} AND b.until < ${UNTIL_CLOSED} AND ${condition}`,
  ).onConflictDoUpdate({
    target: [guestBans.sessionId, guestBans.hash],
    set: { until: sql`max(until, excluded.until)` },
  });

/** Deletes bans of browsers that have ended, and those of networks whose session has closed. */
export const deleteOldBans = (db: Database, now: Instant): Statement =>
  db
    .delete(guestBans)
    .where(
      sql`until <= ${now} OR (until = ${UNTIL_CLOSED} AND session_id IN (SELECT id FROM sessions WHERE closed_at IS NOT NULL))`,
    );

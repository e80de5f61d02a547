// Statements on the guests of a session (H-17 to H-26): seats taken with only a name, and the erasure after the session.
// Use cases run them.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { eraseNames } from "#db/queries/accounts/deletion";
import { IS_OPEN_LOG } from "#db/queries/goals/open-logs";
import { insertFrom } from "#db/queries/insert-from";
import { type Browser, OF_S, selectBansIn } from "#db/queries/safety/guest-bans";
import { numberGuest } from "#db/queries/safety/reports";
import { isLetIn } from "#db/queries/safety/sanctions";
import { LOG_STATUS } from "~/domain/goals/log-state";
import { goneGuestName } from "~/domain/room/guest-names";
import { DAY, type Instant } from "~/domain/time";
import { isSeatFree, refundSeatsWhere } from "./participants";

const { users, persons, participants, sessions, logins, devices, logs, contributions } = schema;
const { notices, repeatedRequests, reports, decisions, blocks, chatErasures, audit } = schema;

/** The facts on which a guest's seat was decided. If any has changed, no seat is taken. */
export type GuestTerms = {
  sessionId: number;
  joinCode: string;
  hostId: number;
  capacity: number;
  browser: Browser;
  now: Instant;
};

/** A condition on the session `s`: a guest may take a seat in it now, and its host pays for it (H-17, H-20). */
const takesGuests = ({ joinCode, hostId, capacity, browser, now }: GuestTerms): SQL =>
  sql`s.closed_at IS NULL AND s.is_template = 0 AND s.is_private = 0 AND s.join_code = ${joinCode}
    AND (s.ended_at IS NULL OR s.started_at IS NULL OR s.ended_at > ${now}) AND ${isSeatFree(capacity)}
    AND EXISTS (SELECT 1 FROM participants h WHERE h.session_id = s.id AND h.is_host = 1 AND h.user_id = ${hostId})
    AND (SELECT count(*) FROM participants g WHERE g.session_id = s.id AND g.guest_look <> '') < s.guest_limit
    AND NOT EXISTS (${selectBansIn(browser, now)})`;

/** `address` replaces the email that a guest does not have. Later statements of the batch find the row by it. */
export type NewGuest = {
  address: string;
  username: string;
  name: string;
  look: string;
  network: string;
  timeZone: string;
  locale: string;
};
const hasAddress = (row: string, address: string): SQL =>
  sql`lower(${sql.raw(`${row}.email`)}) = lower(${address})`;

/** The guest at one of these addresses, one with a seat first. */
export const findGuestAt = (db: Database, addresses: readonly string[]) =>
  db
    .select({
      address: sql<string>`u.email`.as("guest_address"),
      isSeated:
        sql<boolean>`EXISTS (SELECT 1 FROM participants p WHERE p.session_id = u.guest_of AND p.user_id = u.id)`
          .mapWith(Boolean)
          .as("is_seated"),
    })
    .from(sql`users u`)
    .where(
      sql`lower(u.email) IN (SELECT value FROM json_each(${JSON.stringify(addresses)})) AND u.guest_of > 0`,
    )
    .orderBy(sql`is_seated DESC`)
    .limit(1);

/** The person of a guest, who never has a second one. */
const selectOnlyPerson = (user: string): SQL =>
  sql`(SELECT own.id FROM persons own WHERE own.user_id = ${sql.raw(user)}.id)`;

/**
 * Inserts a guest with their only person, if a seat is free: two statements, which run before `takeGuestSeat`.
 * `users.person_id` stays null, because setting it would write another row.
 */
export const insertGuest = (db: Database, guest: NewGuest, terms: GuestTerms): Statement[] => [
  insertFrom(
    db,
    users,
    {
      email: guest.address,
      username: guest.username,
      firstName: guest.name,
      passwordHash: "guest",
      timeZone: guest.timeZone,
      locale: guest.locale,
      newMessages: "",
      isNew: false,
      guestOf: sql`s.id`,
      guestNetwork: guest.network,
      createdAt: terms.now,
      updatedAt: terms.now,
    },
    sql`FROM sessions s WHERE s.id = ${terms.sessionId} AND ${takesGuests(terms)}`,
  ),
  insertFrom(
    db,
    persons,
    { userId: sql`u.id`, username: guest.username, createdAt: terms.now },
    // Another press may have made this guest, with another name.
    sql`FROM users u WHERE ${hasAddress("u", guest.address)} AND u.username = ${guest.username}
      AND NOT EXISTS (SELECT 1 FROM persons p WHERE p.user_id = u.id)`,
  ),
];

/** Inserts a login of the guest at this address, if the guest has a seat. */
export const insertGuestLogin = (
  db: Database,
  address: string,
  login: Omit<typeof logins.$inferInsert, "userId">,
): Statement =>
  insertFrom(
    db,
    logins,
    { ...login, userId: sql`u.id` },
    sql`FROM users u WHERE ${hasAddress("u", address)}
      AND EXISTS (SELECT 1 FROM participants p WHERE p.session_id = u.guest_of AND p.user_id = u.id)`,
  );

/** A condition of later statements in the batch: this seat was taken. */
export const hasSeatNamed = ({ sessionId, seat }: { sessionId: number; seat: string }): SQL =>
  sql`EXISTS (SELECT 1 FROM participants WHERE session_id = ${sessionId} AND seat = ${seat})`;

/**
 * Seats a guest, found by the address of a new guest or the id of a returning guest, and raises the session's count.
 * Two statements.
 */
export const takeGuestSeat = (
  db: Database,
  guest: { address: string } | { userId: number },
  seat: { seat: string; look: string },
  terms: GuestTerms,
): Statement[] => {
  const { sessionId, now } = terms;
  const isThisGuest = "address" in guest ? hasAddress("u", guest.address) : sql`u.id = ${guest.userId}`;
  return [
    insertFrom(
      db,
      participants,
      {
        sessionId: sql`s.id`,
        userId: sql`u.id`,
        personId: selectOnlyPerson("u"),
        username: sql`u.username`,
        seat: seat.seat,
        paidBy: terms.hostId,
        joinedAt: now,
        joinedStart: sql`s.started_at`,
        guestName: sql`u.first_name`,
        guestLook: seat.look,
      },
      sql`FROM sessions s JOIN users u ON u.guest_of = s.id AND ${isThisGuest} WHERE s.id = ${sessionId} AND ${takesGuests(terms)}
        AND ${isLetIn({ userId: sql`u.id`, now }, OF_S)}
        AND NOT EXISTS (SELECT 1 FROM participants o WHERE o.session_id = s.id AND o.user_id = u.id)`,
    ),
    db
      .update(sessions)
      .set({ participantsCount: sql`participants_count + 1` })
      .where(and(eq(sessions.id, sessionId), hasSeatNamed({ sessionId, seat: seat.seat }))),
  ];
};

/** The names in the session, which a guest's name may not resemble (H-23). */
export const listNamesIn = (db: Database, sessionId: number) =>
  db
    .select({
      userId: participants.userId,
      username: participants.username,
      guestName: participants.guestName,
    })
    .from(participants)
    .where(eq(participants.sessionId, sessionId));

/** Gives a guest another name (H-23). */
export const renameGuest = (
  db: Database,
  { sessionId, userId, name, look }: { sessionId: number; userId: number; name: string; look: string },
): Statement[] => [
  db
    .update(participants)
    .set({ guestName: name, guestLook: look })
    .where(sql`session_id = ${sessionId} AND user_id = ${userId} AND guest_look <> ''`),
  db.update(users).set({ firstName: name }).where(sql`id = ${userId} AND guest_of = ${sessionId}`),
];

/** Frees the seats of all guests if the session has not ended (H-24): refunds, audit rows, seats and count. */
export function freeGuestSeats(
  db: Database,
  {
    sessionId,
    isRefunded,
    actorId,
    now,
  }: { sessionId: number; isRefunded: boolean; actorId: number; now: Instant },
): Statement[] {
  const isFreed = (row: string) =>
    sql`${sql.raw(row)}.session_id = ${sessionId} AND ${sql.raw(row)}.guest_look <> ''
      AND EXISTS (SELECT 1 FROM sessions o WHERE o.id = ${sessionId} AND o.closed_at IS NULL AND (o.ended_at IS NULL OR o.started_at IS NULL OR o.ended_at > ${now}))`;
  return [
    ...(isRefunded ? refundSeatsWhere(db, now, isFreed("p")) : []),
    insertFrom(
      db,
      audit,
      {
        at: now,
        actorId,
        action: "participant-removed",
        targetKind: "session",
        targetId: String(sessionId),
        userId: sql`p.user_id`,
        reason: "",
        previous: "",
      },
      sql`FROM participants p WHERE ${isFreed("p")}`,
    ),
    db
      .update(sessions)
      .set({
        participantsCount: sql`participants_count - (SELECT count(*) FROM participants p WHERE ${isFreed("p")})`,
      })
      .where(sql`id = ${sessionId} AND EXISTS (SELECT 1 FROM participants p WHERE ${isFreed("p")})`),
    db.delete(participants).where(isFreed("participants")),
  ];
}

export const listGuests = (db: Database, sessionId: number) =>
  db
    .select({ userId: participants.userId })
    .from(participants)
    .where(sql`session_id = ${sessionId} AND guest_look <> ''`);

/** At most `limit` guests, in the order of their ids, from the one after `after`. */
type GuestPage = { after: number; limit: number };

/**
 * Guests with a seat in a session before its start, and without a login that could use it: no guest signs in again. In a
 * run a socket outlives its login, so the seat may be in use.
 */
export const listSignedOutGuests = (db: Database, now: Instant, { after, limit }: GuestPage) =>
  db
    .select({ id: users.id, guestOf: sql<number>`${users.guestOf}`.as("guest_session") })
    .from(users)
    .innerJoin(sessions, eq(sessions.id, users.guestOf))
    .where(
      sql`guest_of > 0 AND ${users.id} > ${after} AND ${sessions.closedAt} IS NULL
        AND (${sessions.startedAt} IS NULL OR ${sessions.startedAt} > ${now})
        AND EXISTS (SELECT 1 FROM participants p WHERE p.session_id = ${sessions.id} AND p.user_id = ${users.id})
        AND NOT EXISTS (SELECT 1 FROM logins l WHERE l.user_id = ${users.id} AND l.expires_at > ${now})`,
    )
    .orderBy(users.id)
    .limit(limit);

// ---- after the session

/** How long a guest's words stay after the session (H-21). */
const WORDS_LIFETIME = DAY;

/** Sets the instant at which the guests of closed or deleted sessions are erased. */
export const setGuestEnds = (db: Database, now: Instant): Statement =>
  db
    .update(users)
    .set({
      endsAt: sql`coalesce((SELECT s.closed_at + ${WORDS_LIFETIME} FROM sessions s WHERE s.id = users.guest_of), ${now})`,
    })
    .where(
      sql`guest_of > 0 AND ends_at IS NULL AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = users.guest_of AND s.closed_at IS NULL)`,
    );

export const listDueGuests = (db: Database, now: Instant, { after, limit }: GuestPage) =>
  db
    .select({ id: users.id, guestOf: sql<number>`${users.guestOf}`.as("guest_session") })
    .from(users)
    .where(sql`guest_of > 0 AND id > ${after} AND ends_at <= ${now}`)
    .orderBy(users.id)
    .limit(limit);

/**
 * Erases everything of a guest except numbers: sums, attendance and the recap stay under `~guest.{id}`, and reports
 * keep their text (H-21). It erases nothing of a guest who has become an account. Idempotent; the statements belong in
 * one batch.
 */
export function eraseGuest(db: Database, userId: number, now: Instant): Statement[] {
  const name = goneGuestName(userId);
  const isDue = sql`EXISTS (SELECT 1 FROM users due WHERE due.id = ${userId} AND due.guest_of > 0 AND due.ends_at <= ${now})`;
  return [
    ...eraseNames(db, userId, name, isDue),
    db
      .update(logs)
      .set({
        ...{ title: "", content: "", contentHtml: "", summary: "", searchText: "", username: name },
        // Nobody can stop a timer that still runs. A stopped log counts what an open one does (R-54).
        status: sql`CASE WHEN ${IS_OPEN_LOG} THEN ${LOG_STATUS.stopped} ELSE status END`,
      })
      .where(sql`user_id = ${userId} AND ${isDue}`),
    db
      .update(participants)
      .set({ username: name, aim: "", aimGoalId: null, guestName: "", guestLook: "" })
      .where(sql`user_id = ${userId} AND ${isDue}`),
    db.update(contributions).set({ username: name }).where(sql`user_id = ${userId} AND ${isDue}`),
    ...numberGuest(db, userId, isDue),
    db.update(reports).set({ authorName: name }).where(sql`author_id = ${userId} AND ${isDue}`),
    db.update(decisions).set({ authorName: name }).where(sql`user_id = ${userId} AND ${isDue}`),
    insertFrom(
      db,
      chatErasures,
      { userId: sql`u.id`, sessionId: sql`s.id` },
      sql`FROM users u JOIN sessions s ON s.id = u.guest_of WHERE u.id = ${userId} AND ${isDue}`,
    ).onConflictDoNothing(),
    db.delete(notices).where(sql`user_id = ${userId} AND ${isDue}`),
    db.delete(blocks).where(sql`(user_id = ${userId} OR blocked_id = ${userId}) AND ${isDue}`),
    db.delete(repeatedRequests).where(sql`user_id = ${userId} AND ${isDue}`),
    db.delete(logins).where(sql`user_id = ${userId} AND ${isDue}`),
    db.delete(devices).where(sql`user_id = ${userId} AND ${isDue}`),
    db.update(persons).set({ username: name, title: "" }).where(sql`user_id = ${userId} AND ${isDue}`),
    // This statement is the last, because the others check that the guest is due. `guest_of` keeps the session's number
    // as a negative, so the row never counts as an account.
    db
      .update(users)
      .set({
        username: name,
        email: `${name}@guest.invalid`,
        firstName: "",
        timeZone: "UTC",
        locale: null,
        guestNetwork: null,
        guestOf: sql`-guest_of`,
        updatedAt: now,
      })
      .where(sql`id = ${userId} AND guest_of > 0 AND ends_at <= ${now}`),
  ];
}

// ---- an account

/** Turns a guest into an account with everything they have (H-22). No row changes if the user is no longer a guest. */
export const turnGuestIntoAccount = (
  db: Database,
  userId: number,
  account: {
    email: string;
    username: string;
    firstName: string;
    lastName: string;
    passwordHash: string;
    now: Instant;
  },
): Statement[] => {
  const isNowAccount = sql`EXISTS (SELECT 1 FROM users kept WHERE kept.id = ${userId} AND kept.guest_of IS NULL AND lower(kept.email) = lower(${account.email}))`;
  return [
    db
      .update(users)
      .set({
        email: account.email,
        username: account.username,
        firstName: account.firstName,
        lastName: account.lastName,
        passwordHash: account.passwordHash,
        newMessages: "free_tokens",
        isNew: true,
        guestOf: null,
        endsAt: null,
        guestNetwork: null,
        personId: selectOnlyPerson("users"),
        updatedAt: account.now,
      })
      .where(sql`id = ${userId} AND guest_of > 0`),
    db
      .update(persons)
      .set({ username: account.username })
      .where(sql`user_id = ${userId} AND ${isNowAccount}`),
    db
      .update(participants)
      .set({ username: account.username, guestName: "", guestLook: "" })
      .where(sql`user_id = ${userId} AND ${isNowAccount}`),
    db
      .update(contributions)
      .set({ username: account.username })
      .where(sql`user_id = ${userId} AND ${isNowAccount}`),
    db.update(logs).set({ username: account.username }).where(sql`user_id = ${userId} AND ${isNowAccount}`),
  ];
};

export const findGuestOf = (db: Database, userId: number) =>
  db.select({ guestOf: users.guestOf }).from(users).where(eq(users.id, userId)).limit(1);

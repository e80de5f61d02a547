// Logins: a random token in a cookie, and its SHA-256 in the database.

import type { Database } from "#db/connect.server";
import * as logins from "#db/queries/accounts/logins";
import { isGuest } from "~/domain/guest-rights";
import { logLine } from "~/domain/log-line";
import { DAY, HOUR, type Instant, instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";

/** A login expires when unused for this long. */
const LOGIN_LIFE = 30 * DAY;
/** A login expires after this long even if active. The cookie lasts as long, but the row decides. */
const MAX_LOGIN_LIFE = 90 * DAY;

type LoginRow = Awaited<ReturnType<typeof logins.findCurrentUser>>[number];
type UserRow = Omit<LoginRow, "lastSeenAt" | "loginCreatedAt">;

/** The user of a login cookie, or null. It extends a used login, with at most one write an hour. */
export async function findUserByToken(
  db: Database,
  token: string,
  now: Instant,
  defer: (work: Promise<unknown>) => void,
): Promise<CurrentUser | null> {
  const tokenHash = await hashToken(token);
  const [row] = await logins.findCurrentUser(db, tokenHash, now);
  if (!row) return null;
  if (row.lastSeenAt < now - HOUR) {
    const expiresAt = instant(Math.min(now + LOGIN_LIFE, row.loginCreatedAt + MAX_LOGIN_LIFE));
    defer(logins.touchLogin(db, tokenHash, now, expiresAt).then(() => {}));
  }
  return asCurrentUser(row, tokenHash);
}

/** Converts a row of `findCurrentUser` or `findUserOfKey`. */
export const asCurrentUser = (row: UserRow, loginHash: string): CurrentUser => ({
  id: row.user.id,
  roleId: row.user.roleId,
  email: row.user.email,
  isConfirmed: row.user.emailConfirmedAt !== null,
  username: row.username,
  personId: row.personId,
  firstName: row.user.firstName,
  lastName: row.user.lastName,
  timeZone: row.user.timeZone,
  distanceUnit: row.user.distanceUnit,
  unreadNotices: row.user.unreadNotices,
  isNew: row.user.isNew,
  newMessages: row.user.newMessages.split(",").filter(Boolean),
  tokens: row.tokens,
  reservedTokens: row.reserved,
  owedTokens: row.owed,
  subscription: row.subscription,
  suspension: row.suspension,
  guestOf: row.user.guestOf,
  loginHash,
  checkedAt: row.checkedAt,
  hasUnstoredTimerEnd: row.hasUnstoredTimerEnd,
  runningLog: row.runningLog,
});

/** A new login of this browser, always with a new id: the row to insert and the cookie's value. */
export async function newLogin(app: App) {
  const token = newToken();
  const { now } = app;
  return {
    record: {
      tokenHash: await hashToken(token),
      userAgent: app.origin.userAgent,
      place: app.origin.place,
      createdAt: now,
      lastSeenAt: now,
      // Signing in is a check.
      checkedAt: now,
      expiresAt: instant(now + LOGIN_LIFE),
    },
    cookie: { token, expiresAt: instant(now + MAX_LOGIN_LIFE) },
  };
}

/**
 * Ends this browser's login; of a guest without an account all logins, because two presses of "Sit in" leave two. Returns
 * their hashes.
 */
export const deleteBrowserLogin = (db: Database, user: CurrentUser | null) =>
  isGuest(user)
    ? logins.deleteGuestLogins(db, user.id, user.loginHash)
    : logins.deleteLogin(db, user?.loginHash ?? "");

/** An ended login is reported to a room until its session has been closed for this long. */
const SOCKET_LIFE = 7 * DAY;
/** At most this many rooms are notified of an ended login or a block, because each takes a call. */
export const MAX_NOTIFIED_ROOMS = 300;

/** Sockets may be open in sessions that closed since then. */
export const socketsSince = (app: App): Instant => instant(app.now - SOCKET_LIFE);

/**
 * Closes the sockets that ended logins of this user opened, in every room where the user has a seat, and in that of
 * `leftSession`, whose seat a guest gave up before the login ended.
 */
export function endSockets(
  app: App,
  userId: number,
  endedLogins: readonly { loginHash: string }[],
  leftSession: number | null = null,
): void {
  if (endedLogins.length === 0) return;
  const loginHashes = endedLogins.map(({ loginHash }) => loginHash);
  const closeSockets = async () => {
    const seats = await logins.listSeatsWithSockets(app.db, userId, socketsSince(app), MAX_NOTIFIED_ROOMS);
    const rooms = new Set(seats.map(({ sessionId }) => sessionId));
    if (leftSession !== null) rooms.add(leftSession);
    await Promise.all([...rooms].map((id) => app.rooms.of(id).endLogins(loginHashes).catch(logFailure)));
  };
  app.defer(closeSockets().catch(logFailure));
}

const logFailure = (error: unknown) => {
  console.error(logLine({ event: "end-sockets-failed", error: String(error).slice(0, 200) }));
};

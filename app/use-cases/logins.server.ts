// Who is asking: a login is a random token in a cookie and its SHA-256 in the database.

import type { Database } from "#db/connect.server";
import { deleteLogin, findCurrentUser, touchLogin } from "#db/queries/logins";
import { DAY, HOUR, type Instant, instant } from "~/domain/time";
import type { CurrentUser } from "./app.server";

export const LOGIN_LIFE = 30 * DAY;

export async function hashToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** 256 random bits, for cookies and mailed links. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "");
}

/** The user behind a login cookie, or null. Keeps a used login alive, at most one write an hour. */
export async function findUserByToken(
  db: Database,
  token: string,
  now: Instant,
  defer: (work: Promise<unknown>) => void,
): Promise<CurrentUser | null> {
  const tokenHash = await hashToken(token);
  const [row] = await findCurrentUser(db, tokenHash, now);
  if (!row) return null;
  if (row.lastSeenAt < now - HOUR)
    defer(touchLogin(db, tokenHash, now, instant(now + LOGIN_LIFE)).then(() => {}));
  return {
    id: row.user.id,
    roleId: row.user.roleId,
    email: row.user.email,
    username: row.username,
    personId: row.personId,
    firstName: row.user.firstName,
    lastName: row.user.lastName,
    timeZone: row.user.timeZone,
    isNew: row.user.isNew,
    newMessages: row.user.newMessages.split(",").filter(Boolean),
    tokens: row.tokens,
    subscription: row.subscription,
    loginHash: tokenHash,
  };
}

export const endLogin = (db: Database, tokenHash: string) => deleteLogin(db, tokenHash);

// The rights of each role as small pure deciders. They answer, they never throw; `allow`
// turns a no into the right error.
import { AppError } from "./errors";

export const SUPER_ADMIN = 10;

/** The signed-in user as the rules see them. */
export type Actor = { id: number; roleId: number; username: string };
/** A seat in a session. */
export type Seat = { role: number; isHost: boolean };

export const isSuperAdmin = (actor: Actor | null): boolean => actor?.roleId === SUPER_ADMIN;

/** The signed-in user, or UNAUTHENTICATED. */
export function requireUser<U extends Actor>(user: U | null, sentence?: string): U {
  if (!user) throw new AppError("UNAUTHENTICATED", sentence);
  return user;
}

/** FORBIDDEN unless `may`. */
export function allow(may: boolean, sentence?: string): void {
  if (!may) throw new AppError("FORBIDDEN", sentence);
}

/** Owner or super admin updates and deletes activities and huts. */
export const canManageOwned = (actor: Actor | null, owned: { ownerId: number }): boolean =>
  actor !== null && (actor.id === owned.ownerId || isSuperAdmin(actor));

/** A hut as its rules see it. `role` is that of the actor's membership, null for none. */
export type HutStanding = { ownerId: number; role: number | null };
/** Owner, moderators and super admins keep a hut in order. */
export const canModerateHut = (actor: Actor | null, hut: HutStanding): boolean =>
  canManageOwned(actor, hut) || (actor !== null && hut.role === 1);

/** Host, admins and super admin see Update, start, and control the schedule. */
export const canRunSession = (actor: Actor | null, seat: Seat | null): boolean =>
  isSuperAdmin(actor) || (seat !== null && (seat.isHost || seat.role === 1));

/**
 * A session's goal is changed, completed and read with everybody's logs by the people who run the session now, whoever
 * made it; any other goal by its owner. `seat`: the actor's in the goal's session.
 */
export const canManageGoal = (
  actor: Actor | null,
  goal: { userId: number; sessionId: number | null },
  seat: Seat | null,
): boolean => (goal.sessionId === null ? actor?.id === goal.userId : canRunSession(actor, seat));

/** Host or super admin: end, delete, roles, hand-over (R-05, R-15, S-07). */
export const canHostSession = (actor: Actor | null, seat: Seat | null): boolean =>
  isSuperAdmin(actor) || seat?.isHost === true;

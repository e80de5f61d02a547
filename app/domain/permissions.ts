// The permissions of each role as small pure predicates. Predicates never throw; `allow` turns false
// into the right error.
import { AppError } from "./errors";
import { HUT_ROLE, type HutRole, SEAT_ROLE, type SeatRole, USER_ROLE } from "./roles";

/** The signed-in user, as far as permissions need them. */
export type Actor = { id: number; roleId: number; username: string };
/** A seat in a session. */
export type Seat = { role: SeatRole; isHost: boolean };

/** The actor without the right of a super admin. An act that needs this right is audited. */
export const asOrdinary = <A extends Actor | null>(actor: A): A =>
  actor && { ...actor, roleId: USER_ROLE.ordinary };

export const isSuperAdmin = (actor: Actor | null): boolean => actor?.roleId === USER_ROLE.superAdmin;

/** The signed-in user, or UNAUTHENTICATED. */
export function requireUser<U extends Actor>(user: U | null, sentence?: string): U {
  if (!user) throw new AppError("UNAUTHENTICATED", sentence);
  return user;
}

/** FORBIDDEN unless `isAllowed`. */
export function allow(isAllowed: boolean, sentence?: string): void {
  if (!isAllowed) throw new AppError("FORBIDDEN", sentence);
}

/** The owner or a super admin updates and deletes activities and huts. */
export const canManageOwned = (actor: Actor | null, owned: { ownerId: number }): boolean =>
  actor !== null && (actor.id === owned.ownerId || isSuperAdmin(actor));

/** A hut, as far as permissions need it. `role` is that of the actor's membership, null without one. */
export type HutStanding = { ownerId: number; role: HutRole | null };
/** The owner, moderators and super admins moderate a hut. */
export const canModerateHut = (actor: Actor | null, hut: HutStanding): boolean =>
  canManageOwned(actor, hut) || (actor !== null && hut.role === HUT_ROLE.moderator);

/** Host, admins and super admins update, start and control the session. */
export const canRunSession = (actor: Actor | null, seat: Seat | null): boolean =>
  isSuperAdmin(actor) || (seat !== null && (seat.isHost || seat.role === SEAT_ROLE.admin));

/**
 * The people who run a session change and complete its goals and read everybody's logs; the owner does so for
 * any other goal. `seat` is the actor's seat in the goal's session.
 */
export const canManageGoal = (
  actor: Actor | null,
  goal: { userId: number; sessionId: number | null },
  seat: Seat | null,
): boolean => (goal.sessionId === null ? actor?.id === goal.userId : canRunSession(actor, seat));

/** The host and super admins end and delete the session, set roles and hand it over (R-05, R-15, S-07). */
export const canHostSession = (actor: Actor | null, seat: Seat | null): boolean =>
  isSuperAdmin(actor) || seat?.isHost === true;

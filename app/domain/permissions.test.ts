// The permission rules, function by function.
import { expect, test } from "vitest";
import { AppError } from "./errors";
import {
  type Actor,
  allow,
  canHostSession,
  canManageGoal,
  canManageOwned,
  canRunSession,
  requireUser,
} from "./permissions";
import { SEAT_ROLE, USER_ROLE } from "./roles";

const user: Actor = { id: 1, roleId: 1, username: "u" };
const superAdmin: Actor = { id: 2, roleId: USER_ROLE.superAdmin, username: "s" };
const participant = { role: SEAT_ROLE.participant, isHost: false };
const admin = { role: SEAT_ROLE.admin, isHost: false };
const host = { role: SEAT_ROLE.participant, isHost: true };

test("A-04 only the owner and super admins manage an activity or a hut", () => {
  const owned = { ownerId: user.id };
  expect([user, superAdmin, { ...user, id: 3 }, null].map((actor) => canManageOwned(actor, owned))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("A-05 A-06 host, admins and super admins run a session; only the host and super admins end it", () => {
  const seats = [host, admin, participant, null];
  expect(seats.map((seat) => canRunSession(user, seat))).toEqual([true, true, false, false]);
  expect(seats.map((seat) => canHostSession(user, seat))).toEqual([true, false, false, false]);
  expect([canRunSession(superAdmin, null), canHostSession(superAdmin, null)]).toEqual([true, true]);
  expect([canRunSession(null, null), canHostSession(null, null)]).toEqual([false, false]);
});

test("A-05 A-10 the people who run a session manage its goals, and the owner any other goal", () => {
  const own = { userId: user.id, sessionId: null };
  expect([user, superAdmin, null].map((actor) => canManageGoal(actor, own, host))).toEqual([
    true,
    false,
    false,
  ]);
  const shared = { userId: user.id, sessionId: 5 };
  expect([host, admin, participant, null].map((seat) => canManageGoal(user, shared, seat))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("X-02 a refusal has its code, and its sentence if given", () => {
  const codeOf = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      return error instanceof AppError ? [error.code, error.message] : error;
    }
    return null;
  };
  expect(requireUser(user)).toBe(user);
  expect(codeOf(() => requireUser(null))).toEqual(["UNAUTHENTICATED", "Please sign in to use that feature."]);
  expect(codeOf(() => requireUser(null, "Sign in first."))).toEqual(["UNAUTHENTICATED", "Sign in first."]);
  expect(codeOf(() => allow(true))).toBeNull();
  expect(codeOf(() => allow(false, "Not here."))).toEqual(["FORBIDDEN", "Not here."]);
});

// The user in whose name a job acts without a request, such as a deletion or the layout of a series.
import { USER_ROLE } from "~/domain/roles";
import type { CurrentUser } from "./app.server";

/** The user of the App in such an act, with the rights of an ordinary user and no balance to show. */
export const actingUser = (user: {
  id: number;
  email: string;
  username: string;
  personId: number | null;
  timeZone?: string;
}): CurrentUser => ({
  id: user.id,
  roleId: USER_ROLE.ordinary,
  email: user.email,
  isConfirmed: false,
  username: user.username,
  personId: user.personId ?? 0,
  firstName: "",
  lastName: "",
  distanceUnit: null,
  timeZone: user.timeZone ?? "UTC",
  unreadNotices: 0,
  isNew: false,
  newMessages: [],
  tokens: 0,
  reservedTokens: 0,
  owedTokens: 0,
  subscription: null,
  suspension: null,
  guestOf: null,
  loginHash: "",
  checkedAt: null,
  hasUnstoredTimerEnd: false,
  runningLog: null,
});

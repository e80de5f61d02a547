// The end of a guest's logins, after which nobody could sit in their seat.
import { listMutesOf } from "#db/queries/safety/sanctions";
import { isStillGuest } from "#db/queries/sessions/guests";
import { findAnySession } from "#db/queries/sessions/sessions";
import { isInForce } from "~/domain/safety/sanctions";
import { rememberDevice } from "./accounts/devices.server";
import type { App, CurrentUser } from "./app.server";
import { refreshRoom } from "./notify-room.server";
import { freePlacesInRecord } from "./sessions/freed-seats.server";

/**
 * Frees the guest's seat in an open session, whose room closes their sockets before this resolves, unless they keep it
 * with an account (H-22). Call it before the login ends: after a failure the login can try again. Returns the session,
 * or null where no seat may be freed.
 */
export async function giveUpGuestSeat(
  app: App,
  guest: { id: number; guestOf: number },
): Promise<number | null> {
  const [row] = await findAnySession(app.db, guest.guestOf, 0);
  if (!row || row.closedAt !== null) return null;
  if (!(await freePlacesInRecord(app, row, guest.id, isStillGuest(guest.id)))) return null;
  await refreshRoom(app, row.id);
  return row.id;
}

/**
 * Recalls a muted guest who signs out, or in to an account, by the browser's device cookie, so that the mute holds for the
 * next guest of the browser, as it does for an account's (H-24, Q-13).
 */
export async function rememberMutedGuest(app: App, guest: CurrentUser & { guestOf: number }): Promise<void> {
  const mutes = await listMutesOf(app.db, guest.guestOf);
  if (!mutes.some((mute) => mute.userId === guest.id && isInForce(mute, app.now))) return;
  const device = await rememberDevice(app, guest.email, guest.loginHash);
  await app.db.batch([...device.statements]);
  app.cookies.device = device.cookie;
  // A login that follows in this request renews this cookie.
  app.deviceToken = device.cookie.token;
}

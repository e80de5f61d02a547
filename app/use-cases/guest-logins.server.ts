// The end of a guest's only login, after which nobody could sit in their seat.
import { isStillGuest } from "#db/queries/sessions/guests";
import { findAnySession } from "#db/queries/sessions/sessions";
import type { App } from "./app.server";
import { freePlaces } from "./sessions/freed-seats.server";

/**
 * Frees the guest's seat in an open session, whose room then closes their sockets, unless they keep it with an account
 * (H-22). Call it before the login ends: after a failure the login can try again.
 */
export async function giveUpGuestSeat(app: App, guest: { id: number; guestOf: number }): Promise<void> {
  const [row] = await findAnySession(app.db, guest.guestOf, 0);
  if (row && row.closedAt === null) await freePlaces(app, row, guest.id, isStillGuest(guest.id));
}

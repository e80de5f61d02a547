// The end of a guest's logins, after which nobody could sit in their seat.
import { upsertGuestDevice } from "#db/queries/accounts/devices";
import { isStillGuest } from "#db/queries/accounts/still-guest";
import { listSanctionsOf } from "#db/queries/safety/sanctions";
import { findAnySession } from "#db/queries/sessions/sessions";
import { isInForce } from "~/domain/safety/sanctions";
import { keepBans } from "./accounts/devices.server";
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
 * Recalls a muted or banned guest who signs out, or in to an account, by the browser's device cookie, so that the sanction
 * holds for the next guest of the browser, as it does for an account's (H-24, Q-13, Q-15). Does nothing if the guest has
 * become an account meanwhile.
 */
export async function rememberGuest(app: App, guest: CurrentUser & { guestOf: number }): Promise<void> {
  const sanctions = await listSanctionsOf(app.db, guest.id);
  if (!sanctions.some((sanction) => isInForce(sanction, app.now))) return;
  const { statement, device, setCookie } = await keepBans(app);
  const [, rows] = await app.db.batch([
    statement,
    upsertGuestDevice(app.db, guest.id, { ...device, loginHash: guest.loginHash }),
  ]);
  if (rows.length > 0) setCookie();
}

/**
 * Keeps a browser out that loses the cookie of a login that has ended, because a ban outlasts guest and login (H-21,
 * H-24). Does nothing for any other browser.
 */
export async function rememberKeptOutBrowser(app: App): Promise<void> {
  if (!app.staleLogin) return;
  const { statement, setCookie } = await keepBans(app);
  if ((await statement).length > 0) setCookie();
}

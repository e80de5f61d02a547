// The terms on which a guest takes a seat, for the first time and on coming back by the link (H-17, H-20).
import { type Browser, findBrowserBans } from "#db/queries/safety/guest-bans";
import * as guests from "#db/queries/sessions/guests";
import type { GuestSeats } from "#db/queries/sessions/paid-seats";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { requireConfirmed } from "~/domain/confirmation";
import { formatDay } from "~/domain/days";
import { AppError, invalid } from "~/domain/errors";
import { GUEST_SENTENCES } from "~/domain/room/guest-names";
import { lookOf } from "~/domain/room/look-alikes";
import { browserRefusal, KEPT_OUT } from "~/domain/safety/sanctions";
import { signInToJoin } from "~/domain/sessions/refusals";
import { type Instant, MINUTE } from "~/domain/time";
import { cookieHashesOf, deviceHashOf } from "~/use-cases/accounts/devices.server";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { networkOf } from "~/use-cases/network.server";
import { hashToken } from "~/use-cases/tokens.server";

/** The hash of a guest's network for one session, so that a ban of the network reaches no other session. */
const guestNetwork = (app: App, session: number): Promise<string> =>
  hashToken(`guest:${session}:${networkOf(app)}`);

/** UNAUTHENTICATED if the session has no seats for guests, CONFLICT if these are taken. */
export function requireGuestSeats(row: Pick<SessionRow, "guestLimit" | "guestsCount" | "isPrivate">): void {
  if (row.guestLimit === 0 || row.isPrivate) throw new AppError("UNAUTHENTICATED", signInToJoin);
  if (row.guestsCount >= row.guestLimit) throw new AppError("CONFLICT", GUEST_SENTENCES.noSeat);
}

/**
 * Refuses a switch that H-17 does not allow: more guests than `before` without a confirmed address or in private, and
 * another number beyond the limit.
 */
export function requireGuestsAllowed(
  user: CurrentUser,
  limits: {
    before?: number | undefined;
    guestLimit?: number | undefined;
    participantLimit?: number | null | undefined;
    isPrivate: boolean;
  },
): void {
  const { before = 0 } = limits;
  if (!limits.guestLimit || limits.guestLimit === before) return;
  if (limits.guestLimit > before) {
    requireConfirmed(user);
    if (limits.isPrivate) throw invalid("guestLimit", GUEST_SENTENCES.privateHut);
  }
  if (limits.participantLimit && limits.guestLimit > limits.participantLimit)
    throw invalid("guestLimit", GUEST_SENTENCES.beyondLimit);
}

/** The hashes of the asking browser that a ban of this session may name. */
export async function browserOf(app: App, session: number): Promise<Browser & { network: string }> {
  const network = await guestNetwork(app, session);
  return { network, hashes: [network, ...(await cookieHashesOf(app))], device: await deviceHashOf(app) };
}

/**
 * FORBIDDEN, with the cause, if the browser or its network is banned, or an account that has signed in by it is banned,
 * suspended or muted.
 */
export async function requireBrowserLetIn(app: App, session: number, browser: Browser): Promise<void> {
  const [bans] = await findBrowserBans(app.db, session, browser, app.now);
  if (!bans) return;
  const dayOf = (at: Instant) => formatDay(at, app.timeZone, app.locale);
  const sentence = bans.isBanned ? KEPT_OUT : browserRefusal(bans.sanctions, app.now, app, dayOf);
  if (sentence !== null) throw new AppError("FORBIDDEN", sentence);
}

/**
 * The addresses of a guest who sits in now, the one to use first. A second press within a minute or two, by the same
 * browser and network, finds the guest of the first: the XSRF token is the only cookie that a visitor has. A program
 * without one is a new guest each time.
 */
export function guestAddresses(app: App, browser: { network: string }): Promise<string[]> {
  const { xsrfToken = "" } = app;
  const keys = /^[\w-]{43}$/.test(xsrfToken)
    ? [0, 1].map((ago) => `sit-in:${browser.network}:${xsrfToken}:${Math.floor(app.now / MINUTE) - ago}`)
    : [app.newId()];
  return Promise.all(keys.map(async (key) => `${await hashToken(key)}@guest.invalid`));
}

/**
 * The beginning of the references of this guest's seats, from the address that the guest keeps until the erasure. The
 * ledger keeps no address.
 */
export const guestSeats = async (address: string): Promise<GuestSeats> =>
  `guest:${await hashToken(address)}:`;

/** The terms of a guest's seat, by which its statements decide again. */
export const guestTerms = (app: App, row: SessionRow, browser: Browser): guests.GuestTerms => ({
  sessionId: row.id,
  joinCode: row.joinCode,
  hostId: row.hostId ?? 0,
  capacity: app.settings.roomCapacity,
  browser,
  now: app.now,
});

/** The statements that give a returning guest a seat. */
export const returnGuestStatements = async (app: App, row: SessionRow, user: CurrentUser, seat: string) =>
  guests.takeGuestSeat(
    app.db,
    { userId: user.id },
    { seat, look: lookOf(user.firstName) },
    guestTerms(app, row, await browserOf(app, row.id)),
  );

// The terms on which a guest takes a seat, for the first time and on coming back by the link (H-17, H-20).
import * as guests from "#db/queries/sessions/guests";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { requireConfirmed } from "~/domain/confirmation";
import { AppError, invalid } from "~/domain/errors";
import { GUEST_SENTENCES } from "~/domain/room/guest-names";
import { lookOf } from "~/domain/room/look-alikes";
import { KEPT_OUT } from "~/domain/safety/sanctions";
import { signInToJoin } from "~/domain/sessions/refusals";
import { deviceHashOf } from "~/use-cases/accounts/devices.server";
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

/** Refuses a switch that H-17 does not allow: without a confirmed address, in private, or beyond the limit. */
export function requireGuestsAllowed(
  user: CurrentUser,
  limits: {
    guestLimit?: number | undefined;
    participantLimit?: number | null | undefined;
    isPrivate: boolean;
  },
): void {
  if (!limits.guestLimit) return;
  requireConfirmed(user);
  if (limits.isPrivate) throw invalid("guestLimit", GUEST_SENTENCES.privateHut);
  if (limits.participantLimit && limits.guestLimit > limits.participantLimit)
    throw invalid("guestLimit", GUEST_SENTENCES.beyondLimit);
}

/** The hashes of the asking browser that a ban of this session may name. */
export async function browserOf(app: App, session: number): Promise<guests.Browser & { network: string }> {
  const network = await guestNetwork(app, session);
  const login = app.user?.loginHash ?? (app.staleLogin && (await hashToken(app.staleLogin)));
  return { network, hashes: login ? [network, login] : [network], device: await deviceHashOf(app) };
}

/** FORBIDDEN if the browser or its network is banned, or an account that has signed in by it is banned or muted. */
export async function requireBrowserLetIn(app: App, session: number, browser: guests.Browser): Promise<void> {
  const [ban] = await guests.findGuestBan(app.db, session, browser, app.now);
  if (ban) throw new AppError("FORBIDDEN", KEPT_OUT);
}

/** The terms of a guest's seat, by which its statements decide again. */
export const guestTerms = (app: App, row: SessionRow, browser: guests.Browser): guests.GuestTerms => ({
  sessionId: row.id,
  joinCode: row.joinCode,
  hostId: row.hostId ?? 0,
  capacity: app.settings.roomCapacity,
  browser,
  now: app.now,
});

/** The statements that give a returning guest a seat; the host pays again (H-20). */
export const returnGuestStatements = async (app: App, row: SessionRow, user: CurrentUser, seat: string) =>
  guests.takeGuestSeat(
    app.db,
    { userId: user.id },
    { seat, look: lookOf(user.firstName) },
    guestTerms(app, row, await browserOf(app, row.id)),
  );

// The spots of a session: how many are left, and how many are offered to waiters (R-17, G-22). Pure.

/** `heldSeats`: seats that are offered to waiters. */
export type Spots = { participantLimit: number | null; participantsCount: number; heldSeats?: number };
/** null: the host set no limit. */
export const spotsLeft = ({ participantLimit, participantsCount, heldSeats = 0 }: Spots): number | null =>
  participantLimit ? Math.max(0, participantLimit - participantsCount - heldSeats) : null;
/** The host's limit, or the installation's, is reached. */
export const isFull = (session: Spots, capacity: number): boolean =>
  spotsLeft(session) === 0 || session.participantsCount + (session.heldSeats ?? 0) >= capacity;

/** A visitor is offered a guest's seat: never in private, and not once the host's number of guests is reached (H-17). */
export const takesGuests = (session: {
  guestLimit: number;
  guestsCount: number;
  isPrivate: boolean;
}): boolean => session.guestLimit > session.guestsCount && !session.isPrivate;

/** Seats that are offered to other people (G-22), of a view that has `spotsLeft`. */
export const seatsOffered = ({
  participantLimit,
  participantsCount,
  spotsLeft,
}: Omit<Spots, "heldSeats"> & { spotsLeft: number | null }): number =>
  participantLimit && spotsLeft !== null ? Math.max(0, participantLimit - participantsCount - spotsLeft) : 0;

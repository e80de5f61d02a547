// The usernames of guests, and the names that people read (H-23). Without imports, because every page of a session
// loads it.

/** The answer to whatever a guest may not do (H-19). */
export const GUEST_REFUSED = "Please create an account to do that.";

/** Begins the username of a guest. V-04 refuses it, so that no account can ever have one. */
export const GUEST_MARK = "~";

/** True if a username of a seat, a line or a log is a guest's. */
export const isGuestName = (username: string): boolean => username.startsWith(GUEST_MARK);

/** The name that replaces a guest's after the deletion of their data: a number, without a trace of the name (H-21). */
export const goneGuestName = (userId: number): string => `${GUEST_MARK}guest.${userId}`;
const isGoneGuestName = (username: string): boolean => /^~guest\.\d+$/.test(username);

/** The name of a guest in a text without a roster: `~Ada-L` → "Ada-L (guest)". */
export const shownGuestName = (username: string): string =>
  isGoneGuestName(username) ? "guest" : `${username.slice(GUEST_MARK.length)} (guest)`;

export type NamedPerson = { username: string; guestName?: string | null | undefined };
/** A name as people read it; `people`: the roster, which knows the names as typed. */
export function nameAmong(people: readonly NamedPerson[], username: string): string {
  if (!isGuestName(username)) return username;
  const guestName = people.find((person) => person.username === username)?.guestName;
  return guestName ? `${guestName} (guest)` : shownGuestName(username);
}
/** The name of a seat as people read it. */
export const nameOfSeat = (person: NamedPerson): string => nameAmong([person], person.username);

/** Lines and logs that the host pays for one guest, together (H-20). */
export const GUEST_WRITES = 100;

export const GUEST_SENTENCES = {
  noSeat: "All seats for guests are taken. Please login or create an account to join.",
  noGuest: "This guest is not in this session.",
  written: `You have written ${GUEST_WRITES} lines.`,
  beyondLimit: "Please give a number up to the participant limit.",
  privateHut: "A session of a private hut has no guests.",
} as const;

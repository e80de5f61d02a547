// Counters in front of whatever can be guessed or flooded. They run before any hashing, rendering or writing (R-25).
import { AppError, isAppError } from "~/domain/errors";
import type { App, CurrentUser } from "./app.server";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Tries and seconds. */
const LIMITS = {
  /** One account from one network. */
  login: [10, 15 * MINUTE],
  /** One network, whatever the account. */
  "login-network": [50, 15 * MINUTE],
  /** One account from everywhere: guessing spread over many networks. */
  "login-account": [100, 15 * MINUTE],
  register: [20, HOUR],
  "reset-mail": [5, HOUR],
  "reset-mail-network": [20, HOUR],
  reset: [20, HOUR],
  "change-password": [10, 15 * MINUTE],
  "change-profile": [60, HOUR],
  "add-person": [20, HOUR],
} as const satisfies Record<string, readonly [number, number]>;

export type Tried = { what: keyof typeof LIMITS; by: string | number };

const keyOf = ({ what, by }: Tried) => `${what}:${by}`;

/** Counts one try of each; RATE_LIMITED with the minutes to wait when one of them is too many. */
export async function countTries(app: App, ...tries: Tried[]): Promise<void> {
  const waits = await Promise.all(
    tries.map(async (tried) => {
      try {
        const [limit, seconds] = LIMITS[tried.what];
        await app.attempts.take(keyOf(tried), limit, seconds);
        return 0;
      } catch (error) {
        if (isAppError(error) && error.code === "RATE_LIMITED") return error.retryAfter ?? MINUTE;
        throw error;
      }
    }),
  );
  const wait = Math.max(...waits);
  if (wait === 0) return;
  const minutes = Math.ceil(wait / MINUTE);
  const sentence = `That was a lot of tries. Please wait ${minutes === 1 ? "a minute" : `${minutes} minutes`} and try again.`;
  throw new AppError("RATE_LIMITED", sentence, { retryAfter: wait });
}

/** Changes an hour by one account, far above what a person makes by hand (R-25). */
const CHANGES_PER_HOUR = {
  activity: 600,
  attachment: 600,
  book: 600,
  favorite: 1200,
  follow: 600,
  goal: 1200,
  hut: 600,
  item: 1200,
  log: 3000,
  membership: 600,
  note: 1200,
  session: 600,
  // A text is saved while it is typed.
  "session-text": 3000,
} as const satisfies Record<string, number>;
export type Changed = keyof typeof CHANGES_PER_HOUR;

/** Counts one change; RATE_LIMITED with the seconds to wait when the hour has had too many (R-25). */
export const countChange = (app: App, user: CurrentUser, what: Changed): Promise<void> =>
  app.attempts.take(`change-${what}:${user.id}`, CHANGES_PER_HOUR[what], HOUR);

export const forgetTries = (app: App, tried: Tried): Promise<void> => app.attempts.clear(keyOf(tried));

/** Who a network is: an IPv4 address, or the /64 that one IPv6 household has to itself. */
export function networkOf(app: App): string {
  const { ip } = app.origin;
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.split("::");
  const pieces = head.split(":").filter(Boolean);
  const after = tail === undefined ? [] : tail.split(":").filter(Boolean);
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - pieces.length - after.length)).fill("0");
  return [...pieces, ...zeros, ...after].slice(0, 4).join(":");
}

// Rate limits against guessing and flooding. They are checked before any hashing, rendering or writing.
import { AppError, isAppError } from "~/domain/errors";
import { REFUSALS } from "~/domain/refusals";
import type { App, CurrentUser } from "./app.server";
import { logSecurity } from "./security-log.server";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * `gap`: beyond the limit one attempt passes every so many seconds, and no refusal lasts longer. `guards`: somebody could
 * guess the secret behind it, so beyond the limit the right one is refused as well.
 */
type Limit = { attempts: number; seconds: number; gap?: number; guards?: true };

export const LIMITS = {
  /** One account, from a browser that has signed in to it before. */
  "login-device": { attempts: 10, seconds: 15 * MINUTE, guards: true },
  /** One account, from one network. */
  login: { attempts: 10, seconds: 15 * MINUTE, guards: true },
  /** One network, any account. */
  "login-network": { attempts: 50, seconds: 15 * MINUTE, guards: true },
  /** The /56 of an IPv6 customer: four times the limit of its /64. */
  "login-network-wider": { attempts: 200, seconds: 15 * MINUTE, guards: true },
  /** One account, from everywhere: guesses from many networks. */
  "login-account": { attempts: 30, seconds: 15 * MINUTE, gap: 30, guards: true },
  /** The second step of one account from one browser that has signed in to it before. */
  "second-step-device": { attempts: 10, seconds: 15 * MINUTE, guards: true },
  /** The second step of one account from one network. */
  "second-step": { attempts: 10, seconds: 15 * MINUTE, guards: true },
  /** The second step of one account from everywhere: three of a million codes are right at a time. */
  "second-step-account": { attempts: 20, seconds: HOUR, gap: 5 * MINUTE, guards: true },
  /** Passkeys and their challenges, one network. A signature cannot be guessed: this bounds only the work. */
  passkey: { attempts: 200, seconds: 15 * MINUTE },
  /** Turning two-step sign-in on or off, and new codes. */
  "change-two-step": { attempts: 30, seconds: HOUR },
  register: { attempts: 20, seconds: HOUR },
  /** Guests who sit down, one network: a class or an office comes at once. */
  guest: { attempts: 40, seconds: HOUR },
  /** Guests who sit down in one session, all networks. */
  "guest-session": { attempts: 60, seconds: MINUTE },
  "reset-mail-device": { attempts: 5, seconds: HOUR },
  "reset-mail": { attempts: 5, seconds: HOUR },
  "reset-mail-network": { attempts: 20, seconds: HOUR },
  /** One account, from everywhere: further emails are sent every five minutes. */
  "reset-mail-account": { attempts: 10, seconds: HOUR, gap: 5 * MINUTE },
  /** Links to one account's address. */
  "confirm-mail": { attempts: 5, seconds: HOUR },
  /** One network. The token of a link cannot be guessed, so this only limits the work. */
  confirm: { attempts: 100, seconds: HOUR, guards: true },
  /** Pressed links of emails, one account: providers press for their users from a few networks. */
  unsubscribe: { attempts: 100, seconds: HOUR },
  reset: { attempts: 20, seconds: HOUR, guards: true },
  "change-password": { attempts: 10, seconds: 15 * MINUTE, guards: true },
  "change-profile": { attempts: 60, seconds: HOUR },
  /** One network, any account: throw-away accounts get nothing from the pool. */
  "redeem-network": { attempts: 10, seconds: 24 * HOUR },
  "add-person": { attempts: 20, seconds: HOUR },
  /** The code of a session or series, one account from one network. */
  "join-code": { attempts: 10, seconds: HOUR, guards: true },
  /** The code, one account from everywhere. Beyond it `join-code-late` counts instead, so that a stranger locks out nobody. */
  "join-code-everywhere": { attempts: 100, seconds: HOUR },
  "join-code-late": { attempts: 3, seconds: HOUR, guards: true },
  /** Invitations of private huts and requests to enter, one account. */
  entry: { attempts: 30, seconds: HOUR, guards: true },
  /** Looks behind an invitation's link, one network. */
  invitation: { attempts: 200, seconds: HOUR, guards: true },
  /** Looks of stages behind view links, one network: a dozen screens, four times a minute. It bounds only the work (J-10). */
  "view-link": { attempts: 3000, seconds: HOUR },
  /** Asks of people who share nothing with the sender, one account. */
  ask: { attempts: 10, seconds: 24 * HOUR },
  /** Unknown calendar addresses, one network. */
  "calendar-network": { attempts: 200, seconds: HOUR, guards: true },
  /** One calendar address (F-16). */
  calendar: { attempts: 60, seconds: HOUR },
} as const satisfies Record<string, Limit>;

export type Attempt = { what: keyof typeof LIMITS; by: string | number };

const keyOf = ({ what, by }: Attempt) => `${what}:${by}`;

/**
 * Counts an attempt in each counter, in order: the narrowest first. An attempt that one of them refuses counts in none,
 * so that refused attempts cannot fill an account's counter. RATE_LIMITED with the time to wait.
 */
export async function countAttempts(app: App, ...attempts: Attempt[]): Promise<void> {
  const counted: Attempt[] = [];
  for (const attempt of attempts) {
    const { attempts: limit, seconds, gap }: Limit = LIMITS[attempt.what];
    try {
      await app.attempts.take(keyOf(attempt), limit, seconds, gap);
      counted.push(attempt);
    } catch (error) {
      await giveBackAttempts(app, ...counted);
      if (!isAppError(error) || error.code !== "RATE_LIMITED") throw error;
      logSecurity(app, { event: "locked-out", userId: app.user?.id ?? null, counter: attempt.what });
      throw refusal(error.retryAfter ?? MINUTE);
    }
  }
}

function refusal(wait: number): AppError {
  const minutes = Math.ceil(wait / MINUTE);
  const span = wait < MINUTE ? `${wait} seconds` : minutes === 1 ? "a minute" : `${minutes} minutes`;
  const sentence = REFUSALS.tooManyAttempts(span);
  return new AppError("RATE_LIMITED", sentence, { retryAfter: wait });
}

export async function giveBackAttempts(app: App, ...attempts: Attempt[]): Promise<void> {
  await Promise.all(attempts.map((attempt) => app.attempts.giveBack(keyOf(attempt))));
}

/** Changes of one account per hour, far more than any manual use. */
const CHANGES_PER_HOUR = {
  activity: 600,
  "api-key": 60,
  attachment: 600,
  book: 600,
  calendar: 60,
  favorite: 1200,
  follow: 600,
  goal: 1200,
  hut: 600,
  item: 1200,
  log: 3000,
  membership: 600,
  note: 1200,
  notice: 600,
  push: 600,
  sanction: 600,
  seat: 600,
  series: 600,
  session: 600,
  // A text is saved while the user types.
  "session-text": 3000,
} as const satisfies Record<string, number>;
export type ChangeCounter = keyof typeof CHANGES_PER_HOUR;

/** Acts of one account that reach no other account by mail or push: they count from the eleventh in a minute. */
const FLOODS = new Set([
  "join",
  "log",
  "note",
  "parts",
  "contribute",
  "search",
  "change-attachment",
  "change-book",
  "change-favorite",
  "change-follow",
  "change-goal",
  "change-item",
  "change-log",
  "change-note",
  "change-notice",
  "change-seat",
  "change-session-text",
]);

/** Whether attempts of this key count only while they come as a flood (decision 67). */
export const countsFromFlood = (key: string): boolean => FLOODS.has(key.slice(0, key.indexOf(":")));

/** Counts a change; RATE_LIMITED with the seconds to wait beyond the hourly limit. */
export const countChange = (app: App, user: CurrentUser, what: ChangeCounter): Promise<void> =>
  app.attempts.take(`change-${what}:${user.id}`, CHANGES_PER_HOUR[what], HOUR);

export const clearAttempts = (app: App, attempt: Attempt): Promise<void> =>
  app.attempts.clear(keyOf(attempt));

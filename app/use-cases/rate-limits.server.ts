// Counters in front of whatever can be guessed or flooded. They run before any hashing, rendering or writing.
import { AppError, isAppError } from "~/domain/errors";
import type { App, CurrentUser } from "./app.server";
import { logSecurity } from "./security-log.server";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** `gap`: from there on a try passes every so many seconds, and nobody is refused for longer than that. */
type Limit = { attempts: number; seconds: number; gap?: number };

const LIMITS = {
  /** One account from one browser that has signed in to it before. */
  "login-device": { attempts: 10, seconds: 15 * MINUTE },
  /** One account from one network. */
  login: { attempts: 10, seconds: 15 * MINUTE },
  /** One network, whatever the account. */
  "login-network": { attempts: 50, seconds: 15 * MINUTE },
  /** One account from everywhere: guessing spread over many networks. */
  "login-account": { attempts: 30, seconds: 15 * MINUTE, gap: 30 },
  register: { attempts: 20, seconds: HOUR },
  "reset-mail-device": { attempts: 5, seconds: HOUR },
  "reset-mail": { attempts: 5, seconds: HOUR },
  "reset-mail-network": { attempts: 20, seconds: HOUR },
  /** One account from everywhere: further letters go out one in five minutes. */
  "reset-mail-account": { attempts: 10, seconds: HOUR, gap: 5 * MINUTE },
  /** Links to one account's address. */
  "confirm-mail": { attempts: 5, seconds: HOUR },
  /** One network. The secret of a link cannot be guessed: this bounds the work alone. */
  confirm: { attempts: 100, seconds: HOUR },
  reset: { attempts: 20, seconds: HOUR },
  "change-password": { attempts: 10, seconds: 15 * MINUTE },
  "change-profile": { attempts: 60, seconds: HOUR },
  /** One network, whatever the accounts: the pool pays no throw-away accounts. */
  "redeem-network": { attempts: 10, seconds: 24 * HOUR },
  "add-person": { attempts: 20, seconds: HOUR },
} as const satisfies Record<string, Limit>;

export type Attempt = { what: keyof typeof LIMITS; by: string | number };

const keyOf = ({ what, by }: Attempt) => `${what}:${by}`;

/**
 * Counts one try of each, in the order given: the narrowest first. A try that one of them refuses counts in none of them,
 * so that nobody fills the counter of an account by tries that were refused. RATE_LIMITED with the time to wait.
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
  const sentence = `That was a lot of tries. Please wait ${span} and try again.`;
  return new AppError("RATE_LIMITED", sentence, { retryAfter: wait });
}

export async function giveBackAttempts(app: App, ...attempts: Attempt[]): Promise<void> {
  await Promise.all(attempts.map((attempt) => app.attempts.giveBack(keyOf(attempt))));
}

/** Changes an hour by one account, far above what a person makes by hand. */
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

/** Counts one change; RATE_LIMITED with the seconds to wait when the hour has had too many. */
export const countChange = (app: App, user: CurrentUser, what: Changed): Promise<void> =>
  app.attempts.take(`change-${what}:${user.id}`, CHANGES_PER_HOUR[what], HOUR);

export const clearAttempts = (app: App, attempt: Attempt): Promise<void> =>
  app.attempts.clear(keyOf(attempt));

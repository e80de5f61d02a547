// Rate limits against guessing and flooding. They are checked before any hashing, rendering or writing.
import { AppError, isAppError } from "~/domain/errors";
import * as refusals from "~/domain/refusals";
import type { App } from "./app.server";
import { logSecurity } from "./security-log.server";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Beyond the limit, an attempt passes every `gap` seconds, and no refusal lasts longer. `guards` marks the limit of a
 * secret that could be guessed: beyond it, even the right secret is refused.
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
  /**
   * The code, one account from everywhere. Beyond it `join-code-late` counts instead, so that a stranger locks out
   * nobody.
   */
  "join-code-everywhere": { attempts: 100, seconds: HOUR },
  "join-code-late": { attempts: 3, seconds: HOUR, guards: true },
  /** Invitations of private huts and requests to enter, one account. */
  entry: { attempts: 30, seconds: HOUR, guards: true },
  /** Views of invitations by their link, one network. */
  invitation: { attempts: 200, seconds: HOUR, guards: true },
  /**
   * Requests of stages by their view links, one network: a dozen screens, four times a minute. It bounds only the work
   * (J-10).
   */
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
  const countedAttempts: Attempt[] = [];
  for (const attempt of attempts) {
    const { attempts: limit, seconds, gap }: Limit = LIMITS[attempt.what];
    try {
      await app.attempts.take(keyOf(attempt), limit, seconds, gap);
      countedAttempts.push(attempt);
    } catch (error) {
      await giveBackAttempts(app, ...countedAttempts);
      if (!isAppError(error) || error.code !== "RATE_LIMITED") throw error;
      logSecurity(app, { event: "locked-out", userId: app.user?.id ?? null, counter: attempt.what });
      throw lockedOut(error.retryAfter ?? MINUTE);
    }
  }
}

function lockedOut(wait: number): AppError {
  const minutes = Math.ceil(wait / MINUTE);
  const span = wait < MINUTE ? `${wait} seconds` : minutes === 1 ? "a minute" : `${minutes} minutes`;
  const sentence = refusals.tooManyAttempts(span);
  return new AppError("RATE_LIMITED", sentence, { retryAfter: wait });
}

export async function giveBackAttempts(app: App, ...attempts: Attempt[]): Promise<void> {
  await Promise.all(attempts.map((attempt) => app.attempts.giveBack(keyOf(attempt))));
}

type UseLimit = {
  limit: number;
  seconds: number;
  /** The act sends no mail or push to others, so it is counted only from the eleventh in a minute on (decision 67). */
  isFlood?: true;
};
const hourly = (limit: number): UseLimit => ({ limit, seconds: HOUR });
const hourlyFlood = (limit: number): UseLimit => ({ limit, seconds: HOUR, isFlood: true });

/** Acts of one account, and a few of one network or session: far more than any manual use. */
const USES = {
  activities: hourly(200),
  appeal: hourly(30),
  block: hourly(200),
  chat: { limit: 120, seconds: MINUTE },
  contribute: hourlyFlood(600),
  export: hourly(200),
  goal: hourly(200),
  huts: hourly(60),
  items: hourly(600),
  join: hourlyFlood(120),
  log: hourlyFlood(1200),
  note: hourlyFlood(600),
  /** The host's message to all participants of one session (N-27). */
  notify: { limit: 5, seconds: 24 * HOUR },
  paraphrases: hourly(300),
  parts: hourlyFlood(3000),
  pay: hourly(60),
  post: hourly(120),
  redeem: hourly(20),
  report: hourly(20),
  search: hourlyFlood(3000),
  session: hourly(60),
  summary: hourly(60),
  uploads: hourly(200),
  "change-activity": hourly(600),
  "change-api-key": hourly(60),
  "change-attachment": hourlyFlood(600),
  "change-book": hourlyFlood(600),
  "change-calendar": hourly(60),
  "change-favorite": hourlyFlood(1200),
  "change-follow": hourlyFlood(600),
  "change-goal": hourlyFlood(1200),
  "change-hut": hourly(600),
  "change-item": hourlyFlood(1200),
  "change-log": hourlyFlood(3000),
  "change-membership": hourly(600),
  "change-note": hourlyFlood(1200),
  "change-notice": hourlyFlood(600),
  "change-push": hourly(600),
  "change-sanction": hourly(600),
  "change-seat": hourlyFlood(600),
  "change-series": hourly(600),
  "change-session": hourly(600),
  // A text is saved while the user types.
  "change-session-text": hourlyFlood(3000),
} as const satisfies Record<string, UseLimit>;
type Use = keyof typeof USES;

const FLOODS = new Set(
  Object.entries<UseLimit>(USES).flatMap(([use, { isFlood }]) => (isFlood ? [use] : [])),
);
/** True if uses under this key are counted only during a flood (decision 67). */
export const countsFromFlood = (key: string): boolean => FLOODS.has(key.slice(0, key.indexOf(":")));

/** Counts a use; RATE_LIMITED with the seconds to wait beyond the limit. */
export const countUse = (app: App, use: Use, keyPart: string | number): Promise<void> =>
  app.attempts.take(`${use}:${keyPart}`, USES[use].limit, USES[use].seconds);

export const clearAttempts = (app: App, attempt: Attempt): Promise<void> =>
  app.attempts.clear(keyOf(attempt));

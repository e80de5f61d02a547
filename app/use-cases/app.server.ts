// What a use case is given: the database, who asks, what time it is, and the ports to the outside.
// A use case is `(app, input) => result`; it knows nothing of HTTP, Remix, Hono or Cloudflare.
import type { Database } from "#db/connect.server";
import type { Instant } from "~/domain/time";
import type { Mail, Payments, RichText, Rooms, Summariser, Uploads } from "./ports.server";

/** The signed-in user, acting as one of their persons. */
export type CurrentUser = {
  id: number;
  roleId: number;
  email: string;
  /** A link to this address was opened. */
  isConfirmed: boolean;
  /** The acting person's name: what this user is called everywhere in public. */
  username: string;
  personId: number;
  firstName: string;
  lastName: string;
  timeZone: string;
  isNew: boolean;
  newMessages: string[];
  /** Left over all unexpired lots, hundredths (B-11). */
  tokens: number;
  /** For payments taken back after their tokens were spent, hundredths: shown, not collected. */
  owed: number;
  subscription: "goals_sub" | "goals_sessions_sub" | null;
  /** SHA-256 of the login token: which login this is. */
  loginHash: string;
};

type Settings = {
  appName: string;
  /** Page size of lists (E-22). */
  perPage: number;
  /** The installation's limit of people per room. */
  roomCapacity: number;
  /** Our own origin, for links in mails. */
  origin: string;
  isLocalRun: boolean;
};

/** Counts attempts exactly, over all isolates: guessing and money. */
export type Attempts = {
  /**
   * Throws RATE_LIMITED when `limit` is passed. With `gapSeconds` the limit only slows down: an attempt passes whenever
   * the last one that passed is so long ago.
   */
  take(key: string, limit: number, windowSeconds: number, gapSeconds?: number): Promise<void>;
  /** Takes one attempt out of the count again. */
  giveBack(key: string): Promise<void>;
  clear(key: string): Promise<void>;
};

export type App = {
  db: Database;
  user: CurrentUser | null;
  now: Instant;
  settings: Settings;
  rooms: Rooms;
  payments: Payments;
  mail: Mail;
  uploads: Uploads;
  summariser: Summariser;
  richText: RichText;
  attempts: Attempts;
  /** The browser's device cookie: says that it has signed in before, and signs nobody in. */
  deviceToken: string | null;
  /** Where the request came from, for counters and the list of logins. */
  origin: { ip: string; userAgent: string; place: string };
  theme: "light" | "dark" | "system";
  timeZone: string;
  locale: string;
  /** The id of a new thing; within a request that came with a key, the same at each repeat. */
  newId(): string;
  /** Of the repeatable request that is worked on. */
  requestKey?: string;
  /** Of the page's form that is worked on, for the security log; the door of page forms writes it. */
  intent?: string;
  /** Work that may end after the answer has left. */
  defer(work: Promise<unknown>): void;
  /** Cookies the answer should set; the doors write them. */
  cookies: {
    login?: { token: string; expiresAt: Instant } | null;
    device?: { token: string; expiresAt: Instant };
  };
};

export type UseCase<Input, Result> = (app: App, input: Input) => Promise<Result>;

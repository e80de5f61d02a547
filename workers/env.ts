// The bindings and settings of both workers (wrangler.toml and workers/objects.toml).
import type { AttemptCounter } from "./attempts/attempt-counter";
import type { SessionRoom } from "./room/session-room";

/** The environment of the worker of the Durable Objects (decision 89). */
export type ObjectsEnv = Pick<Env, "DB" | "ROOMS" | "COPIES" | "LOCAL_RUN" | "RATE_LIMITS">;

/** The environment of the worker of pages and calls. */
export type Env = {
  DB: D1Database;
  ROOMS: DurableObjectNamespace<SessionRoom>;
  COUNTERS: DurableObjectNamespace<AttemptCounter>;
  /** Detects a flood of plain writes; without it every write is counted (decision 67). */
  FLOODS?: RateLimit;
  /** The limits for the calls of a personal key (O-07). */
  KEY_READS?: RateLimit;
  KEY_WRITES?: RateLimit;
  UPLOADS: R2Bucket;
  /** Copies of the rooms' chat, and the ids of deleted accounts. Never public. */
  COPIES: R2Bucket;
  ASSETS: Fetcher;
  MAIL?: SendEmail;
  /** `smtps://user:password@host:465` or `smtp://user:password@host:587`; the binding MAIL is preferred (N-32). */
  SMTP_URL?: string;
  /** Receives ids of events and deliveries; without it the work runs in the process of the request. */
  JOBS?: Queue<string[]>;
  AI?: Ai;
  APP_NAME: string;
  PER_PAGE: string;
  /** People in one session. */
  ROOM_CAPACITY: string;
  /** Our own origin when deployed. Empty: the origin of the request. */
  APP_ORIGIN: string;
  LOCAL_RUN: string;
  /** The address of a local run, for cron and the queue, which have no request. */
  LOCAL_ORIGIN?: string;
  /** SHA-256 of the key with which commands reach the stores of a local run. */
  LOCAL_KEY_HASH?: string;
  RATE_LIMITS: string;
  /** `on`: copies at the edge answer visitors (E1). */
  EDGE_CACHE: string;
  MAIL_FROM: string;
  /** Emails a day, in UTC; empty: 1,000 when deployed, and no limit in a local run (N-36). */
  MAIL_DAILY_LIMIT?: string;
  /** 32 bytes, base64; older keys may follow. Encrypts the secrets of authenticators. */
  DATA_KEY?: string;
  /** The keys of web push, base64url, and a mailto: or https: address for push services; push is hidden when unset. */
  VAPID_PUBLIC_KEY?: string;
  VAPID_PRIVATE_KEY?: string;
  VAPID_SUBJECT?: string;
  /** `yes`: without Stripe's keys, the practice provider takes demo cards in a deployment too. */
  PRACTICE_PAYMENTS?: string;
  /** The https address whose paths are rooms of a call; without it the host types a meeting link (J-01). */
  MEETING_BASE?: string;
  /** The address for emails about jobs that failed three times in a row and messages that the queue gave up. */
  ALERT_MAIL?: string;
  STRIPE_SECRET_KEY?: string;
  STRIPE_PUBLISHABLE_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  /** A local stand-in for tests of the real adapter. */
  STRIPE_API_BASE?: string;
};

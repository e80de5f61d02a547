// The context of a use case: database, user, time, and ports. A use case is `(app, input) => result` and knows nothing
// of HTTP, Remix, Hono or Cloudflare.
import type { Database } from "#db/connect.server";
import type { KeyScope } from "~/domain/accounts/api-keys";
import type { Theme } from "~/domain/cookies";
import { type DistanceUnit, unitOfLocale } from "~/domain/distances";
import type { RunningLog } from "~/domain/goals/log-state";
import type { Reader } from "~/domain/numbers";
import type { Suspension } from "~/domain/safety/sanctions";
import type { ShownThing } from "~/domain/shown-thing";
import type { Instant } from "~/domain/time";
import type {
  Calendar,
  Copies,
  Jobs,
  Mail,
  Payments,
  Push,
  RichText,
  Rooms,
  Summariser,
  Tickets,
  Uploads,
  Vault,
} from "./ports.server";

/** The signed-in user, acting as one of their persons. */
export type CurrentUser = {
  id: number;
  roleId: number;
  email: string;
  /** The user opened a link sent to this address. */
  isConfirmed: boolean;
  /** The acting person's name, which is the user's public name. */
  username: string;
  personId: number;
  firstName: string;
  lastName: string;
  timeZone: string;
  /** Null: the browser's locale decides (H-07). */
  distanceUnit: DistanceUnit | null;
  /** Unread rows of the notices in the app (N-09). */
  unreadNotices: number;
  isNew: boolean;
  newMessages: string[];
  /** The remaining tokens of all unexpired lots, in hundredths (B-11). */
  tokens: number;
  /** Tokens taken for chat lines that are not written yet, in hundredths; no part of `tokens` (B-13). */
  reservedTokens: number;
  /** Tokens of reversed payments that were already spent, in hundredths: shown, not collected. */
  owedTokens: number;
  subscription: "goals_sub" | "goals_sessions_sub" | null;
  /** The suspension in force. The request then counts as a visitor's, except where a suspended user may go. */
  suspension: Suspension | null;
  /** The only session of a guest, who has no account (H-19); null for everybody else. */
  guestOf: number | null;
  /** SHA-256 of the login token, which identifies the login. */
  loginHash: string;
  /** When this login was last checked; null for a login older than the checks. */
  checkedAt: Instant | null;
  /** An interval timer of a goal has ended, and its log is not stored as Done yet. */
  hasUnstoredTimerEnd: boolean;
  /** The clock in the header of every page; null while none runs. */
  runningLog: RunningLog | null;
};

type Settings = {
  appName: string;
  /** Page size of lists (E-22). */
  perPage: number;
  /** The installation's limit of people per room. */
  roomCapacity: number;
  /** Emails a day; null without a limit (N-36). */
  dailyMailLimit: number | null;
  /** The site of calls; null where the host types a link (J-01). */
  meetingBase: string | null;
  /** Our own origin, for links in emails. */
  origin: string;
  isLocalRun: boolean;
};

/** Counts attempts exactly, across all isolates. An ordinary write counts only once the platform reports a flood. */
export type Attempts = {
  /**
   * Throws RATE_LIMITED beyond `limit`. With `gapSeconds` the limit only slows down: an attempt succeeds whenever the
   * last success is that long ago.
   */
  take(key: string, limit: number, windowSeconds: number, gapSeconds?: number): Promise<void>;
  /** Removes one attempt from the count. */
  giveBack(key: string): Promise<void>;
  clear(key: string): Promise<void>;
};

export type App = {
  db: Database;
  user: CurrentUser | null;
  /** The personal key of the request, null for one that does not work; missing without a key (O-05). */
  key?: {
    id: string;
    scopes: readonly KeyScope[];
    /** The only goal of a key that logs it (W-04). */
    goalId: number | null;
  } | null;
  /** The sentence for a suspended user who asks for more than export and deletion; `user` is null then. */
  suspensionSentence?: string;
  /** The session of a guest who asks for more than guests may have; `user` is null then (H-19). */
  refusedGuestOf?: number;
  now: Instant;
  settings: Settings;
  rooms: Rooms;
  payments: Payments;
  mail: Mail;
  /** Null where this server sends no pushes. */
  push: Push | null;
  jobs: Jobs;
  uploads: Uploads;
  copies: Copies;
  summariser: Summariser;
  richText: RichText;
  calendar: Calendar;
  attempts: Attempts;
  /** Null on a deployed server without DATA_KEY. */
  vault: Vault | null;
  /** Null on a deployed server without DATA_KEY: sockets then open by the cookie alone. */
  tickets: Tickets | null;
  /** The device cookie: this browser has signed in before. It is no login. */
  deviceToken: string | null;
  /** The XSRF token of a browser: two presses of "Sit in" by it are one (H-18). */
  xsrfToken?: string | undefined;
  /** The cookie of a login that signs nobody in any more, by which a browser may be kept out (H-24). */
  staleLogin?: string;
  /** The source of the request, for counters and the list of logins. */
  origin: { ip: string; userAgent: string; place: string };
  theme: Theme;
  timeZone: string;
  locale: string;
  /** The id of a new record; in a request with a key, the same at each repeat. */
  newId(): string;
  /** The key of a repeatable request. */
  requestKey?: string;
  /** The intent of the page's form, for the security log; `act` sets it. */
  intent?: string;
  /** The answer is of a thing with a join code, so the edge keeps no copy of it (E1). */
  hasCode?: boolean;
  /** The things that the answer shows: the edge reads whether each is open before it uses a copy. */
  readonly shownRecords: ShownThing[];
  /** The act that this answer keeps for the sign-in of its form. */
  actToResume?: { token: string; intent: string; cookie: string };
  /** The token of a kept act in the form of the finished sign-in. */
  actToResumeToken?: string;
  /** Work that may finish after the answer was sent. */
  defer(work: Promise<unknown>): void;
  /** Cookies for the answer; the doors send them. */
  cookies: {
    login?: { token: string; expiresAt: Instant } | null;
    device?: { token: string; expiresAt: Instant };
    /** Drops the act that waits for a sign-in. */
    actToResume?: null;
  };
};

export type UseCase<Input, Result> = (app: App, input: Input) => Promise<Result>;

/** The request without its login, for records that everybody sees alike (J-10, J-11). */
export const asVisitor = (app: App): App => {
  const { suspensionSentence: _, ...appFields } = app;
  return { ...appFields, user: null };
};

/** How the person of this request reads numbers and distances. */
export const readerOf = ({ locale, user }: Pick<App, "locale" | "user">): Reader => ({
  locale,
  unit: user?.distanceUnit ?? unitOfLocale(locale),
});

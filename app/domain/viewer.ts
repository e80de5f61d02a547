// The viewer and the shell of a page: the data that the root loader sends to every page.
import type { Theme } from "./cookies";
import type { DistanceUnit } from "./distances";
import type { RunningLog } from "./goals/log-state";

export type Viewer = {
  id: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Until the email is confirmed, every page shows a reminder. */
  isConfirmed: boolean;
  /** 10 is the super admin. */
  roleId: number;
  isSuperAdmin: boolean;
  /** The remaining tokens of all unexpired lots, at most two decimals (B-11). */
  tokens: number;
  /** For the header: the balance plus what chats have reserved (B-11). */
  headerTokens: number;
  /** "9.87 tokens, and 1 reserved for chat" (B-13). */
  balance: string;
  /** Product name of the active subscription, or null. */
  subscription: "goals_sub" | "goals_sessions_sub" | null;
  /** Shown by the bell (N-09). */
  unreadNotices: number;
  isNew: boolean;
  /** Keys of unread messages, e.g. `free_tokens`. */
  newMessages: string[];
  runningLog: RunningLog | null;
};

export type Shell = {
  appName: string;
  /** The origin of the app, e.g. `https://bothy.example`. */
  origin: string;
  perPage: number;
  viewer: Viewer | null;
  /** The page that the product's name leads to: `/`, or the session of a guest, who sees no other page (H-19). */
  home: string;
  /** A hash of the login and the person, which every write of the page sends; null for a visitor. */
  madeFor: string | null;
  /** The server renders it into every form. A visitor has none, so that the edge can store the page (E1). */
  pageUuid?: string | undefined;
  theme: Theme;
  /** The IANA time zone of the browser, from its latest cookie; UTC until known. */
  timeZone: string;
  locale: string;
  /** The unit in which the viewer types and reads distances (H-07). */
  unit: DistanceUnit;
  /** Epoch milliseconds on the server when the page was rendered. */
  now: number;
  /** Practice payments are marked as such (B-20). */
  isPracticeProvider: boolean;
  isLocalRun: boolean;
};

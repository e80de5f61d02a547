// The events that cause notices: the facts that each carries, and its subject. Pure; browsers load this file.
import type { Day } from "~/domain/days";
import type { Lead } from "~/domain/notices/notices";
import type { Instant } from "~/domain/time";

/** Characters of a message from the host (N-27). */
export const HOST_MESSAGE_LENGTH = 2000;

type Place = { title: string; path: string };
/** A text by a person under this name; `by` is the user. */
type Written = { name: string; by: number; path: string };
/** Another post that merged into a notice, or the newest event of somebody else. */
export type Other = { name: string; by: number | null; path: string; post?: number };
/** The post that the event is about: only people who may still read it are notified (N-05). */
type AboutPost = { post: number };
/** The ids of the recipients, when the cause deletes its own recipients or has a single one. */
type Listed = { to: number[] };
/**
 * News of a start: people must know it by this instant, so that neither debounce nor quiet hours outlast it. Null
 * without a start.
 */
type Urgent = { knownBy?: Instant | null };
/** The facts of a cause from which notices and deliveries are written. */
export type EventBodies = {
  "session-reminder": Place & { startedAt: Instant; lead: Lead };
  /** `holders` have a standing seat, which they may give up again (G-16). */
  "session-moved": Place & Urgent & { startedAt: Instant; holders?: number[] };
  /** The session has lost its start. */
  "session-undated": Place & Urgent & { holders?: number[] };
  /**
   * `name` started it by hand, before the start that people knew; `by` is the user. Empty and missing for people with whom
   * a block exists.
   */
  "session-early": Place & Urgent & Listed & { name: string; by?: number; planned: Instant };
  /** `payers` are the recipients whose own token came back. */
  "session-cancelled": Place & Urgent & Listed & { payers: number[]; isHostAbsent?: true };
  /** `name` started it by hand. */
  "session-started": Place & Urgent & Listed & { name: string };
  "seat-given": Place & Urgent & Listed;
  /** `until`: the end of the offer. */
  "seat-offered": Place & Urgent & Listed & { until: Instant };
  "seat-unpaid": Place & Listed;
  /** The recipient is the host from now on; `endsFree` is 1 if joining was free until then. */
  "host-given": Place & Listed & { endsFree: 0 | 1 };
  /** A session of a series was laid out with the recipient as its host (G-17). */
  "turn-given": Place & Listed & { startedAt: Instant; isFree?: true };
  /** The session has another code, which people on its waiting list have not given; `until`: the end of their places. */
  "waiting-asked": Place & Listed & { until: Instant };
  /** The recipient has not given the other code in time. */
  "waiting-ended": Place & Listed;
  /** `name` came in by the link of the hut that the recipient owns. */
  "invitation-used": Written & Listed & { title: string };
  "hut-deleted": { title: string } & Listed;
  /**
   * The hut became private, and the recipient held something there from outside. `payers`: their own tokens came back.
   * `succeeded`: the hut's owner hosts their sessions and series there.
   */
  "hut-private": { title: string; payers: number[]; succeeded?: number[] } & Listed;
  /** A session of a series was not created, because the host has too few tokens. */
  "series-unpaid": Place & Listed & { startedAt: Instant; isRota?: boolean };
  /** A session of a series has no seat for these people, who have too few tokens. */
  "standing-unpaid": Place & Listed & { startedAt: Instant };
  "standing-ended": Place & Listed;
  /** The series has another code, which people with a standing seat have not given; `until`: the end of these seats. */
  "standing-asked": Place & Listed & { until: Instant };
  /** `name` hosts the series. */
  "rota-invited": Place & Listed & { name: string };
  /** Joining became free in a series whose hosts in turn had accepted to pay only for themselves. */
  "rota-asked-again": Place & Listed;
  /** `until`: the end of its local day, after which it is not sent. */
  "goal-reminder": Place & Listed & { day: Day; until: Instant };
  /** `chosen`: the value of the channels that this time belongs to. */
  "still-open": Listed & { titles: string[]; path: string; chosen: number; until: Instant };
  /** The path is that of the session; `hut` and `hutPath` name the hut. */
  "hut-session": Place & {
    hut: string;
    hutPath: string;
    session: number;
    series?: number;
    isSeries?: boolean;
  };
  /** A change of the account of which its owner must know; `email` is the address before it (N-34). */
  "account-changed": AccountChanged;
  /** A personal key of this title ends soon (O-08). */
  "key-ends": Place & Listed & { endsAt: Instant };
  /** Calendar mail; its text and its file follow the session as it is when the email is sent (F-20 to F-22). */
  calendar: Urgent & Listed & { isNew?: true };
  /** For people who came (G-35); by id, `present` holds the seconds of each, `nextFor` the next date that each sees. */
  "session-recap": Place & Listed & { present: Record<string, number>; nextFor?: Record<string, Instant> };
  /** From the host or an admin to everybody with a seat. */
  "host-message": Written & Place & { seat: number; content: string };
  /** For the people who reported it; `outcome` is the sentence. */
  "report-closed": { outcome: string; path: string } & Listed;
  /**
   * For the author; the email with the link to the appeal is sent apart, to confirmed addresses only. `decision` opens
   * the appeal for its author.
   */
  decision: { act: string; reason: string; decision?: string } & Listed;
  /** For the author; `sentence` says what was decided. */
  "appeal-answered": { sentence: string; isGranted: boolean; reason: string } & Listed;
  /** For the author of the post; `path` leads to the reply. */
  reply: Written & AboutPost & Listed;
  /** For earlier repliers in the thread. */
  "thread-reply": Written & AboutPost & Listed;
  mention: Written & AboutPost & Listed & { title: string };
  /** The mention is in a line of the chat, which people with the `seat` read. */
  "chat-mention": Written & Listed & { title: string; seat: number };
};
/** The times that some of these facts have. */
export type BodyTimes = Urgent & { startedAt?: Instant; lead?: number; until?: Instant };
export type EventKind = keyof EventBodies;
export type AccountChanged = Listed & {
  what: AccountChange;
  sentence: string;
  email?: string;
  changedAt?: Instant;
  /** The end of a suspension, whose reason is the sentence. */
  until?: Instant | null;
};
export type AccountChange = "password" | "sign-in" | "calendar" | "address" | "deletion" | "suspension";

/** The subject of a notice, such as `session:12`. */
export const subjectOf = (
  kind: "session" | "hut" | "series" | "post" | "report" | "goal",
  id: number | string,
): string => `${kind}:${id}`;
const LISTS: Record<string, string> = {
  session: "/my/sessions",
  series: "/my/series",
  hut: "/my/groups",
  goal: "/my/goals",
};
/** The list that contained a subject. A notice leads there when its subject was deleted, or is closed to its reader. */
export const listOfSubject = (subject: string): string =>
  LISTS[subject.slice(0, subject.indexOf(":"))] ?? "/my/notices";
const idOfSubject = (kind: string, subject: string): number | null =>
  subject.startsWith(`${kind}:`) ? Number(subject.slice(kind.length + 1)) : null;
/** The session of a subject; null for another subject. */
export const sessionOfSubject = (subject: string): number | null => idOfSubject("session", subject);
export const hutOfSubject = (subject: string): number | null => idOfSubject("hut", subject);

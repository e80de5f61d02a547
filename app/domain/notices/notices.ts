// The kinds of notices with their channels and defaults (N-13), and the events that cause notices. Pure; browsers load
// this file.
import type { Day } from "~/domain/days";
import type { Instant } from "~/domain/time";

export const CHANNELS = ["app", "mail", "push"] as const;
export type Channel = (typeof CHANNELS)[number];
/** Channels that leave Bothy, as rows of `deliveries`. */
export type SentChannel = Exclude<Channel, "app">;

/** A channel's default; null where the kind has no such channel. */
type Default = boolean | null;
type Kind = {
  label: string;
  app: Default;
  mail: Default;
  push: Default;
  /** A digest replaces the single emails of this kind (N-17). */
  isDigested: boolean;
  /** Nobody can switch it off. */
  isFixed?: true;
};

export const NOTICE_KINDS = {
  "session-reminder": {
    label: "A session begins soon",
    app: true,
    mail: true,
    push: true,
    isDigested: false,
  },
  "session-changed": {
    label: "A session moved or was cancelled",
    app: true,
    mail: true,
    push: true,
    isDigested: false,
  },
  "session-started": {
    label: "A host started a session by hand",
    app: true,
    mail: null,
    push: true,
    isDigested: false,
  },
  seat: { label: "A seat for you", app: true, mail: true, push: true, isDigested: false },
  reply: { label: "A reply to your post", app: true, mail: false, push: true, isDigested: true },
  mention: { label: "Somebody mentions you", app: true, mail: false, push: true, isDigested: true },
  calendar: { label: "Calendar invitations", app: null, mail: true, push: null, isDigested: false },
  "host-message": {
    label: "A message from the host",
    app: true,
    mail: true,
    push: false,
    isDigested: true,
  },
  "hut-session": { label: "A new session in a hut", app: true, mail: false, push: false, isDigested: true },
  "goal-reminder": { label: "A goal's reminder", app: true, mail: false, push: true, isDigested: false },
  "still-open": {
    label: "Goals that are still open, at a time of yours",
    app: false,
    mail: false,
    push: false,
    isDigested: false,
  },
  series: { label: "A series changed", app: true, mail: true, push: false, isDigested: false },
  recap: { label: "The recap of a session", app: true, mail: true, push: false, isDigested: true },
  moderation: {
    label: "Moderation and security",
    app: true,
    mail: true,
    push: null,
    isDigested: false,
    isFixed: true,
  },
} as const satisfies Record<string, Kind>;
export type NoticeKind = keyof typeof NOTICE_KINDS;
export const isNoticeKind = (text: string): text is NoticeKind => Object.hasOwn(NOTICE_KINDS, text);
export const FIXED_KIND = "Security emails cannot be switched off.";
export const kindRule = (kind: NoticeKind): Kind => NOTICE_KINDS[kind];

/** Minutes before the start at which a reminder may go out (N-18). */
export const LEADS = [10, 60, 1440] as const;
export type Lead = (typeof LEADS)[number];
const DEFAULT_LEADS: Record<Channel, Lead> = { app: 10, mail: 60, push: 10 };

/**
 * Values that differ from the defaults, by `kind:channel`. 0 is off and 1 is on; for a session reminder the value is
 * its lead in minutes, and for "still open" the minute of the day plus 1.
 */
export type Differences = Partial<Record<`${NoticeKind}:${Channel}`, number>>;

/** The value of a kind on a channel, 0 for off. */
export function settingOf(differences: Differences, kind: NoticeKind, channel: Channel): number {
  const byDefault = kindRule(kind)[channel];
  if (byDefault === null) return 0;
  if (kindRule(kind).isFixed) return 1;
  const value = differences[`${kind}:${channel}`] ?? (byDefault ? 1 : 0);
  return kind === "session-reminder" && value === 1 ? DEFAULT_LEADS[channel] : value;
}

export const DIGESTS = ["off", "daily", "weekly"] as const;
export type Digest = (typeof DIGESTS)[number];

/** Whether a setting of this kind may have this value. */
export const isSettingValue = (kind: NoticeKind, value: number): boolean =>
  value === 0 ||
  (kind === "session-reminder"
    ? LEADS.some((lead) => lead === value)
    : kind === "still-open"
      ? Number.isInteger(value) && value > 0 && value <= 24 * 60
      : value === 1);

// ---- events

type Place = { title: string; path: string };
/** A text by a person under this name; `by` is the user. */
type Written = { name: string; by: number; path: string };
/** Somebody else whose event merged into a notice. */
export type Other = { name: string; by: number | null; path: string };
/** The post that the event is about: only people who may still read it hear of it (N-05). */
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
  /** Its start was taken away. */
  "session-undated": Place & Urgent & { holders?: number[] };
  /** `name` started it by hand, before the start that people knew. */
  "session-early": Place & Urgent & Listed & { name: string; planned: Instant };
  /** `payers` are the recipients whose own token came back. */
  "session-cancelled": Place & Urgent & Listed & { payers: number[]; isHostAbsent?: true };
  /** `name` started it by hand. */
  "session-started": Place & Listed & { name: string };
  "seat-given": Place & Urgent & Listed;
  /** `until`: the end of the offer. */
  "seat-offered": Place & Listed & { until: Instant };
  "seat-unpaid": Place & Listed;
  /** The recipient is the host from now on; `endsFree` is 1 if joining was free until then. */
  "host-given": Place & Listed & { endsFree: 0 | 1 };
  /** A session of a series was laid out with the recipient as its host (G-17). */
  "turn-given": Place & Listed & { startedAt: Instant; isFree?: true };
  /** The join code changed, so nobody waits any more. */
  "waiting-ended": Place & Listed;
  "hut-deleted": { title: string } & Listed;
  /** A session of a series was not created, because the host has too few tokens. */
  "series-unpaid": Place & Listed & { startedAt: Instant; isRota?: boolean };
  /** A session of a series has no seat for these people, who have too few tokens. */
  "standing-unpaid": Place & Listed & { startedAt: Instant };
  "standing-ended": Place & Listed;
  /** `name` hosts the series. */
  "rota-invited": Place & Listed & { name: string };
  /** Joining became free in a series whose hosts in turn had accepted to pay for themselves alone. */
  "rota-asked-again": Place & Listed;
  /** The path is that of the session; `hut` and `hutPath` name the hut. */
  /** `until`: the end of its local day, after which it is not sent. */
  "goal-reminder": Place & Listed & { day: Day; until: Instant };
  /** `chosen`: the value of the channels that this time belongs to. */
  "still-open": Listed & { titles: string[]; path: string; chosen: number; until: Instant };
  "hut-session": Place & {
    hut: string;
    hutPath: string;
    session: number;
    series?: number;
    isSeries?: boolean;
  };
  /** A change of the account that its owner must hear of; `email` is the address before it (N-34). */
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
  /** For the author; the email with the link to the appeal is sent apart. */
  decision: { act: string; reason: string } & Listed;
  /** For the author; `sentence` says what was decided. */
  "appeal-answered": { sentence: string; isGranted: boolean; reason: string } & Listed;
  /** For the author of the post; `path` leads to the reply. */
  reply: Written & AboutPost & Listed;
  /** For earlier repliers in the thread. */
  "thread-reply": Written & AboutPost & Listed;
  mention: Written & AboutPost & Listed & { title: string };
  /** In a line of the chat, which people with the `seat` read. */
  "chat-mention": Written & Listed & { title: string; seat: number };
};
export type EventKind = keyof EventBodies;
export type AccountChanged = Listed & {
  what: AccountChange;
  sentence: string;
  email?: string;
  changedAt?: Instant;
};
export type AccountChange = "password" | "sign-in" | "calendar" | "address" | "deletion" | "suspension";

/** A condition that must still hold for a person when a message leaves (N-05). */
type Need =
  | "seat"
  /** A seat, or a place on the waiting list. */
  | "place"
  /** A place on the waiting list. */
  | "wait"
  | "offer"
  /** The session is there, also when it is over. */
  | "session"
  /** The session is not over. */
  | "open-session"
  /** A member of the hut, in which the session of the body may still be joined. */
  | "new-session"
  /** The series goes on, and the date of the body lies ahead. */
  | "series"
  /** The person has not answered the invitation to the rota. */
  | "invitation"
  /** The goal of the subject asks for the day of the body. */
  | "open-goal";

type EventRule = {
  notice: NoticeKind;
  /**
   * The recipients: people who share a seat, a membership or a thread with the sender, or agreed to hear (`shared`); the
   * user's own affairs, by themselves, the clock or a super admin (`own`); or people who share nothing (`strangers`),
   * whom only `askPerson` reaches.
   */
  reaches: "shared" | "own" | "strangers";
  /** `listed`: the ids in the body. `session`: the seats of the subject. `hut`: its members. */
  audience: "listed" | "session" | "hut";
  /** People on the waiting list of the session too. */
  includesWaiters?: true;
  /** Channels on which the event may go out; all channels of the kind unless given. */
  channels?: readonly Channel[];
  /** It reaches people who may not open its subject any more: it tells them of what they had. */
  outlivesAccess?: true;
  needs?: Need;
  /** During the debounce of calendar mail, the email of this event and the calendar's are the same (F-24). */
  joinsCalendar?: true;
  /** Neither quiet hours nor an unconfirmed address keep it back (Q-05, N-15). */
  isSecurity?: true;
  /** A block between actor and recipient hides it. */
  isPersonal?: true;
  /** How unread notices of this event and subject merge (N-11): counting, or showing the newest. */
  merges?: "count" | "newest";
  /** The end of the sentence "You get this because …". */
  because: string;
};

export const EVENTS = {
  "session-reminder": {
    reaches: "own",
    notice: "session-reminder",
    audience: "session",
    joinsCalendar: true,
    merges: "newest",
    needs: "seat",
    because: "you have a seat in this session",
  },
  "session-moved": {
    reaches: "shared",
    notice: "session-changed",
    audience: "session",
    includesWaiters: true,
    joinsCalendar: true,
    merges: "newest",
    needs: "place",
    because: "you have a seat in this session",
  },
  "session-undated": {
    reaches: "shared",
    notice: "session-changed",
    audience: "session",
    includesWaiters: true,
    needs: "place",
    joinsCalendar: true,
    merges: "newest",
    because: "you have a seat in this session",
  },
  "session-early": {
    reaches: "shared",
    notice: "session-changed",
    audience: "listed",
    needs: "seat",
    because: "you have a seat in this session",
  },
  "session-cancelled": {
    reaches: "shared",
    notice: "session-changed",
    audience: "listed",
    outlivesAccess: true,
    joinsCalendar: true,
    because: "you had a seat in this session",
  },
  "session-started": {
    reaches: "shared",
    notice: "session-started",
    audience: "listed",
    isPersonal: true,
    needs: "seat",
    because: "you have a seat in this session",
  },
  "seat-given": {
    reaches: "own",
    notice: "seat",
    audience: "listed",
    joinsCalendar: true,
    merges: "newest",
    needs: "seat",
    because: "you were on the waiting list of this session",
  },
  "seat-offered": {
    reaches: "own",
    notice: "seat",
    audience: "listed",
    merges: "newest",
    needs: "offer",
    because: "you are on the waiting list of this session",
  },
  "seat-unpaid": {
    reaches: "own",
    notice: "seat",
    audience: "listed",
    merges: "newest",
    needs: "wait",
    because: "you are on the waiting list of this session",
  },
  "waiting-ended": {
    reaches: "shared",
    notice: "seat",
    audience: "listed",
    needs: "open-session",
    because: "you were on the waiting list of this session",
  },
  "host-given": {
    reaches: "shared",
    notice: "moderation",
    audience: "listed",
    needs: "seat",
    because: "you host this session now",
  },
  "turn-given": {
    reaches: "own",
    notice: "moderation",
    audience: "listed",
    channels: ["app"],
    because: "you host this series in turn",
  },
  "hut-deleted": {
    reaches: "shared",
    notice: "moderation",
    audience: "listed",
    outlivesAccess: true,
    channels: ["app"],
    because: "you were a member of this hut",
  },
  "rota-invited": {
    reaches: "strangers",
    notice: "series",
    audience: "listed",
    isPersonal: true,
    merges: "newest",
    needs: "invitation",
    because: "the host of this series invites you",
  },
  "rota-asked-again": {
    reaches: "shared",
    notice: "series",
    audience: "listed",
    needs: "invitation",
    because: "you host this series in turn",
  },
  "series-unpaid": {
    reaches: "own",
    notice: "series",
    audience: "listed",
    needs: "series",
    because: "you host this series",
  },
  "standing-unpaid": {
    reaches: "own",
    notice: "series",
    audience: "listed",
    needs: "series",
    because: "you join every session of this series",
  },
  "standing-ended": {
    reaches: "own",
    notice: "series",
    audience: "listed",
    needs: "series",
    because: "you joined every session of this series",
  },
  "goal-reminder": {
    reaches: "own",
    notice: "goal-reminder",
    audience: "listed",
    needs: "open-goal",
    because: "you set a reminder for this goal",
  },
  "still-open": {
    reaches: "own",
    notice: "still-open",
    audience: "listed",
    because: "you chose this time for open goals",
  },
  "hut-session": {
    reaches: "shared",
    notice: "hut-session",
    audience: "hut",
    isPersonal: true,
    merges: "count",
    needs: "new-session",
    because: "you are a member of this hut",
  },
  "account-changed": {
    reaches: "own",
    notice: "moderation",
    audience: "listed",
    channels: ["mail"],
    isSecurity: true,
    because: "your account was changed",
  },
  "key-ends": {
    reaches: "own",
    notice: "moderation",
    audience: "listed",
    because: "you made this key",
  },
  calendar: {
    reaches: "own",
    notice: "calendar",
    audience: "listed",
    outlivesAccess: true,
    because: "you have or had a seat in this session",
  },
  "host-message": {
    reaches: "shared",
    notice: "host-message",
    audience: "session",
    isPersonal: true,
    needs: "session",
    because: "you have a seat in this session",
  },
  "report-closed": {
    reaches: "own",
    notice: "moderation",
    audience: "listed",
    channels: ["app"],
    because: "you reported this",
  },
  decision: {
    reaches: "own",
    notice: "moderation",
    audience: "listed",
    channels: ["app"],
    because: "we decided about a text of yours",
  },
  "appeal-answered": {
    reaches: "own",
    notice: "moderation",
    audience: "listed",
    because: "you appealed against a decision",
  },
  "session-recap": {
    reaches: "own",
    notice: "recap",
    audience: "listed",
    needs: "session",
    because: "you took part in this session",
  },
  reply: {
    reaches: "shared",
    notice: "reply",
    audience: "listed",
    isPersonal: true,
    merges: "count",
    because: "you wrote this post",
  },
  "thread-reply": {
    reaches: "shared",
    notice: "reply",
    audience: "listed",
    isPersonal: true,
    merges: "count",
    because: "you replied to the same post",
  },
  mention: {
    reaches: "shared",
    notice: "mention",
    audience: "listed",
    isPersonal: true,
    because: "a post mentions you",
  },
  "chat-mention": {
    reaches: "shared",
    notice: "mention",
    audience: "listed",
    isPersonal: true,
    merges: "count",
    needs: "seat",
    because: "a line of the chat mentions you",
  },
} as const satisfies Record<EventKind, EventRule>;
/** Kinds that reach people who share nothing with the sender. */
export type AskKind = {
  [K in EventKind]: (typeof EVENTS)[K] extends { reaches: "strangers" } ? K : never;
}[EventKind];

/** The kinds that any event uses, in the order of the settings. */
export const SHOWN_KINDS = (Object.keys(NOTICE_KINDS) as NoticeKind[]).filter((kind) =>
  Object.values(EVENTS).some(({ notice }) => notice === kind),
);
export const eventRule = (kind: EventKind): EventRule => EVENTS[kind];
export const noticeOf = (kind: EventKind): NoticeKind => eventRule(kind).notice;

/** The channels of an event for a person with these settings. */
export function channelsOf(
  kind: EventKind,
  differences: Differences,
  body: { lead?: number; chosen?: number },
): Channel[] {
  const { notice, channels = CHANNELS } = eventRule(kind);
  return channels.filter((channel) => {
    const value = settingOf(differences, notice, channel);
    const asked = body.lead ?? body.chosen;
    return value !== 0 && (asked === undefined || value === asked);
  });
}

/** `session:12`. */
export const subjectOf = (
  kind: "session" | "hut" | "series" | "post" | "report" | "goal",
  id: number | string,
): string => `${kind}:${id}`;
const idOfSubject = (kind: string, subject: string): number | null =>
  subject.startsWith(`${kind}:`) ? Number(subject.slice(kind.length + 1)) : null;
/** The session of a subject; null for another subject. */
export const sessionOfSubject = (subject: string): number | null => idOfSubject("session", subject);
export const hutOfSubject = (subject: string): number | null => idOfSubject("hut", subject);

// ---- the life of a delivery

/** Characters of a message from the host (N-27). */
export const HOST_MESSAGE_LENGTH = 2000;
/** The notice that a delivery is about, by the key of the delivery; null for another key (N-40). */
export function noticeOfKey(
  key: string,
): { userId: number; kind: string; subject: string; instant: number } | null {
  const [, userId, kind, subject, instant] = /^(\d+):([\w-]+):(.*):(\d+):(?:push|mail)$/.exec(key) ?? [];
  return kind === undefined || subject === undefined
    ? null
    : { userId: Number(userId), kind, subject, instant: Number(instant) };
}
/** Recipients of one stretch of the fan-out (N-03). */
export const FAN_OUT_STRETCH = 500;
/** Unread notices of the same kind and subject merge within this span (N-11). */
export const MERGE_MINUTES = 10;
/** A claim is free again after this span (N-04). */
export const LEASE_MINUTES = 2;
/** Minutes after each failed try; then the delivery has failed (N-06). */
const RETRY_MINUTES = [1, 5, 30, 120] as const;
/** Minutes until the next try, after so many tries; null when none is left. */
export const retryAfter = (tries: number): number | null => RETRY_MINUTES[tries - 1] ?? null;
/** Due deliveries that a run of the minute cron handles (N-07). */
export const DUE_A_RUN = 10_000;
/** The reason of a delivery whose receiving server refused the address for good (N-35). */
export const REFUSED_ADDRESS = "address-refused";
/** Emails refused for good that stop the mail to an address (N-35). */
export const REFUSALS_TO_STOP = 2;
/** Why a delivery was not sent (N-05). */
export type DropReason =
  | "account-gone"
  | "address-unconfirmed"
  | "address-failing"
  | "answered"
  | "blocked"
  | "channel-off"
  | "goal-done"
  | "left"
  | "moved"
  | "no-seat"
  | "over"
  | "started"
  | "stale"
  | "unreadable";

export type SendingFacts = {
  now: Instant;
  kind: EventKind;
  channel: SentChannel;
  startedAt: Instant | undefined;
  lead: number | undefined;
  chosen?: number | undefined;
  differences: Differences;
  isGone: boolean;
  isConfirmed: boolean;
  isFailing: boolean;
  isBlocked: boolean;
  /** The post of the notice is removed, or the recipient may not open its place any more or has left the session. */
  isUnreadable: boolean;
  /** The goal of the subject asks for the day of the body. */
  isGoalOpen?: boolean;
  /** Null when the session of the subject is gone. */
  session: {
    startedAt: Instant | null;
    isOver: boolean;
    hasSeat: boolean;
    isWaiting?: boolean;
    /** The end of the seat that is offered to the person. */
    offeredUntil?: Instant | null;
  } | null;
  /** The person belongs to the hut of the subject, and sees the open session of the body. */
  isMember?: boolean;
  isSessionOpen?: boolean;
  /** The series of the subject goes on, and the person's turn in it is unanswered. */
  isSeriesOpen?: boolean;
  isInvited?: boolean;
};

/** The reason for which a need does not hold any more. A missing fact counts as no. */
const MISSING: Record<Need, (facts: SendingFacts) => DropReason | null> = {
  seat: ({ session }) => atSession(session, session?.hasSeat),
  place: ({ session }) => atSession(session, session?.hasSeat || session?.isWaiting),
  wait: ({ session }) => atSession(session, session?.isWaiting),
  offer: ({ session, now }) =>
    atSession(session, session?.isWaiting) ?? ((session?.offeredUntil ?? 0) > now ? null : "over"),
  session: ({ session }) => (session === null ? "over" : null),
  "open-session": ({ session }) => atSession(session, true),
  series: ({ isSeriesOpen, startedAt, now }) =>
    isSeriesOpen && (startedAt === undefined || now < startedAt) ? null : "over",
  "new-session": ({ isMember, isSessionOpen }) => (!isMember ? "left" : isSessionOpen ? null : "over"),
  invitation: ({ isSeriesOpen, isInvited }) => (!isSeriesOpen ? "over" : isInvited ? null : "answered"),
  "open-goal": ({ isGoalOpen }) => (isGoalOpen ? null : "goal-done"),
};
const atSession = (session: SendingFacts["session"], isHeld: boolean | undefined): DropReason | null =>
  session === null || session.isOver ? "over" : isHeld ? null : "no-seat";

/** N-05, for every channel and kind: null when the message may leave now, otherwise the reason to drop it. */
export function dropReason(facts: SendingFacts): DropReason | null {
  const { kind, session, startedAt, now } = facts;
  const rule = eventRule(kind);
  if (facts.isGone) return "account-gone";
  if (facts.channel === "mail" && !facts.isConfirmed && !rule.isSecurity) return "address-unconfirmed";
  if (facts.channel === "mail" && facts.isFailing) return "address-failing";
  const asked = {
    ...(facts.lead === undefined ? {} : { lead: facts.lead }),
    ...(facts.chosen === undefined ? {} : { chosen: facts.chosen }),
  };
  if (!channelsOf(kind, facts.differences, asked).includes(facts.channel)) return "channel-off";
  if (rule.isPersonal && facts.isBlocked) return "blocked";
  if (facts.isUnreadable && !rule.outlivesAccess) return "unreadable";
  const missing = rule.needs ? MISSING[rule.needs](facts) : null;
  if (missing !== null) return missing;
  if (kind === "session-undated" && session?.startedAt != null) return "moved";
  if (startedAt === undefined || (rule.needs !== "seat" && rule.needs !== "place")) return null;
  if (session?.startedAt !== startedAt) return "moved";
  return now >= startedAt ? "started" : null;
}

/** A row that a job could not handle (N-06). */
export type FailedRow = { job: string; row: string; tries: number; reason: string; at: Instant };

/** A delivery that failed for good (N-06). */
export type FailedDelivery = {
  key: string;
  label: string;
  channel: SentChannel;
  username: string | null;
  reason: string;
  at: Instant;
};

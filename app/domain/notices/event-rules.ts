// The rules of each event: its recipients, its channels, and when it merges or is dropped (N-05, N-11, N-13).
import type { EventKind } from "~/domain/notices/events";
import {
  CHANNELS,
  type Channel,
  type Differences,
  NOTICE_KINDS,
  type NoticeKind,
  settingOf,
} from "~/domain/notices/notices";

/** A condition that must still hold for a person when a message leaves (N-05). */
export type Need =
  | "seat"
  /** A seat, or a place on the waiting list. */
  | "place"
  /** A place on the waiting list. */
  | "wait"
  | "offer"
  /** The session exists, also when it is over. */
  | "session"
  /** The session is not over. */
  | "open-session"
  /** A member of the hut, in which the session of the body may still be joined. */
  | "new-session"
  /** The series has not ended, and the date of the body lies ahead. */
  | "series"
  /** The person has not answered the invitation to the rota. */
  | "invitation"
  /** The goal of the subject is due on the day of the body. */
  | "open-goal";

type EventRule = {
  notice: NoticeKind;
  /**
   * The recipients: people who share a seat, a membership or a thread with the sender, or agreed to be notified
   * (`shared`); the user whose affair it is, whoever causes it (`own`); or people who share nothing (`strangers`),
   * whom only `askPerson` reaches.
   */
  reaches: "shared" | "own" | "strangers";
  /** `listed`: the ids in the body. `session`: the seats of the subject. `hut`: its members. */
  audience: "listed" | "session" | "hut";
  /** People on the waiting list of the session too. */
  includesWaiters?: true;
  /** Channels on which the event may go out; all channels of the kind unless given. */
  channels?: readonly Channel[];
  /** It reaches people who may not open its subject any more, because they lost something there. */
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
  /** The word of its button, where the notice asks its reader for something (N-08). */
  asks?: string;
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
    needs: "place",
    because: "you have a seat in this session, or wait for one",
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
    asks: "Take the seat",
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
  "waiting-asked": {
    reaches: "shared",
    notice: "seat",
    audience: "listed",
    merges: "newest",
    needs: "wait",
    asks: "Give the code",
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
  "invitation-used": {
    reaches: "shared",
    notice: "hut-member",
    audience: "listed",
    isPersonal: true,
    merges: "count",
    because: "you own this hut",
  },
  "hut-deleted": {
    reaches: "shared",
    notice: "moderation",
    audience: "listed",
    outlivesAccess: true,
    channels: ["app"],
    because: "you were a member of this hut",
  },
  "hut-private": {
    reaches: "shared",
    notice: "seat",
    audience: "listed",
    outlivesAccess: true,
    because: "you had a seat or a place in a session of this hut",
  },
  "rota-invited": {
    reaches: "strangers",
    notice: "series",
    audience: "listed",
    isPersonal: true,
    merges: "newest",
    needs: "invitation",
    asks: "Answer",
    because: "the host of this series invites you",
  },
  "rota-asked-again": {
    reaches: "shared",
    notice: "series",
    audience: "listed",
    needs: "invitation",
    asks: "Answer",
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
  "standing-asked": {
    reaches: "shared",
    notice: "series",
    audience: "listed",
    merges: "newest",
    needs: "series",
    asks: "Give the code",
    because: "you join every session of this series",
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
    const lead = body.lead ?? body.chosen;
    return value !== 0 && (lead === undefined || value === lead);
  });
}

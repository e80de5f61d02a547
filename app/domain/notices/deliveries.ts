// The life of a delivery: its key, its tries, and the reasons to drop it (N-03 to N-07).
import { channelsOf, eventRule, type Need } from "~/domain/notices/event-rules";
import type { EventKind } from "~/domain/notices/events";
import type { Differences, SentChannel } from "~/domain/notices/notices";
import type { Instant } from "~/domain/time";

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
/** Events that a digest lists; it only counts the others (N-17). */
export const MAX_DIGEST_LINES = 100;
/** A claim is free again after this span (N-04). */
export const LEASE_MINUTES = 2;
/** Minutes after each failed try; then the delivery has failed (N-06). */
const RETRY_MINUTES = [1, 5, 30, 120] as const;
/** Minutes until the next try, after so many tries; null when none is left. */
export const retryAfter = (tries: number): number | null => RETRY_MINUTES[tries - 1] ?? null;
/** Due deliveries that a run of the minute cron handles (N-07). */
export const MAX_DUE_PER_RUN = 10_000;
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
  /** The goal of the subject is due on the day of the body. */
  isGoalOpen?: boolean;
  /** Null if the session of the subject was deleted. */
  session: {
    startedAt: Instant | null;
    /** The start that was last announced, where a smaller move has followed. */
    toldStart?: Instant | null;
    isOver: boolean;
    hasSeat: boolean;
    isWaiting?: boolean;
    /** The end of the seat that is offered to the person. */
    offeredUntil?: Instant | null;
  } | null;
  /** The person belongs to the hut of the subject, and sees the open session of the body. */
  isMember?: boolean;
  isSessionOpen?: boolean;
  /** The series of the subject has not ended, and the person's turn in it is unanswered. */
  isSeriesOpen?: boolean;
  isInvited?: boolean;
};

/** The reason to drop a message whose need no longer holds. A missing fact counts as no. */
const DROP_REASONS: Record<Need, (facts: SendingFacts) => DropReason | null> = {
  seat: ({ session }) => sessionDropReason(session, session?.hasSeat),
  place: ({ session }) => sessionDropReason(session, session?.hasSeat || session?.isWaiting),
  wait: ({ session }) => sessionDropReason(session, session?.isWaiting),
  offer: ({ session, now }) =>
    sessionDropReason(session, session?.isWaiting) ?? ((session?.offeredUntil ?? 0) > now ? null : "over"),
  session: ({ session }) => (session === null ? "over" : null),
  "open-session": ({ session }) => sessionDropReason(session, true),
  series: ({ isSeriesOpen, startedAt, now }) =>
    isSeriesOpen && (startedAt === undefined || now < startedAt) ? null : "over",
  "new-session": ({ isMember, isSessionOpen }) => (!isMember ? "left" : isSessionOpen ? null : "over"),
  invitation: ({ isSeriesOpen, isInvited }) => (!isSeriesOpen ? "over" : isInvited ? null : "answered"),
  "open-goal": ({ isGoalOpen }) => (isGoalOpen ? null : "goal-done"),
};
const sessionDropReason = (
  session: SendingFacts["session"],
  hasPlace: boolean | undefined,
): DropReason | null => (session === null || session.isOver ? "over" : hasPlace ? null : "no-seat");

/** N-05, for every channel and kind: null when the message may leave now, otherwise the reason to drop it. */
export function dropReason(facts: SendingFacts): DropReason | null {
  const { kind, session, startedAt, now } = facts;
  const rule = eventRule(kind);
  if (facts.isGone) return "account-gone";
  if (facts.channel === "mail" && !facts.isConfirmed && !rule.isSecurity) return "address-unconfirmed";
  if (facts.channel === "mail" && facts.isFailing) return "address-failing";
  const timing = {
    ...(facts.lead === undefined ? {} : { lead: facts.lead }),
    ...(facts.chosen === undefined ? {} : { chosen: facts.chosen }),
  };
  if (!channelsOf(kind, facts.differences, timing).includes(facts.channel)) return "channel-off";
  if (rule.isPersonal && facts.isBlocked) return "blocked";
  if (facts.isUnreadable && !rule.outlivesAccess) return "unreadable";
  const needReason = rule.needs ? DROP_REASONS[rule.needs](facts) : null;
  if (needReason !== null) return needReason;
  if (kind === "session-undated" && session?.startedAt != null) return "moved";
  if (startedAt === undefined || (rule.needs !== "seat" && rule.needs !== "place")) return null;
  const start = session?.startedAt ?? null;
  // A later move that is too small to announce leaves the news before it valid (N-21).
  const announcedStart = (kind === "session-moved" && session?.toldStart) || start;
  if (start === null || announcedStart !== startedAt) return "moved";
  return now >= start ? "started" : null;
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

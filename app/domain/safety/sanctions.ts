// Mutes, bans and suspensions: when they hold, who may set them, and their sentences. Pure; browsers
// show a mute until it ends.
import { clockText, type TimeReader } from "~/domain/days";
import type { Seat } from "~/domain/permissions";
import { HUT_ROLE, type HutRole, SEAT_ROLE } from "~/domain/roles";
import { type Instant, later, plusSeconds } from "~/domain/time";

/** Where a sanction holds; `site` is the whole installation. */
export type SanctionScope = "site" | "hut" | "series" | "session";
/** A mute closes writing. A ban closes taking part; on the site it is a suspension. */
export type SanctionKind = "mute" | "ban";
export type HeldSanction = {
  scope: SanctionScope;
  kind: SanctionKind;
  until: Instant | null;
  reason: string;
};

export const isInForce = ({ until }: { until: Instant | null }, now: Instant): boolean =>
  until === null || now < until;

/** The values of `{ mute }`: seconds, 1 until the end of the place, 0 to lift the mute. */
export const MUTE_ORDERS = [0, 1, 300, 1800] as const;
export type MuteOrder = (typeof MUTE_ORDERS)[number];
/** The end of a mute; null for none. */
export const muteUntil = (order: Exclude<MuteOrder, 0>, now: Instant): Instant | null =>
  order === 1 ? null : plusSeconds(now, order);

/** The later of two ends. */
export const laterEnd = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? null : later(a, b);

/** The mute in force among these: the one that ends last, and the place whose end it shares. Null for none. */
export function muteAmong(
  sanctions: readonly HeldSanction[],
  now: Instant,
): { until: Instant | null; place: "session" | "hut" } | null {
  const mutes = sanctions.filter((sanction) => sanction.kind === "mute" && isInForce(sanction, now));
  const [first] = mutes;
  if (!first) return null;
  const until = mutes.reduce((end: Instant | null, mute) => laterEnd(end, mute.until), first.until);
  return { until, place: mutes.some(({ scope }) => scope === "session") ? "session" : "hut" };
}

/** The ban in force among these, as a sentence; null for none. The session's own comes first. */
export function closedAmong(sanctions: readonly HeldSanction[], now: Instant): string | null {
  const bans = sanctions.filter((sanction) => sanction.kind === "ban" && isInForce(sanction, now));
  const ban = bans.find(({ scope }) => scope !== "hut") ?? bans[0];
  return ban ? withReason(ban.scope === "hut" ? KEPT_OUT_OF_HUT : KEPT_OUT, ban.reason) : null;
}

/**
 * The sentence for a browser that may not sit in as a guest, because these sanctions of the accounts that it remembers
 * hold there; null for none. A ban comes first, then a suspension, then a mute. `dayOf`: a day in words.
 */
export function browserRefusal(
  sanctions: readonly HeldSanction[],
  now: Instant,
  reader: TimeReader,
  dayOf: (at: Instant) => string,
): string | null {
  const closedBan = closedAmong(
    sanctions.filter(({ scope }) => scope !== "site"),
    now,
  );
  if (closedBan !== null) return closedBan;
  const suspensions = sanctions.filter((sanction) => sanction.scope === "site" && isInForce(sanction, now));
  const [suspension] = suspensions;
  if (suspension) {
    const until = suspensions.reduce(
      (end: Instant | null, other) => laterEnd(end, other.until),
      suspension.until,
    );
    return suspendedSentence({ until, reason: "" }, until === null ? "" : dayOf(until));
  }
  const mute = muteAmong(sanctions, now);
  return mute && mutedSentence(mute, mute.place, reader);
}

/** A person's rank in a session or hut. */
export const RANK = { none: 0, member: 1, moderator: 2, owner: 3 } as const;
export type Rank = (typeof RANK)[keyof typeof RANK];
export type RankedPerson = { userId: number; isSuperAdmin: boolean; rank: Rank };

export const rankOfSeat = (seat: Seat | null): Rank =>
  seat === null
    ? RANK.none
    : seat.isHost
      ? RANK.owner
      : seat.role === SEAT_ROLE.admin
        ? RANK.moderator
        : RANK.member;
export const rankInHut = (hut: { ownerId: number }, userId: number, role: HutRole | null): Rank =>
  hut.ownerId === userId
    ? RANK.owner
    : role === null
      ? RANK.none
      : role === HUT_ROLE.moderator
        ? RANK.moderator
        : RANK.member;

/** Null if the two ranks allow it. The caller has checked the actor's permission. */
export function sanctionRefusal(actor: RankedPerson, target: RankedPerson): string | null {
  if (actor.userId === target.userId) return "You cannot do that to yourself.";
  if (target.isSuperAdmin) return "Nobody may do that to a super admin.";
  if (!actor.isSuperAdmin && target.rank > actor.rank) return "This person has a higher role than you here.";
  return null;
}

/** The sentence for a muted person; without an end, `place` names the end. */
export const mutedSentence = (
  { until }: { until: Instant | null },
  place: "session" | "hut",
  reader: TimeReader,
): string =>
  until !== null
    ? `You are muted until ${clockText(until, reader)}.`
    : place === "session"
      ? "You are muted until the end of this session."
      : "You are muted in this hut until its owner or a moderator lifts the mute.";
export const KEPT_OUT = "The host has closed this session to you.";
const KEPT_OUT_OF_HUT = "The owner or a moderator has closed this hut to you.";

/** A sentence with the reason that was given. */
const withReason = (sentence: string, reason: string): string =>
  reason === "" ? sentence : `${sentence} Reason: ${reason}${/[.!?]$/.test(reason) ? "" : "."}`;

/** Characters of a reason. */
export const REASON_LENGTH = 500;

// ---- suspension

/** Days of a suspension; 0 for no end. */
export const SUSPENSION_DAYS = [1, 7, 30, 365, 0] as const;
export type Suspension = { until: Instant | null; reason: string };

/** The sentence for a suspended person; `day` is the end in words. */
export const suspendedSentence = ({ until, reason }: Suspension, day: string): string =>
  withReason(
    until === null ? "Your account is suspended." : `Your account is suspended until ${day}.`,
    reason,
  );

const OPEN_TO_SUSPENDED = [
  "/account/suspended",
  // The check that export and deletion require.
  "/account/confirm",
  "/account/check",
  "/account/check/options",
  // Suspended people appeal, signed in or not.
  "/account/appeal",
  // A suspended person can still cancel a plan.
  "/api/subscriptions/cancel",
  "/auth/logout",
  "/logout",
];
/** A suspended user reaches only export, deletion, an appeal, the end of a plan and the sign-out. `path` is that of the request. */
export function isOpenToSuspended(path: string): boolean {
  const page = path.replace(/\.data$/, "");
  return OPEN_TO_SUSPENDED.includes(page) || /^\/account\/export\/[^/]+$/.test(page);
}

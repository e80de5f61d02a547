// The table of endings: the effects on a row when something happens to the hut, session, series or user that it refers
// to. Use cases run a column of it, and db/endings.test.ts refuses a foreign key without a row.
import type { NewEvent } from "~/domain/notices/cause";

/** The events that can befall each parent: the columns of its rows. */
export const HAPPENINGS = {
  huts: ["deleted", "made-private", "handed-over"],
  sessions: ["deleted", "ended", "made-private", "handed-over", "code-added"],
  series: ["deleted", "ended", "made-private", "handed-over", "code-added"],
  // `left` and `banned`: the user left a hut, or was banned from it. `kept-out`: the user was banned from a session or a
  // series. `leaving`: the user asked for the deletion of the account, which follows some days later.
  users: ["left", "banned", "kept-out", "blocked", "muted", "suspended", "leaving", "deleted"],
} as const;
export type Parent = keyof typeof HAPPENINGS;
export type Happening<P extends Parent> = (typeof HAPPENINGS)[P][number];

/** The kind of a notice, by its cause. */
type Cause = NewEvent["kind"];
/** The effects of a cell, and the notice to the people who lose something by them. */
type Does = { does: readonly EffectKey[]; tells?: Cause };
/** The row stays as it is; `why` names the rule or the code that keeps it harmless. */
type Stays = { stays: string };
/** Nothing can bring this about; `never` names the constraint or the rule. */
type Never = { never: string };
export type Cell = Does | Stays | Never;

/** Effects that are statements of one batch with their cause, in the order in which they run. */
export const BATCHED = [
  "tell-members",
  "delete-seats-of-banned",
  "release-activities",
  "take-over-series",
  "take-over-sessions",
  "release-sessions-of-outsiders",
  "release-series-of-outsiders",
  "free-outsiders",
  "end-standing-of-outsiders",
  "end-turns-of-outsiders",
  "keep-member",
  "end-membership",
  "withdraw-request",
  "end-standing",
  "end-turns",
  "part-series",
  "part-sessions",
  "drop-unseen-notices",
  "end-standing-in-series",
  "end-turns-in-series",
  "end-standing-of-heir",
  "drop-notices-between",
  "end-logins",
  "end-keys",
  "refund-joins",
  "keep-browsers-out",
  "pass-role",
  "ask-waiters",
  "ask-standing",
  "erase",
] as const;
export type BatchedKey = (typeof BATCHED)[number];
/**
 * Effects with a batch of their own for each session, series or subscription, because each moves money and wakes a room.
 * They run in this order, and each is idempotent.
 */
export const STEPPED = [
  "end-series-in-hut",
  "cancel-sessions-in-hut",
  "free-places-in-hut",
  "free-places-everywhere",
  "free-places",
  "pass-hosted",
  "pass-series",
  "cancel-sessions-of-series",
  "stop-renewal",
  "end-subscription",
] as const;
export type SteppedKey = (typeof STEPPED)[number];
type EffectKey = BatchedKey | SteppedKey;

const does = (keys: EffectKey | readonly EffectKey[], tells?: Cause): Does => ({
  does: typeof keys === "string" ? [keys] : keys,
  ...(tells ? { tells } : {}),
});
const stays = (why: string): Stays => ({ stays: why });
const never = (why: string): Never => ({ never: why });

const CASCADES = stays("The foreign key deletes it with its parent.");
const STAYS_PRIVATE = stays("Q-27, R-87: a trigger keeps is_private; owner, followers and seats see it.");

type Row<P extends Parent> = Readonly<Record<Happening<P>, Cell>>;

// ---- rows of people

const STAYS_UNTIL_DELETED: Readonly<Record<Exclude<Happening<"users">, "deleted">, Cell>> = {
  left: stays("Q-28: it belongs to no hut."),
  banned: stays("Q-16: it belongs to no hut."),
  "kept-out": stays("Q-14: it belongs to no session."),
  blocked: stays("Q-11: a block hides people, and takes nothing."),
  muted: stays("Q-13, Q-16: a mute closes writing, and takes nothing."),
  suspended: stays("Q-18: a suspension closes the account, and deletes nothing."),
  leaving: stays("R-67: signing in keeps the account."),
};
/** A row of a person that only the end of the account deletes. */
const ownRow = (overrides: Partial<Row<"users">> = {}): Row<"users"> => ({
  ...STAYS_UNTIL_DELETED,
  deleted: does("erase"),
  ...overrides,
});
/** Something that people share: it stays, without the name (decision 10). */
const sharedRow = (overrides: Partial<Row<"users">> = {}): Row<"users"> => ownRow(overrides);

const GONE_WITH_LOGINS = { suspended: does("end-logins"), leaving: does("end-logins") } as const;

export const ENDINGS: { readonly [P in Parent]: Readonly<Record<string, Row<P>>> } = {
  huts: {
    "activities.hut_id": {
      deleted: STAYS_PRIVATE,
      "made-private": does("release-activities"),
      "handed-over": stays("R-22: the activity has an owner of its own."),
    },
    "hut_members.hut_id": {
      deleted: does("tell-members", "hut-deleted"),
      "made-private": stays("Q-27: members stay members."),
      "handed-over": does("keep-member"),
    },
    "accepted_invitations.hut_id": {
      deleted: CASCADES,
      "made-private": stays("Q-28: only a private hut has a link."),
      "handed-over": stays("R-82: the link is the same."),
    },
    "hut_requests.hut_id": {
      deleted: CASCADES,
      "made-private": stays("Q-28: only a private hut takes requests."),
      "handed-over": stays("Q-28: moderators answer too."),
    },
    "items.hut_id": {
      deleted: STAYS_PRIVATE,
      "made-private": stays("Q-27: hut_private_changed hides it; its author sees it."),
      "handed-over": stays("The item has an author of its own."),
    },
    "posts.hut_id": {
      deleted: CASCADES,
      "made-private": stays("Q-27: only members read the forum."),
      "handed-over": stays("The forum is the same."),
    },
    "series.hut_id": {
      deleted: does("end-series-in-hut", "session-cancelled"),
      "made-private": does(["take-over-series", "release-series-of-outsiders"], "hut-private"),
      "handed-over": stays("The series has a host of its own."),
    },
    "sessions.hut_id": {
      deleted: does(["delete-seats-of-banned", "cancel-sessions-in-hut"], "session-cancelled"),
      "made-private": does(["take-over-sessions", "release-sessions-of-outsiders"], "hut-private"),
      "handed-over": stays("The session has a host of its own."),
    },
  },
  sessions: {
    "chat_erasures.session_id": untouchedRow(
      "R-41: the room erases the lines, whatever happens to its session.",
    ),
    "chats_to_copy.session_id": untouchedRow("Q-43: the chat is copied, whatever happens to its session."),
    "contributions.session_id": untouchedRow("R-66: the text belongs to the session."),
    "goals.session_id": untouchedRow("A-10: the goal belongs to the session."),
    "participants.session_id": {
      deleted: does("refund-joins", "session-cancelled"),
      ended: does("refund-joins", "session-cancelled"),
      "made-private": does("free-outsiders", "hut-private"),
      "handed-over": does("pass-role", "host-given"),
      "code-added": stays("R-95: taken seats stay."),
    },
    "guest_bans.session_id": {
      deleted: does("keep-browsers-out"),
      ended: stays("H-24: nobody sits down in it any more; a browser stays out of the other dates."),
      "made-private": stays("H-17: a private session has no guests."),
      "handed-over": stays("H-24: a ban outlasts the host who made it."),
      "code-added": stays("H-24: the ban goes before the code."),
    },
    "posts.session_id": untouchedRow("H-12, Q-20: a post belongs to the session."),
    "session_totals.session_id": untouchedRow("E-13: totals change only with the logs."),
    "view_links.session_id": {
      deleted: CASCADES,
      ended: stays("J-10: the link shows only an open session, and its room closes the stages."),
      "made-private": stays("J-10: the link shows no names, and the host ends it."),
      "handed-over": stays("J-10: the host ends it, whoever made it."),
      "code-added": stays("J-10: the link shows what a code leaves."),
    },
    "waiters.session_id": {
      deleted: CASCADES,
      ended: stays("N-21: the cancellation reaches the list; cron deletes the lists of closed sessions."),
      "made-private": does("free-outsiders", "hut-private"),
      "handed-over": stays("G-18: the list is the session's."),
      "code-added": does("ask-waiters", "waiting-asked"),
    },
  },
  series: {
    "posts.series_id": {
      deleted: never("Nothing deletes a series."),
      ended: stays("H-14: an ended series keeps its page and its thread."),
      "made-private": stays("H-13: each post follows its session."),
      "handed-over": stays("H-12: the thread is the series'."),
      "code-added": stays("H-13: each post follows its session."),
    },
    "rota_hosts.series_id": {
      deleted: never("Nothing deletes a series: its host's account passes or ends it (R-88)."),
      ended: stays("G-12: an ended series lays nothing out."),
      "made-private": does("end-turns-of-outsiders"),
      "handed-over": stays("G-17: the turns are the series'."),
      "code-added": stays("R-95: hosts need no code."),
    },
    "series_days.series_id": {
      deleted: never("Nothing deletes a series."),
      ended: stays("G-12: an ended series lays nothing out."),
      "made-private": stays("G-11: skipped and moved days remain days of the series."),
      "handed-over": stays("G-11: skipped and moved days remain days of the series."),
      "code-added": stays("G-11: skipped and moved days remain days of the series."),
    },
    "sessions.series_id": {
      deleted: never("Nothing deletes a series."),
      ended: does("cancel-sessions-of-series", "session-cancelled"),
      "made-private": stays("sessions.hut_id decides for each of its sessions."),
      "handed-over": stays(
        "R-88: each session passes to a person in it; one without anybody else goes with its host (participants.user_id, deleted).",
      ),
      "code-added": stays("G-10: a change of the template changes each session."),
    },
    "view_links.series_id": {
      deleted: never("Nothing deletes a series."),
      ended: stays("J-10: the link shows only a series that has not ended."),
      "made-private": stays("J-10: the link shows no names, and the host ends it."),
      "handed-over": stays("J-10: the host ends it, whoever made it."),
      "code-added": stays("J-10: the link shows what a code leaves."),
    },
    "series_slugs.series_id": {
      deleted: never("Nothing deletes a series."),
      ended: stays("H-14: an ended series keeps its addresses."),
      "made-private": stays("H-13: a private series answers as a missing one."),
      "handed-over": stays("H-14: the addresses are the series'."),
      "code-added": stays("H-13: a code hides no address."),
    },
    "standing_seats.series_id": {
      deleted: never("Nothing deletes a series."),
      ended: stays("G-12: an ended series lays nothing out."),
      "made-private": does("end-standing-of-outsiders", "hut-private"),
      "handed-over": does("end-standing-of-heir"),
      "code-added": does("ask-standing", "standing-asked"),
    },
  },
  users: {
    "activities.owner_id": sharedRow({
      left: stays("R-22: owners see their own activities."),
      banned: stays("R-22: owners see their own activities."),
    }),
    "api_keys.user_id": ownRow({ suspended: does("end-keys"), leaving: does("end-keys") }),
    "attendance.user_id": ownRow(),
    "blocks.blocked_id": ownRow(),
    "blocks.user_id": ownRow(),
    "calendar_feeds.user_id": ownRow(),
    "confirmations.user_id": ownRow(),
    "contributions.user_id": sharedRow(),
    "customers.user_id": ownRow(),
    "decisions.user_id": ownRow(),
    "devices.user_id": ownRow(),
    "favorites.user_id": ownRow({
      left: stays("Q-27: a list shows what the reader sees."),
      banned: stays("Q-27: a list shows what the reader sees."),
    }),
    "followers.user_id": ownRow({
      left: stays("Q-27: a list shows what the reader sees."),
      banned: stays("Q-27: a list shows what the reader sees."),
    }),
    "goals.user_id": sharedRow(),
    "hut_members.user_id": ownRow({ left: does("end-membership"), banned: does("end-membership") }),
    "accepted_invitations.user_id": ownRow({
      left: never("acceptInvitation deletes it in the batch that makes the member."),
      banned: stays("R-82: it leads back to the link, and isLetIntoHut refuses the member."),
      suspended: stays("R-82: it ends after 30 days; a suspended person enters no hut."),
    }),
    "hut_requests.user_id": ownRow({
      left: never("insertRequest refuses a member, and each way to become one withdraws the request."),
      banned: does("withdraw-request"),
      suspended: stays("Q-28: moderators answer it."),
    }),
    "huts.invited_by": sharedRow({
      left: stays("R-82: the link is the hut's, and its keepers renew it."),
      banned: stays("R-82: the link is the hut's, and its keepers renew it."),
      suspended: stays("R-82: the link is the hut's, and its keepers renew it."),
      leaving: stays("R-82: the link is the hut's, and its keepers renew it."),
    }),
    "huts.owner_id": sharedRow({
      left: stays("Q-26: the owner hands the hut over first; leaving keeps the hut."),
      banned: never("banFromHut refuses the owner (Q-16)."),
      suspended: stays("Q-26: moderators keep the hut."),
      leaving: stays("Q-26: moderators keep the hut."),
    }),
    "login_challenges.user_id": ownRow(GONE_WITH_LOGINS),
    "logins.user_id": ownRow(GONE_WITH_LOGINS),
    "logs.user_id": sharedRow(),
    "notes.user_id": ownRow(),
    "notice_settings.user_id": ownRow(),
    "notices.user_id": ownRow({
      left: does("drop-unseen-notices"),
      banned: does("drop-unseen-notices"),
      blocked: does("drop-notices-between"),
    }),
    "open_payments.user_id": ownRow(),
    "participants.user_id": ownRow({
      left: does("free-places-in-hut", "session-cancelled"),
      banned: does("free-places-in-hut", "session-cancelled"),
      "kept-out": does("free-places", "host-given"),
      blocked: stays("Q-12: both keep their seats, under an alias."),
      suspended: does("pass-hosted", "session-cancelled"),
      leaving: stays("R-67, G-29: the session asks for a host; the seat stays until the end of the account."),
      deleted: does(["free-places-everywhere", "erase"], "host-given"),
    }),
    "passkeys.user_id": ownRow(),
    "password_resets.user_id": ownRow(),
    "payment_methods.user_id": ownRow(),
    "persons.user_id": sharedRow(),
    "posts.user_id": sharedRow(),
    "push_subscriptions.user_id": ownRow(GONE_WITH_LOGINS),
    "recovery_codes.user_id": ownRow(),
    "reports.reporter_id": ownRow(),
    "rota_hosts.user_id": ownRow({
      left: does("end-turns"),
      banned: does("end-turns"),
      "kept-out": does("end-turns-in-series"),
      blocked: stays("R-88: listHostsInTurn passes the person over while the block exists."),
      suspended: stays("R-88: listHostsInTurn passes the person over until the end."),
      leaving: stays("R-67, R-88: listHostsInTurn passes the person over."),
    }),
    "sanctions.user_id": ownRow(),
    "series.owner_id": ownRow({
      left: does("part-series", "session-cancelled"),
      banned: does("part-series", "session-cancelled"),
      "kept-out": never("requireSeries: nobody keeps hosts out of their own series (R-90)."),
      blocked: stays("G-13: holders keep their seats."),
      suspended: stays("R-67: listSeriesToLayOut passes the series over until the end."),
      leaving: stays("R-67: listSeriesToLayOut passes the series over."),
      deleted: does(["pass-series", "cancel-sessions-of-series"], "session-cancelled"),
    }),
    "sessions.owner_id": sharedRow({
      left: does("cancel-sessions-of-series", "session-cancelled"),
      banned: does(["part-sessions", "cancel-sessions-of-series"], "session-cancelled"),
    }),
    "standing_seats.user_id": ownRow({
      left: does("end-standing"),
      banned: does("end-standing"),
      "kept-out": does("end-standing-in-series"),
      suspended: stays("Q-18: seatStandingHolders passes the person over until the end."),
      leaving: stays("R-67: seatStandingHolders passes the person over."),
    }),
    "subscriptions.user_id": ownRow({
      suspended: does("stop-renewal"),
      leaving: does("stop-renewal"),
      deleted: does(["end-subscription", "erase"]),
    }),
    "token_lots.user_id": ownRow(),
    "two_step.user_id": ownRow(),
    "waiters.user_id": ownRow({
      left: does("free-places-in-hut"),
      banned: does("free-places-in-hut"),
      "kept-out": does("free-places"),
      suspended: stays("Q-18: passSeat passes the person over until the end."),
      leaving: stays("R-67: passSeat passes the person over."),
      deleted: does(["free-places-everywhere", "erase"]),
    }),
  },
};

/** A row that is deleted with its session, and that no other event changes. */
function untouchedRow(why: string): Row<"sessions"> {
  const cell = stays(why);
  return {
    deleted: CASCADES,
    ended: cell,
    "made-private": cell,
    "handed-over": cell,
    "code-added": cell,
  };
}

/** The effects of a column, each once, in the order in which they run. */
export function effectsOf<P extends Parent>(
  parent: P,
  happening: Happening<P>,
): { batched: BatchedKey[]; stepped: SteppedKey[] } {
  const rows: Readonly<Record<string, Row<P>>> = ENDINGS[parent];
  const cells: Cell[] = Object.values(rows).map((row) => row[happening]);
  const keys = new Set<EffectKey>(cells.flatMap((cell) => ("does" in cell ? cell.does : [])));
  return { batched: BATCHED.filter((key) => keys.has(key)), stepped: STEPPED.filter((key) => keys.has(key)) };
}

// The actions that the audit log records.
import { DAY, type Instant } from "~/domain/time";

/** The label of each action on the audit page. */
export const AUDIT_ACTIONS = {
  "role-changed": "Changed a role",
  "host-changed": "Handed over a session",
  "series-host-changed": "Handed over a series",
  "hut-deleted": "Deleted a hut",
  "participant-removed": "Removed a participant",
  "guest-renamed": "Renamed a guest",
  "post-removed": "Removed a post",
  "line-removed": "Removed a chat message",
  "aim-removed": "Removed what a person will do",
  "item-removed": "Removed an item",
  "item-hidden": "Hid a book",
  "session-removed": "Deleted a session",
  "session-started": "Started a session",
  "session-ended": "Ended a session",
  "session-cancelled": "Cancelled a session",
  "session-reset": "Reset a session",
  "session-changed": "Changed a session",
  "timers-changed": "Ran or changed the timers of a session",
  "texts-changed": "Changed the texts of a session",
  "goals-changed": "Changed the goals of a session",
  "template-made": "Made a session a template",
  "template-ended": "Made a template an ordinary session",
  "activity-changed": "Changed an activity",
  "activity-removed": "Deleted an activity",
  "hut-changed": "Changed a hut",
  "entry-answered": "Answered a request to enter a hut",
  "tokens-given": "Gave tokens to the pool",
  "book-imported": "Imported a book",
  "report-dismissed": "Dismissed reports",
  "appeal-granted": "Granted an appeal",
  "appeal-refused": "Refused an appeal",
  muted: "Muted a person",
  "mute-lifted": "Lifted a mute",
  banned: "Kept a person out",
  "ban-lifted": "Let a person back in",
  suspended: "Suspended an account",
  "suspension-lifted": "Lifted a suspension",
  "owner-changed": "Handed over a hut",
  "delivery-repeated": "Sent a failed delivery again",
  "jobs-run": "Ran the nightly jobs",
  "library-installed": "Installed the library",
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** `site` is the whole installation, with the id 0. */
export const AUDIT_TARGETS = [
  "site",
  "session",
  "series",
  "hut",
  "activity",
  "post",
  "line",
  "goal",
  "item",
  "person",
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** How long an audit row is kept at least. A trigger in the migration repeats this number. */
export const AUDIT_RETENTION = 730 * DAY;

/** The audit id of a chat line. */
export const lineTarget = (sessionId: number, line: number): string => `${sessionId}:${line}`;

/** A line of the audit page. */
export type ShownAct = {
  id: number;
  at: Instant;
  action: AuditAction;
  targetKind: AuditTarget;
  targetId: string;
  reason: string;
  previous: string;
  /** Usernames; null for a deleted account, or if the action concerns nobody. */
  actor: string | null;
  user: string | null;
  /** The slug of a hut, series or activity, if it still exists. */
  slug: string | null;
};

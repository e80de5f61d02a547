// The closed list of acts that leave a row in the audit.
import { DAY } from "./time";

/** Each act in words, as the audit page shows it. */
export const AUDIT_ACTIONS = {
  "role-changed": "Changed a role",
  "host-changed": "Handed over a session",
  "participant-removed": "Removed a participant",
  "post-removed": "Removed a post",
  "line-removed": "Removed a chat message",
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** `site`: the whole installation, with the id 0. */
export const AUDIT_TARGETS = ["site", "session", "hut", "activity", "post", "line", "goal"] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** Days that a row of the audit is kept at least. A trigger of the migration holds the same number. */
export const AUDIT_KEPT = 730 * DAY;

/** A line of a chat as the audit names it. */
export const lineTarget = (sessionId: number, line: number): string => `${sessionId}:${line}`;

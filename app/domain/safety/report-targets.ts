// The things that a report may concern, and the ids that name them.

export const REPORT_KINDS = ["message", "post", "item", "person", "session", "hut", "aim"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];
/**
 * A person by name, a message as `session:number`, what a person will do as `session:name`, anything else by id. Stored
 * ids of guests have `keptGuestName` as the name.
 */
export type ReportTarget = { kind: ReportKind; id: string };

const messageTarget = (session: number, line: number): string => `${session}:${line}`;

/** The session and the number of a chat line; null for anything else. */
export function lineOfTarget(id: string): { session: number; line: number } | null {
  const [, session, line] = /^([1-9]\d{0,14}):([1-9]\d{0,14})$/.exec(id) ?? [];
  return session && line ? { session: Number(session), line: Number(line) } : null;
}

/** A line of a session's chat. */
export const lineTarget = (session: number, seq: number): ReportTarget => ({
  kind: "message",
  id: messageTarget(session, seq),
});

/** The aim of a person in a session. */
export const aimTarget = (session: number, username: string): ReportTarget => ({
  kind: "aim",
  id: `${session}:${username}`,
});

/** The name under which reports, decisions and audit rows keep a guest: a number, never the name (H-21). */
export const keptGuestName = (personId: number | string): string => `~person.${personId}`;

/** The session and the person; null for anything else. */
export function seatOfTarget(id: string): { session: number; username: string } | null {
  const [, session, username] = /^([1-9]\d{0,14}):([^:]+)$/.exec(id) ?? [];
  return session && username ? { session: Number(session), username } : null;
}

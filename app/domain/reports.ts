// Reports: their targets and their reasons.
export const REPORT_KINDS = ["message", "post", "item", "person", "session", "hut"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];
/** A person by name, a hut by slug, a message as `session:number`, anything else by id. */
export type ReportTarget = { kind: ReportKind; id: string };

export const KIND_NAMES: Record<ReportKind, string> = {
  message: "message",
  post: "post",
  item: "item",
  person: "person",
  session: "session",
  hut: "hut",
};

export const REPORT_REASONS = {
  spam: "Spam",
  harassment: "Harassment",
  danger: "Danger to somebody",
  sexual_content: "Sexual content",
  private_data: "Private data of somebody",
  other: "Something else",
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;
export const REASON_NAMES = Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]];

export const REPORT_TEXT = 1000;
export const REPORTED = "Thank you. We will look at this.";
export const REPORT_GONE = "There is nothing here to report.";
export const REPORT_OWN = "You cannot report yourself.";

/** The number of characters of a text that a report keeps. */
export const KEPT_TEXT = 50_000;

export const messageTarget = (session: number, line: number): string => `${session}:${line}`;

/** The session and the number of a chat line; null for anything else. */
export function lineOfTarget(id: string): { session: number; line: number } | null {
  const [, session, line] = /^([1-9]\d{0,14}):([1-9]\d{0,14})$/.exec(id) ?? [];
  return session && line ? { session: Number(session), line: Number(line) } : null;
}

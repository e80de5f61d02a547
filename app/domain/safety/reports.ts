// Reports: their reasons, and the acts that decide them.

import { DAY, type Instant } from "~/domain/time";
import { lineOfTarget, type ReportKind, type ReportTarget, seatOfTarget } from "./report-targets";

export const KIND_NAMES: Record<ReportKind, string> = {
  message: "message",
  post: "post",
  item: "item",
  person: "person",
  session: "session",
  hut: "hut",
  aim: "line",
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

export const MAX_REPORT_CHARS = 1000;
export const REPORTED = "Thank you. We will look at this.";
export const REPORT_GONE = "There is nothing here to report.";
export const REPORT_OWN = "You cannot report yourself or anything of yours.";

/** The number of characters of a text that a report keeps. */
export const REPORTED_TEXT_LIMIT = 50_000;

// ---- decisions

export const SUSPENSION_DAYS = 30;

const REPORT_ACTS = {
  dismiss: "Dismiss",
  remove: "Remove it",
  mute: "Mute until the session's end",
  ban: "Keep out of the session",
  suspend: `Suspend the account for ${SUSPENSION_DAYS} days`,
} as const;
const HUT_ACTS = { mute: "Mute in the hut", ban: "Keep out of the hut" } as const;
export type ReportAct = keyof typeof REPORT_ACTS;
export const ACT_NAMES = Object.keys(REPORT_ACTS) as [ReportAct, ...ReportAct[]];
/** An act that concerns the author, who can appeal against it. */
export type DecidedAct = Exclude<ReportAct, "dismiss">;

export const MAX_DECISION_REASON_CHARS = 1000;
export const MAX_APPEAL_CHARS = 2000;
export const APPEAL_DAYS = 30;
export const APPEAL_LIFE = APPEAL_DAYS * DAY;
export const APPEAL_EXPIRED = "This link has expired. An appeal is possible once, within 30 days.";
export const APPEALED = "Thank you. Somebody will read your appeal and write to you.";
export const DECIDED_ALREADY = "This was decided already.";

/** A hut by the slug that it had when the report was made. */
export type ReportPlace = { kind: "session"; session: number } | { kind: "hut"; hut: string };

/** The slug of the hut that a path leads into; null for another path. */
export const hutOfPath = (path: string): string | null => /^\/group\/([^/]+)/.exec(path)?.[1] ?? null;

/** The session or hut in which a chat line, an aim or a post was written; null for anything else. */
export function placeOfReport({ kind, id }: ReportTarget, path: string): ReportPlace | null {
  const line = kind === "message" ? lineOfTarget(id) : null;
  if (line) return { kind: "session", session: line.session };
  const seat = kind === "aim" ? seatOfTarget(id) : null;
  if (seat) return { kind: "session", session: seat.session };
  if (kind !== "post") return null;
  const [, session] = /^\/sessions\/(\d+)\//.exec(path) ?? [];
  if (session) return { kind: "session", session: Number(session) };
  const hut = hutOfPath(path);
  return hut === null ? null : { kind: "hut", hut };
}

/** A report and its reporter, as the target's queue shows them. */
type OpenReport = { reporter: string; reason: ReportReason; text: string; createdAt: Instant };
/** An earlier decision or sanction. */
type Earlier = { what: string; reason: string; at: Instant };
export type QueuedTarget = ReportTarget & {
  author: string;
  kept: string;
  path: string;
  acts: ReportAct[];
  reports: OpenReport[];
  earlier: Earlier[];
};
export type QueuedAppeal = {
  id: string;
  author: string;
  act: DecidedAct;
  reason: string;
  kept: string;
  /** The act, in words. */
  sentence: string;
  decidedAt: Instant;
  appeal: string;
};

/** A report as its reporter sees it. */
export type StoredReport = ReportTarget & {
  reason: ReportReason;
  text: string;
  createdAt: Instant;
  updatedAt: Instant;
  isNew: boolean;
};

/** The acts that a target allows. */
export function actsFor(target: ReportTarget, path: string): ReportAct[] {
  return [
    "dismiss",
    ...(target.kind === "person" ? [] : ["remove" as const]),
    ...(placeOfReport(target, path) ? ["mute" as const, "ban" as const] : []),
    "suspend",
  ];
}

/** The label of an act on a target. */
export const actLabel = (act: ReportAct, target: ReportTarget, path: string): string =>
  placeOfReport(target, path)?.kind === "hut" && (act === "mute" || act === "ban")
    ? HUT_ACTS[act]
    : REPORT_ACTS[act];

/** The outcome of a report, for the people who reported. It says nothing about the author. */
export const outcomeSentence = (act: ReportAct, kind: ReportKind): string => {
  const reported = `the ${KIND_NAMES[kind]} that you reported`;
  if (act === "dismiss") return `Thank you. We looked at ${reported} and left it as it is.`;
  return act === "remove" ? `Thank you. We removed ${reported}.` : `Thank you. We acted on ${reported}.`;
};

/** The act in a sentence, for a letter to the author. */
export const actSentence = (act: DecidedAct, target: ReportTarget, path: string): string => {
  const isInHut = placeOfReport(target, path)?.kind === "hut";
  switch (act) {
    case "remove":
      return `We removed a ${KIND_NAMES[target.kind]} of yours.`;
    case "mute":
      return isInHut ? "You are muted in a hut." : "You are muted in a session until its end.";
    case "ban":
      return isInHut ? "A hut is closed to you." : "A session is closed to you.";
    case "suspend":
      return `Your account is suspended for ${SUSPENSION_DAYS} days.`;
    default:
      return act satisfies never;
  }
};

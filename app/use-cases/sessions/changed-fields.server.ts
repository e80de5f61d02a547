// The fields of a session that an update changes, with their audit, their effects on seats and the refusal of their
// limit.

import type { SQL } from "drizzle-orm";
import type { Statement } from "#db/connect.server";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { type SessionChanges, updateOpenSessionsCount } from "#db/queries/sessions/writes";
import { beginningOf } from "~/domain/beginnings";
import { type AppError, brokenConstraint, invalid } from "~/domain/errors";
import * as refusals from "~/domain/refusals";
import type { SessionChange } from "~/domain/sessions/input";
import { codeChange } from "~/domain/sessions/join-code";
import { isoOf } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import type { OverseenAct } from "~/use-cases/super-admin-acts.server";
import { planCodeChange } from "./code-changes.server";
import { overseenBy, sessionPath } from "./read.server";
import { passSeatStatements } from "./waiting.server";

/** Characters of the previous values in the audit. */
const PREVIOUS_LENGTH = 500;

/** People on the waiting list are asked for a new code too, unless the host exempts them (G-18). */
export const planSessionCode = (
  app: App,
  row: SessionRow,
  { joinCode, keepsWaiting }: SessionChange,
  condition?: SQL,
) =>
  planCodeChange(
    app,
    { of: "session", id: row.id, title: row.title, path: sessionPath(row.id), joinCode: row.joinCode },
    keepsWaiting && joinCode ? undefined : joinCode,
    condition,
  );

/** A new limit frees seats, and without a code people who were asked for it may come. */
export const freesSeats = (row: SessionRow, { participantLimit, joinCode }: SessionChange): boolean =>
  (participantLimit !== undefined && (participantLimit || null) !== row.participantLimit) ||
  codeChange(row.joinCode, joinCode) === "cleared";

/**
 * The statements that pass freed seats on, to one person more than wait now, because another may begin to wait (G-20).
 */
export const passFreedSeatStatements = (app: App, row: SessionRow, input: SessionChange) =>
  freesSeats(row, input) ? passSeatStatements(app, row, row.waiting.length + 1) : [];

export const definedFields = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The fields that a run never changes. */
export const factsOf = (input: SessionChange): SessionChanges =>
  definedFields({
    hutId: input.hutId,
    participantLimit: input.participantLimit === undefined ? undefined : input.participantLimit || null,
    donationLink: input.donationLink,
    meetingLink: input.meetingLink,
    joinCode: input.joinCode,
    isFree: input.isFree,
    guestLimit: input.guestLimit,
    needsHost: input.needsHost,
    slowMode: input.slowMode,
    category: input.category === undefined ? undefined : input.category || null,
    difficulty: input.difficulty,
    isTemplate: input.isTemplate,
  });

/** The change that makes a session public; none in a hut, because the hut then decides who sees the session. */
export const madePublic = (
  row: SessionRow,
  { hutId = row.hutId, isPrivate }: SessionChange,
): SessionChanges => (hutId === null && isPrivate === false ? { isPrivate } : {});

const FACT_NAMES = {
  title: "title",
  hutId: "hut",
  participantLimit: "limit",
  donationLink: "donation link",
  guestLimit: "guests",
  isFree: "free",
  needsHost: "needs host",
  slowMode: "slow mode",
  isPrivate: "private",
  category: "category",
  difficulty: "difficulty",
  startedAt: "start",
  duration: "duration",
} as const;

const changesTemplate = (row: SessionRow, { isTemplate }: SessionChange): boolean =>
  isTemplate !== undefined && isTemplate !== row.isTemplate;

/** The statements after a change that makes the session a template, or ends that: its activity counts no templates. */
export const countAgainStatements = (app: App, row: SessionRow, input: SessionChange): Statement[] =>
  changesTemplate(row, input) ? [updateOpenSessionsCount(app.db, row.id)] : [];

/** The act for the audit. Marking a template is always audited; other changes are not if a host or admin makes them. */
export function overseenChangeOf(app: App, row: SessionRow, input: SessionChange): OverseenAct {
  const facts = Object.entries(FACT_NAMES).flatMap(([name, label]) => {
    const [stored, next] = [row[name as keyof typeof FACT_NAMES], input[name as keyof typeof FACT_NAMES]];
    if (next === undefined || (next || null) === (stored || null)) return [];
    return [
      `${label}: ${name === "startedAt" ? (isoOf(row.startedAt) ?? "none") : String(stored ?? "none")}`,
    ];
  });
  const isNew = (name: "joinCode" | "meetingLink") => input[name] !== undefined && input[name] !== row[name];
  // The code and the address of the call themselves stay secret.
  const secrets = [
    ...(isNew("joinCode") ? ["join code"] : []),
    ...(isNew("meetingLink") ? ["meeting link"] : []),
  ];
  const previous = beginningOf([...facts, ...secrets].join("; "), PREVIOUS_LENGTH);
  if (!changesTemplate(row, input)) return overseenBy(app, row, "session-changed", { previous });
  const action = input.isTemplate ? "template-made" : "template-ended";
  return { ...overseenBy(app, row, action, { previous }), isOwnRight: false };
}

export const limitBelowRoster = ({ participantsCount }: SessionRow): AppError =>
  invalid("participantLimit", refusals.participantsAlready(participantsCount));

/** Refuses a limit below the present number of participants. */
export async function refuseLimitBelowRoster<T>(
  row: SessionRow,
  work: Promise<T> | PromiseLike<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (brokenConstraint(error) === "session_not_full") throw limitBelowRoster(row);
    throw error;
  }
}

// The queue of reports, and the decisions of super admins on them (Q-30, Q-31). Act, decision and the closing of the
// reports are one batch; a chat line is removed before that batch, because D1 does not store it.
import type { SQL } from "drizzle-orm";
import { runBatch } from "#db/connect.server";
import { carryWithFirstWrite } from "#db/intercept.server";
import * as items from "#db/queries/items/items";
import { recordEvent } from "#db/queries/notices/events";
import { type Act, recordAct } from "#db/queries/safety/audit";
import * as reports from "#db/queries/safety/reports";
import * as sanctions from "#db/queries/safety/sanctions";
import { isDeletedEmail } from "~/domain/accounts/deleted";
import { AppError, invalid, isAppError } from "~/domain/errors";
import { subjectOf } from "~/domain/notices/events";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import * as safetyRefusals from "~/domain/safety/refusals";
import { lineOfTarget, type ReportTarget, seatOfTarget } from "~/domain/safety/report-targets";
import {
  APPEAL_DAYS,
  actSentence,
  actsFor,
  DECIDED_ALREADY,
  type DecidedAct,
  hutOfPath,
  MAX_DECISION_REASON_CHARS,
  outcomeSentence,
  placeOfReport,
  type QueuedAppeal,
  type QueuedTarget,
  type ReportAct,
  SUSPENSION_DAYS,
} from "~/domain/safety/reports";
import type { Instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { deleteHut } from "~/use-cases/huts/huts.server";
import { banFromHut, muteInHut } from "~/use-cases/huts/sanctions.server";
import { decisionEmail } from "~/use-cases/notices/emails.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { sendEmail } from "~/use-cases/notices/send-email.server";
import type { Email } from "~/use-cases/ports.server";
import { removeAimOf } from "~/use-cases/sessions/aims.server";
import { removePost } from "~/use-cases/sessions/posts.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { removeMessage } from "../room/chat.server";
import { deleteSession } from "../sessions/run.server";
import { banFromSession, muteParticipant } from "../sessions/sanctions.server";
import { suspendUser } from "./suspensions.server";

/** Maximum reports, and maximum appeals, that the page shows; the oldest come first. */
const MAX_QUEUE_ROWS = 200;

export type ReportQueue = { targets: QueuedTarget[]; appeals: QueuedAppeal[] };

/** The user; FORBIDDEN unless super admin. */
export function requireSuperAdmin(app: App): CurrentUser {
  const user = requireUser(app.user);
  allow(isSuperAdmin(user));
  return user;
}

/** Open reports, oldest first and grouped by target, and open appeals (Q-30). FORBIDDEN for all but super admins. */
export async function viewReports(app: App): Promise<ReportQueue> {
  requireSuperAdmin(app);
  const authors = reports.selectAuthorsOfOpenReports(MAX_QUEUE_ROWS);
  const [openReports, appeals, decisions, sanctionRows] = await app.db.batch([
    reports.listOpenReports(app.db, MAX_QUEUE_ROWS),
    reports.listOpenAppeals(app.db, MAX_QUEUE_ROWS),
    reports.listDecisionsAbout(app.db, authors),
    sanctions.listSanctionsOfUsers(app.db, authors),
  ]);
  const earlierActsOn = (userId: number): QueuedTarget["earlier"] => [
    ...decisions
      .filter((decision) => decision.userId === userId)
      .map((decision) => ({
        what:
          actSentence(decision.act, decision, decision.path) +
          (decision.isGranted ? " The appeal was granted." : ""),
        reason: decision.reason,
        at: decision.decidedAt,
      })),
    ...sanctionRows
      .filter((sanction) => sanction.userId === userId)
      .map(({ scope, targetId, kind, reason, createdAt }) => ({
        what: `${kind === "mute" ? "Muted" : "Kept out"}: ${scope}${scope === "site" ? "" : ` ${targetId}`}.`,
        reason,
        at: createdAt,
      })),
  ];
  const targets = new Map<string, QueuedTarget>();
  for (const row of openReports) {
    const { kind, targetId: id, path, authorId, reporter, reason, text, createdAt } = row;
    const key = `${kind} ${id}`;
    const target = targets.get(key) ?? {
      kind,
      id,
      author: row.authorName,
      kept: row.kept,
      path,
      acts: actsFor({ kind, id }, path),
      reports: [],
      earlier: earlierActsOn(authorId),
    };
    target.reports.push({ reporter, reason, text, createdAt });
    targets.set(key, target);
  }
  return {
    targets: [...targets.values()],
    appeals: appeals.map((row) => ({
      id: row.tokenHash,
      author: row.authorName,
      act: row.act,
      reason: row.reason,
      kept: row.snapshot,
      sentence: actSentence(row.act, { kind: row.kind, id: row.targetId }, row.path),
      decidedAt: row.decidedAt,
      appeal: row.appeal,
    })),
  };
}

export type DecisionInput = ReportTarget & { act: ReportAct; reason: string };

/** A decision needs a reason (INVALID). CONFLICT where no report of the target is open (Q-31). */
export async function decideReport(app: App, input: DecisionInput): Promise<{ act: ReportAct }> {
  const user = requireSuperAdmin(app);
  const reason = readReason(input.reason);
  const { kind, id, act } = input;
  const target = { kind, id };
  const [report] = await reports.findOpenReport(app.db, target);
  if (!report) throw new AppError("CONFLICT", DECIDED_ALREADY);
  if (!actsFor(target, report.path).includes(act)) throw invalid("act", safetyRefusals.noDecision);
  const auditRowOf = (action: Act["action"]): Act => ({
    at: app.now,
    actorId: user.id,
    action,
    target: auditTarget(target),
    userId: report.authorId,
    reason,
  });
  const outcome = newEvent(app, {
    kind: "report-closed",
    subject: subjectOf("report", `${kind}:${id}`),
    body: { outcome: outcomeSentence(act, kind), path: act === "remove" ? "/my/notices" : report.path },
  });
  const notifyReporters = (condition?: SQL) =>
    recordEvent(app.db, outcome, {
      idLists: { to: reports.selectReporters(target) },
      ...(condition ? { condition } : {}),
    });
  if (act === "dismiss") {
    await runBatch(app.db, [
      notifyReporters(),
      reports.closeReports(app.db, target, app.now),
      recordAct(app.db, auditRowOf("report-dismissed")),
    ]);
    wakeEvents(app, [outcome]);
    return { act };
  }
  const token = newToken();
  const decision = {
    tokenHash: await hashToken(token),
    kind,
    targetId: id,
    userId: report.authorId,
    authorName: report.authorName,
    act,
    reason,
    snapshot: report.snapshot,
    path: report.path,
    decidedAt: app.now,
  };
  const notice = newEvent(app, {
    kind: "decision",
    subject: outcome.subject,
    body: {
      act: actSentence(act, target, report.path),
      reason,
      decision: decision.tokenHash,
      to: [report.authorId],
    },
  });
  const isStored = reports.isDecided(decision.tokenHash);
  const closeStatements = (condition?: SQL) =>
    [
      reports.insertDecision(app.db, decision, condition),
      recordEvent(app.db, notice, { condition: isStored }),
      notifyReporters(isStored),
      reports.closeReports(app.db, target, app.now, condition),
    ] as const;
  const carrier = carryWithFirstWrite(app.db, {
    after: closeStatements(actCondition(target, act)).map((statement) => statement.toSQL()),
  });
  let failure: unknown = null;
  try {
    await performAct({ ...app, db: carrier.db }, { report, target, act, reason, auditRowOf });
  } catch (error) {
    if (!carrier.hasWritten()) throw error;
    // The act is done and the reports are closed, so the author still gets the email.
    failure = error;
  }
  const [carriedRow] = await reports.findDecision(app.db, decision.tokenHash);
  // An act without a write of its own, such as the removal of a deleted target, leaves the decision to this batch.
  const [storedRow] = carriedRow
    ? [carriedRow]
    : failure
      ? []
      : (await app.db.batch([...closeStatements()]))[0];
  if (storedRow) {
    wakeEvents(app, [notice, outcome]);
    await emailDecision(app, { ...decision, id }, token);
  }
  if (failure) throw failure;
  return { act };
}

/**
 * The condition for storing the decision: the batch that deletes a session changes nothing if the session changed
 * meanwhile, and is repeated. Other acts need no condition.
 */
const actCondition = ({ kind, id }: ReportTarget, act: DecidedAct): SQL | undefined =>
  kind === "session" && act === "remove" ? reports.isSessionDeleted(Number(id)) : undefined;

type AnnouncedDecision = ReportTarget & { userId: number; act: DecidedAct; reason: string; path: string };
/** Emails the decision to the author, with the link for an appeal. */
async function emailDecision(
  app: App,
  { userId, act, kind, id, reason, path }: AnnouncedDecision,
  token: string,
): Promise<void> {
  const { appName, origin } = app.settings;
  await notifyAuthor(app, userId, (to) =>
    decisionEmail({
      ...to,
      appName,
      kind: act === "suspend" ? "suspension" : "notice",
      sentence: actSentence(act, { kind, id }, path),
      reason,
      url: `${origin}/account/appeal?token=${token}`,
      days: APPEAL_DAYS,
    }),
  );
}

/** The trimmed reason of a decision. INVALID at `reason` if it is empty or too long. */
export function readReason(text: string): string {
  const reason = text.trim();
  if (reason === "") throw invalid("reason", refusals.noReason);
  if (reason.length > MAX_DECISION_REASON_CHARS)
    throw invalid("reason", refusals.useAtMost(MAX_DECISION_REASON_CHARS));
  return reason;
}

const AUDIT_KINDS = {
  message: "line",
  post: "post",
  item: "item",
  person: "person",
  session: "session",
  hut: "hut",
  aim: "session",
} as const;
export const auditTarget = ({ kind, id }: ReportTarget): Act["target"] => ({
  kind: AUDIT_KINDS[kind],
  id: kind === "aim" ? String(seatOfTarget(id)?.session) : id,
});

type ActContext = {
  report: { path: string; authorName: string; authorId: number; createdAt: Instant };
  target: ReportTarget;
  act: DecidedAct;
  reason: string;
  auditRowOf: (action: Act["action"]) => Act;
};

/** Performs a decided act. A target that was deleted meanwhile needs no removal. */
async function performAct(app: App, { report, target, act, reason, auditRowOf }: ActContext): Promise<void> {
  const place = placeOfReport(target, report.path);
  const person = { username: report.authorName, reason, isDecision: true };
  const asOf = report.createdAt;
  switch (act) {
    case "remove":
      return removeTarget(app, { target, report, reason, auditRowOf }).catch(ignoreMissing);
    case "mute":
      if (place?.kind === "hut") return muteInHut(app, { ...person, hut: place.hut, asOf, mute: 1 });
      return muteParticipant(app, { ...person, session: place?.session ?? 0, mute: 1 });
    case "ban":
      if (place?.kind === "hut") return banFromHut(app, { ...person, hut: place.hut, asOf, isBanned: true });
      return banFromSession(app, { ...person, session: place?.session ?? 0 });
    case "suspend":
      await suspendUser(app, { ...person, days: SUSPENSION_DAYS });
      return;
    default:
      return act satisfies never;
  }
}

const ignoreMissing = (error: unknown): void => {
  if (!isAppError(error) || error.code !== "NOT_FOUND") throw error;
};

async function removeTarget(
  app: App,
  { target, report, reason, auditRowOf }: Omit<ActContext, "act">,
): Promise<void> {
  switch (target.kind) {
    case "message": {
      const { session = 0, line = 0 } = lineOfTarget(target.id) ?? {};
      await removeMessage(app, { session, seq: line, reason });
      return;
    }
    case "post":
      return removePost(app, { post: Number(target.id), reason });
    case "item": {
      const id = Number(target.id);
      await runBatch(app.db, [
        ...items.deleteItem(app.db, id),
        recordAct(app.db, auditRowOf("item-removed")),
        // The batch keeps a book with the paraphrases of others (D-10), which is hidden instead.
        items.hideItem(app.db, id, app.now),
        recordAct(app.db, auditRowOf("item-hidden")),
      ]);
      return;
    }
    case "session":
      return deleteSession(app, { session: Number(target.id), reason });
    case "hut": {
      const hut = hutOfPath(report.path) ?? "";
      return deleteHut(app, { hut, slug: hut, reason, asOf: report.createdAt });
    }
    case "aim":
      return removeAimOf(app, {
        session: seatOfTarget(target.id)?.session ?? 0,
        userId: report.authorId,
        reason,
      });
    case "person":
      return;
    default:
      return target.kind satisfies never;
  }
}

type Recipient = { to: string; username: string };

/** Emails the author of a reported text. `sendEmail` checks that the address may receive it (Q-05). */
async function notifyAuthor(app: App, userId: number, writeEmail: (to: Recipient) => Email): Promise<void> {
  const [user] = await reports.findRecipient(app.db, userId);
  if (!user || isDeletedEmail(user.email)) return;
  const email = writeEmail({ to: user.email, username: user.username });
  app.defer(sendEmail(app, email, { isConfirmed: user.confirmedAt !== null }));
}

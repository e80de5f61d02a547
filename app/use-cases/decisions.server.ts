// The queue of reports, what a super admin decides in it, and appeals (Q-30, Q-31). The act comes first: repeated, it
// changes nothing and leaves no second row of the audit. Then the reports close, and the author gets an email.
import { runBatch, type Statement } from "#db/connect.server";
import { type Act, insertAct, recordAct } from "#db/queries/audit";
import * as items from "#db/queries/items";
import * as reports from "#db/queries/reports";
import * as sanctions from "#db/queries/sanctions";
import { isDeletedEmail } from "~/domain/deleted-account";
import { AppError, invalid, isAppError } from "~/domain/errors";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import {
  APPEAL_DAYS,
  APPEAL_EXPIRED,
  APPEAL_LIFE,
  APPEAL_TEXT,
  actSentence,
  actsFor,
  DECIDED_ALREADY,
  DECISION_REASON,
  type DecidedAct,
  lineOfTarget,
  type ReportAct,
  type ReportKind,
  type ReportReason,
  type ReportTarget,
  SUSPENSION_DAYS,
  sessionOfReport,
} from "~/domain/reports";
import { HOUR, type Instant, instant, SECOND } from "~/domain/time";
import type { App, CurrentUser } from "./app.server";
import { appealAnsweredEmail, decisionEmail } from "./emails.server";
import { deleteHut } from "./huts.server";
import { hashToken, newToken } from "./logins.server";
import { networkOf } from "./network.server";
import type { Email } from "./ports.server";
import { removePost } from "./posts.server";
import { sendEmail } from "./send-email.server";
import { removeMessage } from "./sessions/chat.server";
import { deleteSession } from "./sessions/run.server";
import { banFromSession, liftSessionBan, muteParticipant } from "./sessions/sanctions.server";
import { liftSuspension, suspendUser } from "./suspensions.server";

/** Reports and appeals that a page shows at most; the oldest come first. */
const QUEUE = 200;
const APPEALS_PER_HOUR = 30;

type OpenReport = { reporter: string; reason: ReportReason; text: string; createdAt: Instant };
/** A decision or a sanction of before. */
type Earlier = { what: string; reason: string; at: Instant };
type QueuedTarget = ReportTarget & {
  author: string;
  kept: string;
  path: string;
  acts: ReportAct[];
  reports: OpenReport[];
  earlier: Earlier[];
};
type QueuedAppeal = {
  id: string;
  author: string;
  kind: ReportKind;
  act: DecidedAct;
  reason: string;
  kept: string;
  path: string;
  decidedAt: Instant;
  appeal: string;
};
export type ReportQueue = { targets: QueuedTarget[]; appeals: QueuedAppeal[] };

function requireSuperAdmin(app: App): CurrentUser {
  const user = requireUser(app.user);
  allow(isSuperAdmin(user));
  return user;
}

/** Open reports, oldest first, those of one target together (Q-30). FORBIDDEN unless a super admin asks. */
export async function viewReports(app: App): Promise<ReportQueue> {
  requireSuperAdmin(app);
  const [open, appeals] = await app.db.batch([
    reports.listOpenReports(app.db, QUEUE),
    reports.listOpenAppeals(app.db, QUEUE),
  ]);
  const authors = [...new Set(open.map(({ authorId }) => authorId))];
  const [decided, held] = await app.db.batch([
    reports.listDecisionsAbout(app.db, authors),
    sanctions.listSanctionsOfUsers(app.db, authors),
  ]);
  const targets = new Map<string, QueuedTarget>();
  for (const row of open) {
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
      earlier: [
        ...decided
          .filter(({ userId }) => userId === authorId)
          .map((one) => ({
            what: actSentence(one.act, one.kind) + (one.isGranted ? " The appeal was granted." : ""),
            reason: one.reason,
            at: one.decidedAt,
          })),
        ...held
          .filter(({ userId }) => userId === authorId)
          .map(({ scope, targetId, kind: what, reason, createdAt: at }) => ({
            what: `${what === "mute" ? "Muted" : "Kept out"}: ${scope}${scope === "site" ? "" : ` ${targetId}`}.`,
            reason,
            at,
          })),
      ],
    };
    target.reports.push({ reporter, reason, text, createdAt });
    targets.set(key, target);
  }
  return {
    targets: [...targets.values()],
    appeals: appeals.map((row) => ({
      id: row.tokenHash,
      author: row.authorName,
      kind: row.kind,
      act: row.act,
      reason: row.reason,
      kept: row.kept,
      path: row.path,
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
  if (!actsFor(target, report.path).includes(act)) throw invalid("act", "Please choose what to do.");
  const audit = (action: Act["action"]): Act => ({
    at: app.now,
    actorId: user.id,
    action,
    target: auditTarget(target),
    userId: report.authorId,
    reason,
  });
  const close = reports.closeReports(app.db, target, app.now);
  if (act === "dismiss") {
    await runBatch(app.db, [close, recordAct(app.db, audit("report-dismissed"))]);
    return { act };
  }
  const token = newToken();
  const decision = reports.insertDecision(app.db, {
    tokenHash: await hashToken(token),
    kind,
    targetId: id,
    userId: report.authorId,
    authorName: report.authorName,
    act,
    reason,
    kept: report.kept,
    path: report.path,
    decidedAt: app.now,
  });
  const inSameBatch = await doAct(app, { report, target, act, reason, audit });
  const results = await runBatch(app.db, [...inSameBatch, decision, close]);
  if ((results[inSameBatch.length] as unknown[]).length === 0) return { act };
  const { appName, origin } = app.settings;
  await tellAuthor(app, report.authorId, (to) =>
    decisionEmail({
      ...to,
      appName,
      kind: act === "suspend" ? "suspension" : "notice",
      sentence: actSentence(act, kind),
      reason,
      url: `${origin}/account/appeal?token=${token}`,
      days: APPEAL_DAYS,
    }),
  );
  return { act };
}

function readReason(text: string): string {
  const reason = text.trim();
  if (reason === "") throw invalid("reason", "Please give a reason.");
  if (reason.length > DECISION_REASON)
    throw invalid("reason", `Please use at most ${DECISION_REASON.toLocaleString("en")} characters.`);
  return reason;
}

const AUDITED = {
  message: "line",
  post: "post",
  item: "item",
  person: "person",
  session: "session",
  hut: "hut",
} as const;
const auditTarget = ({ kind, id }: ReportTarget): Act["target"] => ({ kind: AUDITED[kind], id });

type Doing = {
  report: { path: string; authorName: string };
  target: ReportTarget;
  act: DecidedAct;
  reason: string;
  audit: (action: Act["action"]) => Act;
};

/** Does the act, or answers the statements that do it. A target that is gone needs no removal. */
async function doAct(app: App, { report, target, act, reason, audit }: Doing): Promise<Statement[]> {
  const named = { session: sessionOfReport(target, report.path) ?? 0, username: report.authorName, reason };
  switch (act) {
    case "remove":
      return remove(app, target, reason, audit).catch(isGone);
    case "mute":
      await muteParticipant(app, { ...named, mute: 1 });
      return [];
    case "ban":
      await banFromSession(app, named);
      return [];
    case "suspend":
      await suspendUser(app, {
        username: report.authorName,
        days: SUSPENSION_DAYS,
        reason,
        isAnnounced: true,
      });
      return [];
    default:
      return act satisfies never;
  }
}

const isGone = (error: unknown): Statement[] => {
  if (isAppError(error) && error.code === "NOT_FOUND") return [];
  throw error;
};

async function remove(
  app: App,
  target: ReportTarget,
  reason: string,
  audit: Doing["audit"],
): Promise<Statement[]> {
  switch (target.kind) {
    case "message": {
      const { session = 0, line = 0 } = lineOfTarget(target.id) ?? {};
      await removeMessage(app, { session, seq: line, reason });
      return [];
    }
    case "post":
      await removePost(app, { post: Number(target.id), reason });
      return [];
    case "item": {
      const id = Number(target.id);
      return [
        items.liftChildren(app.db, id),
        items.deleteItem(app.db, id),
        recordAct(app.db, audit("item-removed")),
      ];
    }
    case "session":
      await deleteSession(app, { session: Number(target.id) });
      return [insertAct(app.db, audit("session-removed"))];
    case "hut":
      await deleteHut(app, { hut: target.id, slug: target.id });
      return [];
    case "person":
      return [];
    default:
      return target.kind satisfies never;
  }
}

type Recipient = { to: string; username: string };

/** By email, to an address that may receive it (Q-05). */
async function tellAuthor(app: App, userId: number, write: (to: Recipient) => Email): Promise<void> {
  const [user] = await reports.findRecipient(app.db, userId);
  if (!user || isDeletedEmail(user.email)) return;
  const email = write({ to: user.email, username: user.username });
  app.defer(sendEmail(app, email, { isConfirmed: user.confirmedAt !== null }));
}

// ---- appeals

type LinkInput = { token: string };
export type AppealPage = {
  token: string;
  /** Null when the link does not work. */
  decision: {
    sentence: string;
    reason: string;
    kept: string;
    decidedAt: Instant;
    /** "" until it is filed. */
    appeal: string;
    answer: { isGranted: boolean; text: string } | null;
    isOpen: boolean;
  } | null;
};

/** The page behind the link of the email; the secret alone opens it, because the author may be unable to sign in. */
export async function viewAppeal(app: App, { token }: LinkInput): Promise<AppealPage> {
  const [row] = token === "" ? [] : await reports.findDecision(app.db, await hashToken(token));
  if (!row) return { token, decision: null };
  const isOpen = row.appealedAt === null && row.decidedAt + APPEAL_LIFE > app.now;
  if (!isOpen && row.appealedAt === null) return { token, decision: null };
  return {
    token,
    decision: {
      sentence: actSentence(row.act, row.kind),
      reason: row.reason,
      kept: row.kept,
      decidedAt: row.decidedAt,
      appeal: row.appeal,
      answer: row.answeredAt === null ? null : { isGranted: row.isGranted === true, text: row.answer },
      isOpen,
    },
  };
}

/** Once, within 30 days (Q-31). A repeat of the same text may be sent again. */
export async function fileAppeal(app: App, input: LinkInput & { text: string }): Promise<void> {
  await app.attempts.take(`appeal:${networkOf(app)}`, APPEALS_PER_HOUR, HOUR / SECOND);
  const text = input.text.trim();
  if (text === "") throw invalid("text", "Please write why the decision should change.");
  if (text.length > APPEAL_TEXT)
    throw invalid("text", `Please use at most ${APPEAL_TEXT.toLocaleString("en")} characters.`);
  const since = instant(app.now - APPEAL_LIFE);
  const [filed] = await reports.fileAppeal(app.db, await hashToken(input.token), text, app.now, since);
  if (!filed) throw invalid("token", APPEAL_EXPIRED);
}

export type AppealAnswerInput = { id: string; isGranted: boolean; reason: string };

/** A granted appeal lifts a mute, a ban or a suspension; what was removed does not come back. CONFLICT once it was answered. */
export async function answerAppeal(app: App, input: AppealAnswerInput): Promise<void> {
  const user = requireSuperAdmin(app);
  const answer = readReason(input.reason);
  const { isGranted } = input;
  const [row] = await reports.findDecision(app.db, input.id);
  if (!row || row.appealedAt === null) throw new AppError("NOT_FOUND");
  if (row.answeredAt !== null) throw new AppError("CONFLICT", DECIDED_ALREADY);
  const target = { kind: row.kind, id: row.targetId };
  const session = sessionOfReport(target, row.path);
  if (isGranted) await lift(app, { session: session ?? 0, username: row.authorName }, row.act);
  const [answered] = await runBatch(app.db, [
    reports.answerAppeal(app.db, row.tokenHash, { isGranted, answer, now: app.now }),
    recordAct(app.db, {
      at: app.now,
      actorId: user.id,
      action: isGranted ? "appeal-granted" : "appeal-refused",
      target: auditTarget(target),
      userId: row.userId,
      reason: answer,
    }),
  ]);
  if ((answered as unknown[]).length === 0) throw new AppError("CONFLICT", DECIDED_ALREADY);
  const { appName } = app.settings;
  await tellAuthor(app, row.userId, (to) =>
    appealAnsweredEmail({
      ...to,
      appName,
      sentence: actSentence(row.act, row.kind),
      isGranted,
      reason: answer,
    }),
  );
}

/** A session that is over or gone holds nobody any more. */
async function lift(app: App, named: { session: number; username: string }, act: DecidedAct): Promise<void> {
  try {
    if (act === "mute") await muteParticipant(app, { ...named, mute: 0 });
    if (act === "ban") await liftSessionBan(app, named);
    if (act === "suspend") await liftSuspension(app, named);
  } catch (error) {
    if (!isAppError(error) || !["NOT_FOUND", "CONFLICT"].includes(error.code)) throw error;
  }
}

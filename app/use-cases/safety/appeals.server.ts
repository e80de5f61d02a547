// Appeals against decisions on reports, and the answers of super admins.
import { sql } from "drizzle-orm";
import { runBatch } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { recordAct } from "#db/queries/safety/audit";
import * as reports from "#db/queries/safety/reports";
import { AppError, invalid, isAppError } from "~/domain/errors";
import { subjectOf } from "~/domain/notices/events";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import * as safetyRefusals from "~/domain/safety/refusals";
import {
  APPEAL_EXPIRED,
  APPEAL_LIFE,
  actSentence,
  DECIDED_ALREADY,
  type DecidedAct,
  MAX_APPEAL_CHARS,
  placeOfReport,
  type ReportPlace,
} from "~/domain/safety/reports";
import { type Instant, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { banFromHut, muteInHut } from "~/use-cases/huts/sanctions.server";
import { networkOf } from "~/use-cases/network.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { hashToken } from "~/use-cases/tokens.server";
import { liftSessionBan, muteParticipant } from "../sessions/sanctions.server";
import { auditTarget, readReason, requireSuperAdmin } from "./decisions.server";
import { liftSuspension } from "./suspensions.server";

/** The secret of the email, or the decision that the author's notice names. */
type LinkInput = { token: string; decision: string };
export type AppealPage = {
  link: LinkInput;
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

/**
 * The secret alone opens a decision, because its author may be unable to sign in. Without the email, which an unconfirmed
 * address never gets, the signed-in author opens it.
 */
async function findAppealable(app: App, { token, decision }: LinkInput) {
  if (token !== "") return (await reports.findDecision(app.db, await hashToken(token)))[0];
  if (decision === "") return undefined;
  const user = requireUser(app.user, refusals.signIn);
  const [row] = await reports.findDecision(app.db, decision);
  return row?.userId === user.id ? row : undefined;
}

/** The page behind the link of the email or of the notice. */
export async function viewAppeal(app: App, link: LinkInput): Promise<AppealPage> {
  const row = await findAppealable(app, link);
  if (!row) return { link, decision: null };
  const isOpen = row.appealedAt === null && row.decidedAt + APPEAL_LIFE > app.now;
  if (!isOpen && row.appealedAt === null) return { link, decision: null };
  return {
    link,
    decision: {
      sentence: actSentence(row.act, { kind: row.kind, id: row.targetId }, row.path),
      reason: row.reason,
      kept: row.snapshot,
      decidedAt: row.decidedAt,
      appeal: row.appeal,
      answer: row.answeredAt === null ? null : { isGranted: row.isGranted === true, text: row.answer },
      isOpen,
    },
  };
}

/** Files an appeal, once, within 30 days. Idempotent for the same text. */
export async function fileAppeal(app: App, input: LinkInput & { text: string }): Promise<void> {
  await countUse(app, "appeal", networkOf(app));
  const text = input.text.trim();
  if (text === "") throw invalid("text", safetyRefusals.noAppealText);
  if (text.length > MAX_APPEAL_CHARS) throw invalid("text", refusals.useAtMost(MAX_APPEAL_CHARS));
  const since = instant(app.now - APPEAL_LIFE);
  const { token } = input;
  const tokenHash = token === "" ? (await findAppealable(app, input))?.tokenHash : await hashToken(token);
  const [filed] = tokenHash ? await reports.fileAppeal(app.db, tokenHash, text, app.now, since) : [];
  if (!filed) throw invalid("token", APPEAL_EXPIRED);
}

export type AppealAnswerInput = { id: string; isGranted: boolean; reason: string };

/** A granted appeal lifts the decision's mute, ban or suspension; removed texts stay removed. CONFLICT once it was answered. */
export async function answerAppeal(app: App, input: AppealAnswerInput): Promise<void> {
  const user = requireSuperAdmin(app);
  const answer = readReason(input.reason);
  const { isGranted } = input;
  const [row] = await reports.findDecision(app.db, input.id);
  if (!row || row.appealedAt === null) throw new AppError("NOT_FOUND");
  if (row.answeredAt !== null) throw new AppError("CONFLICT", DECIDED_ALREADY);
  const target = { kind: row.kind, id: row.targetId };
  if (isGranted) await liftSanction(app, row, placeOfReport(target, row.path));
  const cause = newEvent(app, {
    kind: "appeal-answered",
    subject: subjectOf("report", `${row.kind}:${row.targetId}`),
    body: { sentence: actSentence(row.act, target, row.path), isGranted, reason: answer, to: [row.userId] },
  });
  const [answeredAppeal] = await runBatch(app.db, [
    reports.answerAppeal(app.db, row.tokenHash, { isGranted, answer, now: app.now }),
    recordEvent(app.db, cause, { condition: sql`changes() > 0` }),
    recordAct(app.db, {
      at: app.now,
      actorId: user.id,
      action: isGranted ? "appeal-granted" : "appeal-refused",
      target: auditTarget(target),
      userId: row.userId,
      reason: answer,
    }),
  ]);
  if ((answeredAppeal as unknown[]).length === 0) throw new AppError("CONFLICT", DECIDED_ALREADY);
  wakeEvents(app, [cause]);
}

/**
 * Ends the sanction of a granted appeal, and none that somebody has set for another reason since. A session or hut that
 * is over or deleted has no sanction to end.
 */
async function liftSanction(
  app: App,
  { authorName: username, act, decidedAt }: { authorName: string; act: DecidedAct; decidedAt: Instant },
  place: ReportPlace | null,
): Promise<void> {
  const lifted = { username, setAt: decidedAt };
  try {
    if (act === "suspend") await liftSuspension(app, lifted);
    if (place?.kind === "hut") {
      const inHut = { ...lifted, hut: place.hut, asOf: decidedAt };
      if (act === "mute") await muteInHut(app, { ...inHut, mute: 0 });
      if (act === "ban") await banFromHut(app, { ...inHut, isBanned: false });
    } else if (place) {
      const { session } = place;
      if (act === "mute") await muteParticipant(app, { ...lifted, session, mute: 0 });
      if (act === "ban") await liftSessionBan(app, { ...lifted, session });
    }
  } catch (error) {
    if (!isAppError(error) || !["NOT_FOUND", "CONFLICT"].includes(error.code)) throw error;
  }
}

// Reports of texts, people, sessions and huts. A report stores text, author and link as the reporter
// sees them.
import * as reports from "#db/queries/safety/reports";
import { maskKeys } from "~/domain/accounts/api-keys";
import { beginningOf } from "~/domain/beginnings";
import { AppError } from "~/domain/errors";
import { guestRefused, isGuest, mayGuestReport } from "~/domain/guest-rights";
import { requireUser } from "~/domain/permissions";
import * as safetyRefusals from "~/domain/safety/refusals";
import type { ReportTarget } from "~/domain/safety/report-targets";
import {
  REPORT_OWN,
  REPORTED_TEXT_LIMIT,
  type ReportReason,
  type StoredReport,
} from "~/domain/safety/reports";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { countUse } from "~/use-cases/rate-limits.server";
import {
  refuseMissing,
  type ShownTarget,
  type TargetWithAuthor,
  targetReaders,
} from "./report-target-readers.server";

/** Reports that a guest may make (H-19). */
const MAX_GUEST_REPORTS = 3;

export type ReportDraft = ReportTarget & { reason: ReportReason; text?: string | undefined };

/**
 * A second report of the same target updates the first. NOT_FOUND for a target that the reporter may not see,
 * INVALID for the reporter's own, FORBIDDEN beyond the rights of a guest (H-19), RATE_LIMITED after 20 an hour.
 */
export async function fileReport(app: App, input: ReportDraft): Promise<StoredReport> {
  const user = requireUser(app.user, safetyRefusals.signInToReport);
  await countUse(app, "report", user.id);
  if (isGuest(user) && !mayGuestReport(user, input)) throw guestRefused();
  const target = await findTarget(app, user, input);
  const newReport = {
    kind: target.kind,
    targetId: target.keptId ?? target.id,
    reporterId: user.id,
    reason: input.reason,
    text: maskKeys(input.text?.trim() ?? ""),
    authorId: target.authorId,
    authorName: target.realAuthor ?? target.author,
    snapshot: maskKeys(target.text),
    path: target.path,
    createdAt: app.now,
    updatedAt: app.now,
  };
  const [row] = await reports.upsertReport(app.db, newReport, isGuest(user) ? MAX_GUEST_REPORTS : null);
  if (!row) throw isGuest(user) ? guestRefused() : new AppError("SERVER_ERROR");
  const { kind, targetId, reason, text, createdAt, updatedAt } = row;
  return { kind, id: targetId, reason, text, createdAt, updatedAt, isNew: createdAt === updatedAt };
}

/** The thing to report, for the page of the form. */
export async function viewReportTarget(app: App, input: ReportTarget): Promise<ShownTarget> {
  const { kind, id, author, text, path } = await findTarget(app, requireUser(app.user), input);
  return { kind, id, author, text, path };
}

async function findTarget(app: App, user: CurrentUser, target: ReportTarget): Promise<TargetWithAuthor> {
  const reported = await targetReaders[target.kind](app, user, target).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") return refuseMissing();
    throw error;
  });
  if (reported.authorId === user.id) throw new AppError("INVALID", REPORT_OWN);
  return { ...reported, text: beginningOf(reported.text, REPORTED_TEXT_LIMIT) };
}

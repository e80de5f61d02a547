// Suspending an account: all logins and sockets end, hosted sessions are cancelled or pass on, and from then on the
// account reaches only export, deletion, an appeal and the end of a plan. For super admins.

import { runBatch } from "#db/connect.server";
import { recordAccountChange } from "#db/queries/accounts/change-emails";
import { endingsOf } from "#db/queries/endings";
import { type Act, recordAct } from "#db/queries/safety/audit";
import { findSuspensionToAppeal } from "#db/queries/safety/reports";
import * as sanctions from "#db/queries/safety/sanctions";
import { AppError, invalid } from "~/domain/errors";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { USER_ROLE } from "~/domain/roles";
import * as safetyRefusals from "~/domain/safety/refusals";
import { APPEAL_LIFE } from "~/domain/safety/reports";
import { isInForce, RANK, sanctionRefusal } from "~/domain/safety/sanctions";
import { DAY, type Instant, instant, plusMillis } from "~/domain/time";
import { accountChangeCause } from "~/use-cases/accounts/change-emails.server";
import { endSockets } from "~/use-cases/accounts/logins.server";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { takeSteps } from "~/use-cases/ending-steps.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { suspensionSentenceFor } from "./suspended-user.server";

/** Reads the account, with the refusal by the hierarchy, if any, and a function that makes the rows of the audit. */
async function readTarget(app: App, username: string) {
  requireSuperAdmin(app);
  const [target] = await sanctions.findTarget(app.db, username);
  return judgeSuspension(app, target);
}

function requireSuperAdmin(app: App): CurrentUser {
  const user = requireUser(app.user);
  allow(isSuperAdmin(user));
  return user;
}

type Target = Awaited<ReturnType<typeof sanctions.findTarget>>[number];
function judgeSuspension(app: App, target: Target | undefined) {
  const user = requireSuperAdmin(app);
  if (!target) throw new AppError("NOT_FOUND", safetyRefusals.noAccount);
  const refusal = sanctionRefusal(
    { userId: user.id, isSuperAdmin: true, rank: RANK.none },
    { userId: target.userId, isSuperAdmin: target.roleId === USER_ROLE.superAdmin, rank: RANK.none },
  );
  const key = { scope: "site", targetId: 0, userId: target.userId, kind: "ban" } as const;
  const actOf = (action: Act["action"], reason = ""): Act => ({
    at: app.now,
    actorId: user.id,
    action,
    target: { kind: "site", id: 0 },
    userId: target.userId,
    reason,
  });
  return { user, target, refusal, key, actOf };
}

/**
 * Suspends an account for a number of days; 0 means without end. The person reads the reason, also by email; a decision
 * has an email of its own.
 */
export async function suspendUser(
  app: App,
  input: { username: string; days: number; reason: string; isDecision?: boolean },
): Promise<{ until: Instant | null }> {
  const { user, target, refusal, key, actOf } = await readTarget(app, input.username);
  if (refusal !== null) throw new AppError("FORBIDDEN", refusal);
  const reason = input.reason.trim();
  if (reason === "") throw invalid("reason", refusals.noReason);
  await countUse(app, "change-sanction", user.id);
  const { isDecision } = input;
  const until = input.days === 0 ? null : plusMillis(app.now, input.days * DAY);
  const [currentBan] = await sanctions.findSanction(app.db, key);
  const sendsEmail = !isDecision && (!currentBan || !isInForce(currentBan, app.now));
  const cause = accountChangeCause(app, "suspension", reason, until);
  const [, , endedSanctions] = await runBatch(app.db, [
    sanctions.setSanction(app.db, { ...key, until, reason, now: app.now, isDecision }),
    recordAct(app.db, actOf("suspended", reason)),
    ...endingsOf(app.db, "users", "suspended", { userId: target.userId }),
    ...(sendsEmail ? [recordAccountChange(app.db, cause, target.userId)] : []),
  ]);
  endSockets(app, target.userId, endedSanctions as { loginHash: string }[]);
  await takeSteps(app, "users", "suspended", { userId: target.userId });
  if (sendsEmail) wakeEvents(app, [cause]);
  return { until };
}

/**
 * Lifts a suspension, so that the person signs in as before. Cancelled sessions stay cancelled. With `setAt`, it lifts
 * only the suspension set at that instant. Idempotent.
 */
export async function liftSuspension(
  app: App,
  { username, setAt }: { username: string; setAt?: Instant },
): Promise<void> {
  const { key, actOf } = await readTarget(app, username);
  await runBatch(app.db, [
    sanctions.liftSanction(app.db, key, app.now, sanctions.isSetAt(setAt)),
    recordAct(app.db, actOf("suspension-lifted")),
  ]);
}

/**
 * The page of a suspended user; null for everybody else. It links to the appeal, because an unconfirmed address gets no
 * email with that link, and the notices are closed.
 */
export async function viewSuspension(
  app: App,
): Promise<{ sentence: string; email: string; appealPath: string | null } | null> {
  const user = requireUser(app.user);
  if (!user.suspension) return null;
  const since = instant(app.now - APPEAL_LIFE);
  const [decision] = await findSuspensionToAppeal(app.db, user.id, since);
  return {
    sentence: suspensionSentenceFor(app, user.suspension),
    email: user.email,
    appealPath: decision ? `/account/appeal?decision=${decision.tokenHash}` : null,
  };
}

/** An account as super admins see it, with every sanction that it has had. */
export async function viewAccount(app: App, { username }: { username: string }) {
  requireSuperAdmin(app);
  const [[account], rows] = await app.db.batch([
    sanctions.findTarget(app.db, username),
    sanctions.listSanctionsOf(app.db, sanctions.userOfName(username)),
  ]);
  const { target, refusal } = judgeSuspension(app, account);
  const suspensions = rows.map(({ scope, targetId, kind, until, reason, createdAt }) => ({
    scope,
    targetId,
    kind,
    until,
    reason,
    createdAt,
    isInForce: isInForce({ until }, app.now),
  }));
  return {
    username: target.name,
    refusal,
    sanctions: suspensions,
    suspension: suspensions.find(({ scope, isInForce }) => scope === "site" && isInForce) ?? null,
  };
}

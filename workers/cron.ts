// Runs the use cases of a cron expression. Each is bounded and idempotent, and logs its result in a typed line.
import { loadOnce } from "~/domain/load-once";
import { logLine } from "~/domain/log-line";
import { instant, MINUTE } from "~/domain/time";
import { warnOfEndingKeys } from "~/use-cases/accounts/api-keys.server";
import { resealSecrets } from "~/use-cases/accounts/second-step.server";
import type { App } from "~/use-cases/app.server";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { wakeJobs } from "~/use-cases/deliveries.server";
import { endOverdueTimers } from "~/use-cases/goals/log-ends.server";
import { planGoalReminders } from "~/use-cases/goals/reminders.server";
import { recordMinuteCron } from "~/use-cases/health.server";
import { installWantedLibrary } from "~/use-cases/library.server";
import { takeNightRequest } from "~/use-cases/night.server";
import { creditPaidPurchases } from "~/use-cases/payments/purchases.server";
import { renewSubscriptions } from "~/use-cases/payments/subscriptions.server";
import { catchUpWithProvider } from "~/use-cases/payments/webhook.server";
import { renderTextsAgain } from "~/use-cases/render-again.server";
import { copyChats } from "~/use-cases/room/chat-copies.server";
import { eraseChats } from "~/use-cases/room/chat-erasures.server";
import { layOutSeries } from "~/use-cases/series/lay-out.server";
import { notifyMarkedRooms } from "~/use-cases/sessions/log-marks.server";
import { planReminders } from "~/use-cases/sessions/reminders.server";
import { passExpiredOffers } from "~/use-cases/sessions/waiting.server";
import {
  deleteExpiredRows,
  deleteOrphanedUploads,
  deleteUnusedUploads,
  wakeRooms,
} from "~/use-cases/upkeep.server";
import { countRun } from "./alerts";
import { createApp } from "./create-app";
import type { Env } from "./env";

const loadErasure = loadOnce(() => import("~/use-cases/erase-guests.server"));

type Job = { name: string; run(app: App): Promise<object> };

const EACH_MINUTE = "* * * * *";
const EACH_NIGHT = "17 3 * * *";

/** wrangler.toml lists the same expressions. */
const JOBS_BY_CRON: Record<string, Job[]> = {
  [EACH_MINUTE]: [
    { name: "end-timers", run: (app) => endOverdueTimers(app) },
    { name: "pass-expired-offers", run: passExpiredOffers },
    { name: "plan-reminders", run: planReminders },
    { name: "plan-goal-reminders", run: planGoalReminders },
    { name: "follow-logs", run: notifyMarkedRooms },
    { name: "wake-jobs", run: (app) => wakeJobs(app) },
    { name: "install-library", run: installWantedLibrary },
    { name: "mark-minute", run: recordMinuteCron },
  ],
  "*/5 * * * *": [
    { name: "wake-rooms", run: (app) => wakeRooms(app) },
    { name: "renew-subscriptions", run: (app) => renewSubscriptions(app) },
    { name: "credit-paid-purchases", run: (app) => creditPaidPurchases(app) },
    { name: "catch-up-with-provider", run: catchUpWithProvider },
    { name: "copy-chats", run: (app) => copyChats(app) },
    { name: "render-again", run: (app) => renderTextsAgain(app) },
    { name: "erase-guests", run: async (app) => (await loadErasure()).eraseGuests(app) },
  ],
  [EACH_NIGHT]: [
    { name: "tidy-up", run: deleteExpiredRows },
    { name: "seal-again", run: (app) => resealSecrets(app) },
    { name: "warn-of-ending-keys", run: warnOfEndingKeys },
    { name: "delete-accounts", run: (app) => deleteDueAccounts(app) },
    { name: "lay-out-series", run: (app) => layOutSeries(app) },
    { name: "erase-chats", run: (app) => eraseChats(app) },
    { name: "delete-unused-uploads", run: (app) => deleteUnusedUploads(app) },
    { name: "delete-orphaned-uploads", run: (app) => deleteOrphanedUploads(app) },
  ],
};

export type CronLine = { event: "cron"; job: string; ok: boolean; ms: number; did?: object; error?: string };

/** The jobs of an expression. After a super admin's request, the nightly jobs follow those of the next minute. */
async function jobsOf(cron: string, app: App): Promise<Job[]> {
  const cronJobs = JOBS_BY_CRON[cron] ?? [];
  // A failure of D1 is ignored, because the minute's jobs report it.
  const isNightRequested = cron === EACH_MINUTE && (await takeNightRequest(app).catch(() => false));
  return isNightRequested ? [...cronJobs, ...(JOBS_BY_CRON[EACH_NIGHT] ?? [])] : cronJobs;
}

export async function runCron(
  event: { cron: string; scheduledTime: number },
  env: Env,
  ctx: ExecutionContext,
): Promise<CronLine[]> {
  // A test may run a local cron at another time. The queue would lose that time, so the work runs without it.
  const isShifted = env.LOCAL_RUN === "yes" && Math.abs(event.scheduledTime - Date.now()) > MINUTE;
  const { JOBS: _, ...withoutQueue } = env;
  const { app } = await createApp(isShifted ? withoutQueue : env, {
    now: instant(event.scheduledTime),
    defer: (work) => ctx.waitUntil(work),
  });
  const lines: CronLine[] = [];
  for (const job of await jobsOf(event.cron, app)) {
    const startedAt = Date.now();
    // A failed job must not stop the next.
    const line = await job.run(app).then(
      (did): CronLine => ({ event: "cron", job: job.name, ok: true, ms: Date.now() - startedAt, did }),
      (error): CronLine => ({
        event: "cron",
        job: job.name,
        ok: false,
        ms: Date.now() - startedAt,
        error: String(error),
      }),
    );
    console.log(logLine(line));
    lines.push(line);
  }
  // Cut off, because the message of a failed statement contains its values, which may be personal data.
  const failures = lines.flatMap(({ job, ok, error = "" }) => (ok ? [] : [`${job}: ${error.slice(0, 60)}`]));
  await countRun(env, event.cron, failures, event.scheduledTime);
  return lines;
}

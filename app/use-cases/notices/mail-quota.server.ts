// The number of emails a day (N-36), counted exactly by UTC day.
import { isAppError } from "~/domain/errors";
import { mailsOfDay } from "~/domain/notices/mail-quota";
import type { MailedKind } from "~/domain/notices/unsubscribe";
import { DAY, type Instant, instant, SECOND } from "~/domain/time";
import type { App } from "~/use-cases/app.server";

/** Counts an email of this kind: null if it may leave today, otherwise the instant of the next day. */
export async function takeOfDay(app: App, kind: MailedKind | "security"): Promise<Instant | null> {
  const { dailyMailLimit } = app.settings;
  if (dailyMailLimit === null) return null;
  const day = Math.floor(app.now / DAY);
  try {
    await app.attempts.take(`mail:${day}`, mailsOfDay(kind, dailyMailLimit), DAY / SECOND);
    return null;
  } catch (error) {
    if (!isAppError(error) || error.code !== "RATE_LIMITED") throw error;
    return instant((day + 1) * DAY);
  }
}

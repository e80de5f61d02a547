// Emails to ALERT_MAIL about failing jobs and messages that the queue has given up. A deployment needs no D1 for them: a
// Durable Object counts, and the mail bypasses the queue.
import { connect } from "#db/connect.server";
import { logLine } from "~/domain/log-line";
import { DAY, HOUR, SECOND } from "~/domain/time";
import { createMail } from "./adapters/mail";
import type { Env } from "./env";

const counterOf = (env: Env, key: string) => env.COUNTERS.get(env.COUNTERS.idFromName(key));

/** Failures in a row without an alert. */
const SILENT_FAILURES = 2;
/** The window of the count, which is longer than three nightly runs. */
const WINDOW_SECONDS = (4 * DAY) / SECOND;

/** Counts the failed runs of a cron expression in a row; the third and later ones alert. */
export async function countRun(env: Env, cron: string, failures: string[], now: number): Promise<void> {
  await orLog("runs", async () => {
    const counter = counterOf(env, `failing:${cron}`);
    if (failures.length === 0) return counter.clear();
    if ((await counter.take(SILENT_FAILURES, WINDOW_SECONDS, now)) === 0) return;
    await sendAlert(env, `The jobs of ${cron} failed three times in a row`, failures.join("\n"), now);
  });
}

/** At most one email an hour with the same subject. */
export async function sendAlert(env: Env, subject: string, details: string, now: number): Promise<void> {
  const to = env.ALERT_MAIL;
  if (!to) return;
  await orLog(subject, async () => {
    if ((await counterOf(env, `alert:${subject}`).take(1, HOUR / SECOND, now)) > 0) return;
    const text = `${details}\n\nThe log has the details, and docs/operations.md explains its lines.\n${env.APP_ORIGIN}`;
    // Only the mailbox of a local run uses the database.
    await createMail(env, connect(env.DB)).send({
      kind: "alert",
      to,
      subject: `[${env.APP_NAME}] ${subject}`,
      text,
      html: `<pre>${text.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`)}</pre>`,
    });
  });
}

/** A failure to alert is only logged, because the caller's work must go on. */
async function orLog(subject: string, work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    console.error(logLine({ event: "alert-failed", about: subject, error: String(error).slice(0, 200) }));
  });
}

// The planner of reminders, run every minute (N-18 to N-20). Reminders are derived from the sessions and not stored
// ahead, so moving, leaving and cancelling write nothing about them.
import { runBatch } from "#db/connect.server";
import { insertReminders } from "#db/queries/sessions/reminders";
import * as upkeep from "#db/queries/upkeep";
import { windowSince } from "~/domain/notices/catch-up";
import { CHANNELS, LEADS, type Lead, settingOf } from "~/domain/notices/notices";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";

const DEFAULT_LEADS = new Set<number>(CHANNELS.map((channel) => settingOf({}, "session-reminder", channel)));
const jobOf = (lead: Lead) => `reminders-${lead}`;

export async function planReminders(app: App): Promise<{ leads: number; failed: number }> {
  const lastRunMarks = await runBatch(
    app.db,
    LEADS.map((lead) => upkeep.findMark(app.db, jobOf(lead))),
  );
  const { done, failed } = await runEachRow(app, [...LEADS.entries()], {
    job: "plan-reminders",
    nameOf: ([, lead]) => jobOf(lead),
    async runRow([index, lead]) {
      const storedMark = lastRunMarks[index]?.[0]?.mark ?? "";
      const windowStart = windowSince(storedMark, app.now);
      if (windowStart === app.now) return;
      await runBatch(
        app.db,
        insertReminders(
          app.db,
          { minutes: lead, isDefault: DEFAULT_LEADS.has(lead) },
          { job: jobOf(lead), read: storedMark },
          { after: windowStart, now: app.now },
        ),
      );
    },
  });
  return { leads: done.length, failed: failed.length };
}

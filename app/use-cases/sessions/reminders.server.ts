// The planner of reminders, run every minute (N-18 to N-20). Reminders are derived from the sessions and not stored
// ahead, so moving, leaving and cancelling write nothing about them.
import { runBatch } from "#db/connect.server";
import { planReminders as plan } from "#db/queries/sessions/reminders";
import * as upkeep from "#db/queries/upkeep";
import { windowSince } from "~/domain/notices/catch-up";
import { CHANNELS, LEADS, type Lead, settingOf } from "~/domain/notices/notices";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";

const DEFAULTS = new Set<number>(CHANNELS.map((channel) => settingOf({}, "session-reminder", channel)));
const jobOf = (lead: Lead) => `reminders-${lead}`;

export async function planReminders(app: App): Promise<{ leads: number; failed: number }> {
  const marks = await runBatch(
    app.db,
    LEADS.map((lead) => upkeep.findMark(app.db, jobOf(lead))),
  );
  const { done, failed } = await runEachRow(app, [...LEADS.entries()], {
    job: "plan-reminders",
    nameOf: ([, lead]) => jobOf(lead),
    async run([at, lead]) {
      const read = marks[at]?.[0]?.mark ?? "";
      const after = windowSince(read, app.now);
      if (after === app.now) return;
      await runBatch(
        app.db,
        plan(
          app.db,
          { minutes: lead, isDefault: DEFAULTS.has(lead) },
          { job: jobOf(lead), read },
          { after, now: app.now },
        ),
      );
    },
  });
  return { leads: done.length, failed: failed.length };
}

// The nightly jobs by hand: a super admin asks for them, and the next minute cron runs them.
import { insertAct } from "#db/queries/safety/audit";
import * as upkeep from "#db/queries/upkeep";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import type { App } from "./app.server";
import { countUse } from "./rate-limits.server";

const MARK = "night";

/** Asks for one run; a repeat before it changes nothing but the audit. Super admins. */
export async function requestNightlyJobs(app: App): Promise<void> {
  const user = requireUser(app.user);
  allow(isSuperAdmin(user));
  await countUse(app, "change-sanction", user.id);
  await app.db.batch([
    upkeep.setMark(app.db, MARK, "wanted"),
    insertAct(app.db, {
      at: app.now,
      actorId: user.id,
      action: "jobs-run",
      target: { kind: "site", id: 0 },
    }),
  ]);
}

/** Whether somebody has asked since the last call; only one of two calls at the same time answers true. */
export async function takeNightRequest(app: Pick<App, "db">): Promise<boolean> {
  const takenMark = await upkeep.takeMark(app.db, MARK);
  return takenMark.length > 0;
}

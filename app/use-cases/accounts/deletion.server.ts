// The deletion of an account by its user: requested with the password, done after the grace period by
// delete-accounts.server.ts, cancelled by signing in.

import { runBatch } from "#db/connect.server";
import { recordAccountChange } from "#db/queries/accounts/change-emails";
import * as accountDeletion from "#db/queries/accounts/deletion";
import { endingsOf } from "#db/queries/endings";
import { listHostedUpcoming } from "#db/queries/safety/sanctions";
import { deletionDueAt } from "~/domain/accounts/deletion";
import { requireUser } from "~/domain/permissions";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { takeSteps } from "~/use-cases/ending-steps.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { accountChangeCause } from "./change-emails.server";
import { requirePassword } from "./current-password.server";
import { endSockets } from "./logins.server";

/** Ends every login and stops the subscription's renewal at once; the rest happens after the grace period. */
export async function askForDeletion(app: App, input: { currentPassword: string }): Promise<{ at: Instant }> {
  const user = requireUser(app.user);
  await requirePassword(app, user, input.currentPassword);
  await takeSteps(app, "users", "leaving", { userId: user.id });
  const dueAt = deletionDueAt(app.now);
  const cause = accountChangeCause(app, "deletion");
  const [, endedLogins] = await runBatch(app.db, [
    accountDeletion.setDeletion(app.db, user.id, dueAt),
    ...endingsOf(app.db, "users", "leaving", { userId: user.id }),
    recordAccountChange(app.db, cause, user.id),
  ]);
  await notifyHostedRooms(app, user.id);
  endSockets(app, user.id, endedLogins as { loginHash: string }[]);
  logSecurity(app, { event: "deletion-asked", userId: user.id });
  app.user = null;
  app.cookies.login = null;
  wakeEvents(app, [cause]);
  return { at: dueAt };
}

/** At most this many rooms are notified of a host's deletion. Others read the record when they open. */
const MAX_HOSTED_ROOMS = 200;

/** While a deletion is pending, the sessions ahead that the user hosts need another host. */
export async function notifyHostedRooms(app: App, userId: number): Promise<void> {
  const hosted = await listHostedUpcoming(app.db, userId, app.now, MAX_HOSTED_ROOMS);
  for (const { sessionId } of hosted) notifyRoom(app, sessionId);
}

// The list of the user's logins on the security page, and ending them.
import { deleteKeysOf } from "#db/queries/accounts/api-keys";
import * as devices from "#db/queries/accounts/devices";
import * as loginQueries from "#db/queries/accounts/logins";
import { deleteFeed } from "#db/queries/sessions/calendar";
import type { ListedLogin } from "~/domain/accounts/accounts";
import { requireUser } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { deviceHashOf } from "./devices.server";
import { endSockets } from "./logins.server";

/** The user's logins: this browser's first, then the one seen last. */
export async function listLogins(app: App): Promise<ListedLogin[]> {
  const user = requireUser(app.user);
  const logins = await loginQueries.listLogins(app.db, user.id, app.now);
  return logins
    .map(({ tokenHash, userAgent, place, createdAt, lastSeenAt }) => ({
      id: tokenHash,
      userAgent,
      place,
      createdAt,
      lastSeenAt,
      isThisOne: tokenHash === user.loginHash,
    }))
    .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne));
}

/** Ends one of the user's logins. Signing out ends this browser's own, so that its cookie is removed too. */
export async function endOneLogin(app: App, input: { login: string }): Promise<void> {
  const user = requireUser(app.user);
  const [endedLogins] = await app.db.batch([
    loginQueries.deleteLoginOf(app.db, user.id, input.login),
    devices.deleteDeviceOfLogin(app.db, user.id, input.login),
  ]);
  endSockets(app, user.id, endedLogins);
  logSecurity(app, { event: "logins-ended", userId: user.id, count: endedLogins.length });
  if (input.login === user.loginHash) {
    app.user = null;
    app.cookies.login = null;
  }
}

/** The calendar address and the keys end as well: they open what a login opens (F-03, O-09). */
export async function endOtherLogins(app: App): Promise<void> {
  const user = requireUser(app.user);
  const [endedLogins] = await app.db.batch([
    loginQueries.deleteOtherLogins(app.db, user.id, user.loginHash),
    devices.deleteOtherDevices(app.db, user.id, await deviceHashOf(app)),
    deleteFeed(app.db, user.id),
    deleteKeysOf(app.db, user.id),
  ]);
  endSockets(app, user.id, endedLogins);
  logSecurity(app, { event: "logins-ended", userId: user.id, count: endedLogins.length });
}

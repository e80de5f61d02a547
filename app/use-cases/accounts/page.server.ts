// The account page beside the profile: its names and logins, and ending logins.

import * as accounts from "#db/queries/accounts/accounts";
import { deleteKeysOf } from "#db/queries/accounts/api-keys";
import * as devices from "#db/queries/accounts/devices";
import * as loginQueries from "#db/queries/accounts/logins";
import { deleteFeed } from "#db/queries/sessions/calendar";
import type { ListedLogin, Person } from "~/domain/accounts/accounts";
import type { DistanceUnit } from "~/domain/distances";
import { requireUser } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import { spaceTaken } from "~/use-cases/items/uploads.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { deviceHashOf } from "./devices.server";
import { endSockets } from "./logins.server";

export type AccountPage = {
  /** The account's own name; the acting person may have another. */
  accountName: string;
  email: string;
  /** Emails do not reach it (N-35). */
  isFailing: boolean;
  firstName: string;
  lastName: string;
  distanceUnit: DistanceUnit | null;
  persons: (Person & { isCurrent: boolean; showsAttended: boolean })[];
  logins: ListedLogin[];
  /** Bytes of images: of all, and of the last 24 hours. */
  images: { all: number; recent: number };
};

export async function viewAccount(app: App): Promise<AccountPage> {
  const user = requireUser(app.user);
  const [persons, logins, [address], [images]] = await app.db.batch([
    accounts.listPersons(app.db, user.id),
    loginQueries.listLogins(app.db, user.id, app.now),
    accounts.findMailFailing(app.db, user.id),
    spaceTaken(app, user.id),
  ]);
  return {
    accountName: persons[0]?.username ?? user.username,
    email: user.email,
    isFailing: Boolean(address?.failingAt),
    firstName: user.firstName,
    lastName: user.lastName,
    distanceUnit: user.distanceUnit,
    images: { all: images?.all ?? 0, recent: images?.recent ?? 0 },
    persons: persons.map((person) => ({ ...person, isCurrent: person.id === user.personId })),
    logins: logins
      .map(({ tokenHash, userAgent, place, createdAt, lastSeenAt }) => ({
        id: tokenHash,
        userAgent,
        place,
        createdAt,
        lastSeenAt,
        isThisOne: tokenHash === user.loginHash,
      }))
      .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne)),
  };
}

/** Ends one of the user's logins. Signing out ends this browser's own, so that its cookie is removed too. */
export async function endOneLogin(app: App, input: { login: string }): Promise<void> {
  const user = requireUser(app.user);
  const [endedLogin] = await app.db.batch([
    loginQueries.deleteLoginOf(app.db, user.id, input.login),
    devices.deleteDeviceOfLogin(app.db, user.id, input.login),
  ]);
  endSockets(app, user.id, endedLogin);
  logSecurity(app, { event: "logins-ended", userId: user.id, count: endedLogin.length });
  if (input.login === user.loginHash) {
    app.user = null;
    app.cookies.login = null;
  }
}

/** The calendar address and the keys end as well: they open what a login opens (F-03, O-09). */
export async function endOtherLogins(app: App): Promise<void> {
  const user = requireUser(app.user);
  const [endedLogin] = await app.db.batch([
    loginQueries.deleteOtherLogins(app.db, user.id, user.loginHash),
    devices.deleteOtherDevices(app.db, user.id, await deviceHashOf(app)),
    deleteFeed(app.db, user.id),
    deleteKeysOf(app.db, user.id),
  ]);
  endSockets(app, user.id, endedLogin);
  logSecurity(app, { event: "logins-ended", userId: user.id, count: endedLogin.length });
}

// The account page: the account's email, names and the space that its images take.

import * as accounts from "#db/queries/accounts/accounts";
import type { Person } from "~/domain/accounts/accounts";
import type { DistanceUnit } from "~/domain/distances";
import { requireUser } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import { sumSpaceTaken } from "~/use-cases/items/uploads.server";

export type AccountPage = {
  /** The account's own name; the acting person may have another. */
  accountName: string;
  email: string;
  /** Emails do not reach the address (N-35). */
  isFailing: boolean;
  firstName: string;
  lastName: string;
  distanceUnit: DistanceUnit | null;
  persons: (Person & { isCurrent: boolean; showsAttended: boolean })[];
  /** Of all images, and of those of the last 24 hours. */
  images: { totalBytes: number; recentBytes: number };
};

export async function viewAccount(app: App): Promise<AccountPage> {
  const user = requireUser(app.user);
  const [persons, [address], [images]] = await app.db.batch([
    accounts.listPersons(app.db, user.id),
    accounts.findMailFailing(app.db, user.id),
    sumSpaceTaken(app, user.id),
  ]);
  return {
    accountName: persons[0]?.username ?? user.username,
    email: user.email,
    isFailing: Boolean(address?.failingAt),
    firstName: user.firstName,
    lastName: user.lastName,
    distanceUnit: user.distanceUnit,
    images: { totalBytes: images?.all ?? 0, recentBytes: images?.recent ?? 0 },
    persons: persons.map((person) => ({ ...person, isCurrent: person.id === user.personId })),
  };
}

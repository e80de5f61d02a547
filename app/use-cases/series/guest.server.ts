// The series of a guest: that of the session in which the guest sits.
import { findDateOf } from "#db/queries/series/slugs";
import type { App } from "~/use-cases/app.server";

/** True if the asking guest's session is a date of the series at this address, present or former. */
export async function isGuestOfSeries(app: App, input: { series: string }): Promise<boolean> {
  const session = app.user?.guestOf ?? 0;
  return session > 0 && (await findDateOf(app.db, input.series, session)).length > 0;
}

// The request of a suspended user. Apart from suspending somebody, because every request asks it.
import { formatDay } from "~/domain/days";
import { isOpenToSuspended, suspendedSentence } from "~/domain/safety/sanctions";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";

/** Makes the request of a suspended user a visitor's, unless it asks for what such a user may reach. */
export function dropSuspendedUser(app: App, path: string): void {
  const suspension = app.user?.suspension;
  if (!suspension || isOpenToSuspended(path)) return;
  app.suspensionSentence = suspensionSentenceFor(app, suspension);
  app.user = null;
}

/** The day is that of the reader's time zone and locale. */
export const suspensionSentenceFor = (
  app: App,
  suspension: { until: Instant | null; reason: string },
): string =>
  suspendedSentence(
    suspension,
    suspension.until === null ? "" : formatDay(suspension.until, app.timeZone, app.locale),
  );

// The request of a suspended user. A module apart from suspensions.server.ts, because every request loads it.
import { formatDay } from "~/domain/days";
import { isOpenToSuspended, suspendedSentence } from "~/domain/safety/sanctions";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";

/** Makes the request of a suspended user a visitor's, unless such a user may open `path`. */
export function dropSuspendedUser(app: App, path: string): void {
  const suspension = app.user?.suspension;
  if (!suspension || isOpenToSuspended(path)) return;
  app.suspensionSentence = suspensionSentenceFor(app, suspension);
  app.user = null;
}

/** The sentence of a suspension, with its last day in the reader's time zone and locale. */
export const suspensionSentenceFor = (
  app: App,
  suspension: { until: Instant | null; reason: string },
): string =>
  suspendedSentence(
    suspension,
    suspension.until === null ? "" : formatDay(suspension.until, app.timeZone, app.locale),
  );

// The name of the installation's calendars, which each UID ends with (F-07).
import { findMark, insertMarkOnce } from "#db/queries/upkeep";
import type { CalendarSite } from "~/domain/calendar";
import type { App } from "~/use-cases/app.server";

const MARK = "calendar-name";

/** The statement that reads the name, for a batch. */
export const findSiteName = (app: Pick<App, "db">) => findMark(app.db, MARK);

/**
 * The host at which the first entry was written. It stays when the site moves, because a calendar shows a session with
 * another UID a second time. The last argument is the result of `findSiteName`.
 */
export async function calendarSite(
  app: Pick<App, "db" | "settings">,
  [storedMark]: { mark: string }[],
): Promise<CalendarSite> {
  const { origin } = app.settings;
  if (storedMark) return { origin, name: storedMark.mark };
  await insertMarkOnce(app.db, MARK, new URL(origin).host);
  const [currentMark] = await findSiteName(app);
  return { origin, name: currentMark?.mark ?? new URL(origin).host };
}

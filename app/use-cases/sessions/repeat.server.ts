// Repeating a session (G-01, G-02): the next one, a week later unless another start is given.
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { loadSeriesDates } from "~/use-cases/load-series-dates.server";
import { createSession, type NewSession } from "./create.server";
import { readTemplate } from "./template.server";

/**
 * Repeats a session, as its host, who pays one join as for any new session (B-06). A manual start stays manual, unless
 * `isNextWeek` asks for the weekday and time at which it was started.
 */
export async function repeatSession(
  app: App,
  input: {
    session: number;
    startedAt?: Instant | null | undefined;
    isNextWeek?: boolean | undefined;
    /** The uuid of the new session, so that a repeated submit creates one. */
    uuid?: string | undefined;
  },
): Promise<NewSession> {
  const { row, template } = await readTemplate(app, input.session);
  const original = input.isNextWeek ? { ...row, isManuallyStarted: false } : row;
  const startedAt = input.startedAt ?? (await startOfNext(app, original));
  return createSession(app, {
    ...template,
    ...(input.uuid === undefined ? {} : { uuid: input.uuid }),
    startedAt,
    isManuallyStarted: template.isManuallyStarted && startedAt === null,
  });
}

/** The start of the next session, by the host's clock; null for a manual start. */
export async function startOfNext(
  app: App,
  row: { isManuallyStarted: boolean; startedAt: Instant | null },
): Promise<Instant | null> {
  if (row.isManuallyStarted || row.startedAt === null) return null;
  const { weekAhead } = await loadSeriesDates();
  return weekAhead(row.startedAt, app.user?.timeZone || app.timeZone, app.now);
}

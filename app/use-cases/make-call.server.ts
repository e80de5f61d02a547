// Makes a call for a session: an address that nobody can guess, on the site that the installation names (J-01, J-03).
import { AppError } from "~/domain/errors";
import { allow, requireUser } from "~/domain/permissions";
import type { CallDates } from "~/domain/sessions/call";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { App } from "~/use-cases/app.server";
import { changeCallsOfSeries } from "~/use-cases/series/change.server";
import { newCall } from "~/use-cases/sessions/new-call.server";
import { mayHost, readSession } from "~/use-cases/sessions/read.server";
import { updateSession } from "~/use-cases/sessions/update.server";

/** Makes a call, as the host. A repeat makes another call, whose address replaces the old one. */
export async function makeCall(
  app: App,
  { session, dates = "this" }: { session: number; dates?: CallDates | undefined },
): Promise<{ isFirst: boolean }> {
  requireUser(app.user);
  const row = await readSession(app, { session });
  allow(mayHost(app, row), sessionRefusals.hostMakesCall);
  const base = app.settings.meetingBase;
  if (base === null) throw new AppError("CONFLICT", sessionRefusals.noCalls);
  if (statusAt(row, app.now) === SESSION_STATUS.ended)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  if (dates === "this") await updateSession(app, { session, meetingLink: newCall(base) });
  else await changeCallsOfSeries(app, row, { base, isEach: dates === "each" });
  return { isFirst: row.meetingLink === "" };
}

// Skipped days: rest, illness, travel. They neither break nor extend a streak.
import * as goalDays from "#db/queries/goals/days";
import { type Day, dayAt, plusDays } from "~/domain/days";
import { AppError, invalid } from "~/domain/errors";
import * as goalRefusals from "~/domain/goals/refusals";
import { requireUser } from "~/domain/permissions";
import type { App } from "~/use-cases/app.server";
import { countUse } from "~/use-cases/rate-limits.server";

/** How many days back and ahead can be skipped. */
const MAX_DAYS_BACK = 30;
const MAX_DAYS_AHEAD = 60;

export async function skipDay(
  app: App,
  input: { goal: number; day: Day; isSkipped: boolean },
): Promise<{ day: Day; isSkipped: boolean }> {
  const user = requireUser(app.user);
  await countUse(app, "change-goal", user.id);
  const today = dayAt(app.now, app.timeZone);
  if (input.day < plusDays(today, -MAX_DAYS_BACK) || input.day > plusDays(today, MAX_DAYS_AHEAD))
    throw invalid("day", goalRefusals.skippedTooFar(MAX_DAYS_BACK, MAX_DAYS_AHEAD));
  const [skippedDay] = await goalDays.setDaySkipped(app.db, {
    goalId: input.goal,
    userId: user.id,
    day: input.day,
    isSkipped: input.isSkipped,
  });
  if (!skippedDay) throw new AppError("NOT_FOUND");
  return { day: input.day, isSkipped: input.isSkipped };
}

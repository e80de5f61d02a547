// Standing seats: "Join every time" (G-13). The layout of each session takes and pays the seat.
import { runBatch } from "#db/connect.server";
import * as seriesQueries from "#db/queries/series/series";
import type { SeriesRef } from "#db/queries/series/slugs";
import * as standingQueries from "#db/queries/series/standing";
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import { KEPT_OUT } from "~/domain/safety/sanctions";
import * as seriesRefusals from "~/domain/series/refusals";
import type { App } from "~/use-cases/app.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { requireCode } from "~/use-cases/sessions/join-code.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { seriesNotFound } from "./series.server";

/** Takes a standing seat, which costs nothing by itself. A series with a join code asks for the code. Idempotent. */
export async function takeStandingSeat(
  app: App,
  input: { series: SeriesRef; joinCode?: string | undefined },
): Promise<{ series: number; isStanding: true }> {
  const user = requireUser(app.user);
  await countUse(app, "change-series", user.id);
  const [row] = await seriesQueries.findSeries(app.db, input.series, viewerOf(app));
  if (!row?.isOpen) throw seriesNotFound();
  if (row.ownerId === user.id) throw new AppError("CONFLICT", seriesRefusals.youHost);
  if (row.endedAt !== null) throw new AppError("CONFLICT", seriesRefusals.ended);
  if (row.standingSince === null || row.codeAskedAt !== null) {
    const { joinCode = "" } = row.template;
    await requireCode(app, { id: `series:${row.id}`, joinCode }, input.joinCode);
    const seat = { seriesId: row.id, userId: user.id };
    const [updatedRow] = (
      await runBatch(app.db, [
        row.standingSince === null
          ? standingQueries.takeStandingSeat(
              app.db,
              { ...seat, personId: user.personId, now: app.now, viewer: viewerOf(app) },
              joinCode,
            )
          : standingQueries.recordCodeGiven(app.db, seat, joinCode),
        seriesQueries.findSeries(app.db, row.id, viewerOf(app)),
      ])
    ).at(-1) as seriesQueries.ShownSeriesRow[];
    const hasOtherCode = updatedRow !== undefined && (updatedRow.template.joinCode ?? "") !== joinCode;
    if (!updatedRow || (updatedRow.standingSince === null && !hasOtherCode))
      throw new AppError("FORBIDDEN", KEPT_OUT);
    if (updatedRow.standingSince === null || updatedRow.codeAskedAt !== null)
      throw new AppError("CONFLICT", seriesRefusals.changing);
  }
  return { series: row.id, isStanding: true };
}

/** Gives up a standing seat. Seats in sessions that are laid out stay. Idempotent. */
export async function giveUpStandingSeat(app: App, input: { series: SeriesRef }): Promise<void> {
  const user = requireUser(app.user);
  await countUse(app, "change-series", user.id);
  const [row] = await seriesQueries.findSeries(app.db, input.series, viewerOf(app));
  if (!row || (!row.isOpen && row.standingSince === null)) throw seriesNotFound();
  await standingQueries.deleteStandingSeat(app.db, row.id, user.id);
}

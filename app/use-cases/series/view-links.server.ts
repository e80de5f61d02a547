// The view link of a series, whose stage shows one date after another (J-09, J-10).
import { AppError } from "~/domain/errors";
import { allow } from "~/domain/permissions";
import * as seriesRefusals from "~/domain/series/refusals";
import { isStageHidden } from "~/domain/sessions/stage";
import type { App } from "~/use-cases/app.server";
import { endViewLink, renewViewLink } from "~/use-cases/sessions/view-links.server";
import { readOwnSeries, requireOpen } from "./series.server";
import { hiddenAs } from "./view.server";

/** Like `readOwnSeries`, and FORBIDDEN to a super admin who is not the host. */
async function readHosted(app: App, id: number) {
  const row = await readOwnSeries(app, id);
  allow(row.ownerId === app.user?.id, seriesRefusals.hostOnly);
  return row;
}

/** CONFLICT for a series whose stage everybody may open. */
export async function makeSeriesViewLink(app: App, { series }: { series: number }): Promise<{ url: string }> {
  const row = await readHosted(app, series);
  requireOpen(row);
  if (!isStageHidden(hiddenAs(row))) throw new AppError("CONFLICT", seriesRefusals.everybodySeesStage);
  return renewViewLink(app, { seriesId: series });
}

export async function revokeSeriesViewLink(app: App, { series }: { series: number }): Promise<void> {
  await readHosted(app, series);
  await endViewLink(app, { seriesId: series });
}

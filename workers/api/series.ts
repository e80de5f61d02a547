// Series: each documented call and the use case that answers it.
import { changeSeries } from "~/use-cases/series/change.server";
import { viewSeriesPlace } from "~/use-cases/series/page.server";
import { acceptTurn, inviteOrMoveHost, removeRotaHost } from "~/use-cases/series/rota.server";
import { changeDay, createSeries, endSeries } from "~/use-cases/series/series.server";
import { giveUpStandingSeat, takeStandingSeat } from "~/use-cases/series/standing.server";
import { listMySeries, readView, viewSeries } from "~/use-cases/series/view.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const seriesApi = [
  serve(calls.createSeries, createSeries, (app, _, insertedId) => readView(app, insertedId)),
  serve(calls.listMySeries, listMySeries),
  serve(calls.viewSeriesPlace, viewSeriesPlace),
  serve(calls.viewSeries, viewSeries),
  serve(calls.changeSeries, changeSeries),
  serve(calls.endSeries, endSeries),
  serve(calls.changeSeriesDay, changeDay),
  serve(calls.setRotaHost, inviteOrMoveHost),
  serve(calls.removeRotaHost, removeRotaHost),
  serve(calls.acceptTurn, acceptTurn),
  serve(calls.takeStandingSeat, takeStandingSeat),
  serve(calls.giveUpStandingSeat, giveUpStandingSeat),
];

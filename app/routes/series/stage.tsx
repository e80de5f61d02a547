// The stage of a series: that of its running or next session, at one address for all dates (J-09).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { STAGE_HANDLE } from "~/components/layout/stage-handle";
import { stageMeta } from "~/components/room/stage-meta";
import { StillStage } from "~/components/room/still-stage";
import { SeriesStageInput } from "~/forms/sessions/stage";
import { load } from "~/http/load.server";
import { viewSeriesStage } from "~/use-cases/series/page.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewSeriesStage, { input: SeriesStageInput });
export const meta: MetaFunction<typeof loader> = stageMeta;
export const handle = STAGE_HANDLE;

export default function SeriesStage() {
  const view = useLoaderData<typeof loader>();
  // The page loads the stage's own script, so the browser's bundle leaves the stage out.
  return import.meta.env.SSR ? <StillStage view={view} /> : null;
}

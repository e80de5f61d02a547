// The card of a series, with its running or next session, inside another site (J-11). A frame of another origin may
// show only such pages.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { STAGE_HANDLE } from "~/components/layout/stage-handle";
import { stageMeta } from "~/components/room/stage-meta";
import { SeriesStageInput } from "~/forms/sessions/stage";
import { load } from "~/http/load.server";
import { viewSeriesEmbed } from "~/use-cases/series/page.server";

export { default } from "~/components/sessions/embed-page";

export const loader = (args: LoaderFunctionArgs) => load(args, viewSeriesEmbed, { input: SeriesStageInput });
export const meta: MetaFunction<typeof loader> = stageMeta;
export const handle = STAGE_HANDLE;

// The card of a session inside another site (J-11). A frame of another origin may show only such pages.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { STAGE_HANDLE } from "~/components/layout/stage-handle";
import { stageMeta } from "~/components/room/stage-meta";
import { StageInput } from "~/forms/sessions/stage";
import { load } from "~/http/load.server";
import { viewEmbed } from "~/use-cases/sessions/stage.server";

export { default } from "~/components/sessions/embed-page";

export const loader = (args: LoaderFunctionArgs) => load(args, viewEmbed, { input: StageInput });
export const meta: MetaFunction<typeof loader> = stageMeta;
export const handle = STAGE_HANDLE;

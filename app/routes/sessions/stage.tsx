// The stage of a session, which fills the screen (J-08). It is the same for everybody, with or without a login.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { STAGE_HANDLE } from "~/components/layout/stage-handle";
import { stageMeta } from "~/components/room/stage-meta";
import { StillStage } from "~/components/room/still-stage";
import { StageInput } from "~/forms/sessions/stage";
import { load } from "~/http/load.server";
import { viewStage } from "~/use-cases/sessions/stage.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewStage, { input: StageInput });
export const meta: MetaFunction<typeof loader> = stageMeta;
export const handle = STAGE_HANDLE;

export default function Stage() {
  const view = useLoaderData<typeof loader>();
  // The page loads the stage's own script, so the browser's bundle leaves the stage out.
  return import.meta.env.SSR ? <StillStage view={view} /> : null;
}

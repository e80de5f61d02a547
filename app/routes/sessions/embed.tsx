// The card of a session inside another site (J-11). The only kind of page that a frame of another origin may show.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { STAGE_HANDLE } from "~/components/layout/stage-handle";
import { stageMeta } from "~/components/room/stage-meta";
import { EmbedCard } from "~/components/sessions/embed-card";
import { StageInput } from "~/forms/sessions/stage";
import { load } from "~/http/load.server";
import { viewEmbed } from "~/use-cases/sessions/stage.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewEmbed, { input: StageInput });
export const meta: MetaFunction<typeof loader> = stageMeta;
export const handle = STAGE_HANDLE;
/** Starts, ends and free places come with the page. */
export const headers = () => ({ Refresh: "60" });

export default function Embed() {
  const view = useLoaderData<typeof loader>();
  return import.meta.env.SSR ? <EmbedCard view={view} /> : null;
}

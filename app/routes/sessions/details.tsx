// The tab Details of a session (P-31, U-39).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useOutletContext } from "@remix-run/react";
import { z } from "zod";
import { SessionDetails } from "~/components/sessions/details";
import { sessionMeta } from "~/components/sessions/meta";
import { progressLine } from "~/domain/goals/progress-line";
import type { DetailsView } from "~/domain/sessions/view";
import { load } from "~/http/load.server";
import { viewSession } from "~/use-cases/sessions/views.server";
import type { ActResult } from "~/wire/act";
import { id } from "~/wire/values";

export async function loader(args: LoaderFunctionArgs): Promise<DetailsView> {
  const view = await load(args, viewSession, { input: z.object({ session: id }) });
  const { goals: _, totals: __, recentLogs, ...shown } = view;
  return { ...shown, progress: recentLogs.map(progressLine) };
}

export const meta: MetaFunction = (args) => sessionMeta(args);

export default function Details() {
  const view = useLoaderData<typeof loader>();
  return <SessionDetails view={view} answered={useOutletContext<ActResult | undefined>()} />;
}

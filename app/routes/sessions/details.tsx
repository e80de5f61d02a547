// The tab Details of a session (P-31, U-39).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useOutletContext } from "@remix-run/react";
import { z } from "zod";
import { SessionDetails } from "~/components/sessions/details";
import { sessionMeta } from "~/components/sessions/meta";
import { load } from "~/http/load.server";
import { viewDetails } from "~/use-cases/sessions/views.server";
import type { ActResult } from "~/wire/act";
import { id } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewDetails, { input: z.object({ session: id }) });

export const meta: MetaFunction = (args) => sessionMeta(args);

export default function Details() {
  const view = useLoaderData<typeof loader>();
  return <SessionDetails view={view} posted={useOutletContext<ActResult | undefined>()} />;
}

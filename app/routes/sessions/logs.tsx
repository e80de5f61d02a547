// Goals › Logs of a session (P-34): the logs of all participants, newest first.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { SessionLogs } from "~/components/sessions/member-goals";
import { sessionMeta } from "~/components/sessions/meta";
import { load } from "~/http/load.server";
import { myAction } from "~/routes/my-action.server";
import { viewSessionLogs } from "~/use-cases/sessions/views.server";
import { id, paging } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewSessionLogs, { input: z.object({ session: id, ...paging }) });
export const action = (args: ActionFunctionArgs) => myAction(args);

export const meta: MetaFunction = (args) => sessionMeta(args, "Logs");

export default function Logs() {
  return <SessionLogs view={useLoaderData<typeof loader>()} />;
}

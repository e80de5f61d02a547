// Goals › Logs of a session (P-34): everybody's, newest first.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { SessionLogs } from "~/components/sessions/member-goals";
import { sessionMeta } from "~/components/sessions/session-meta";
import { load } from "~/http/load.server";
import { viewSessionLogs } from "~/use-cases/sessions/views.server";
import { id, paging } from "~/wire/values";
import { myAction } from "./my-action.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewSessionLogs, { input: z.object({ session: id, ...paging }) });
export const action = (args: ActionFunctionArgs) => myAction(args);

export const meta: MetaFunction = (args) => sessionMeta(args, "Logs");

export default function Logs() {
  return <SessionLogs view={useLoaderData<typeof loader>()} />;
}

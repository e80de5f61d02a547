// Goals › My Goals of a session (P-32): the session's goals with the viewer's progress, and attached personal goals.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { MySessionGoals } from "~/components/sessions/goals";
import { sessionMeta } from "~/components/sessions/meta";
import { load } from "~/http/load.server";
import { viewSessionGoals } from "~/use-cases/sessions/views.server";
import { id } from "~/wire/values";
import { sessionGoalsAction } from "./goals-action.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewSessionGoals, { input: z.object({ session: id }) });
export const action = (args: ActionFunctionArgs) => sessionGoalsAction(args);

export const meta: MetaFunction = (args) => sessionMeta(args, "Goals");

export default function SessionGoals() {
  return <MySessionGoals view={useLoaderData<typeof loader>()} />;
}

// The page that logs by one press: a goal, its buttons and Undo (W-03). It has no scripts, so that a shortcut or a tag
// opens it at once.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { z } from "zod";
import { LogScreen } from "~/components/goals/log-screen";
import { pageMeta } from "~/components/layout/page-meta";
import { load } from "~/http/load.server";
import { myAction } from "~/routes/my-action.server";
import { viewGoal } from "~/use-cases/my.server";
import { id } from "~/wire/values";

export const handle = { isPlain: true };
export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewGoal, { input: z.object({ goal: id }), whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) => myAction(args);
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data ? `Log: ${args.data.goal.title}` : "Log",
    description: "One press logs your progress.",
  });

export default function LogPage() {
  const data = useLoaderData<typeof loader>();
  useEffect(() => location.reload(), []);
  // A browser that came by the router loads the document, which has no scripts.
  return import.meta.env.SSR ? <LogScreen data={data} /> : null;
}

// The page of a goal, which only its owner sees (P-15, U-23).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { GoalDetails } from "~/components/goals/details";
import { MyClock } from "~/components/layout/my-clock";
import { pageMeta } from "~/components/layout/page-meta";
import { load } from "~/http/load.server";
import { myAction } from "~/routes/my-action.server";
import { viewGoal } from "~/use-cases/my.server";
import { id } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewGoal, { input: z.object({ goal: id }), whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) => myAction(args);
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data ? `Goal: ${args.data.goal.title}` : "Goal",
    description: "The progress of this goal, its timer, its checklist and its latest logs.",
  });

export default function MyGoal() {
  const data = useLoaderData<typeof loader>();
  return (
    <MyClock>
      <GoalDetails data={data} />
    </MyClock>
  );
}

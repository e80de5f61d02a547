// The logs of a goal, newest first (P-16).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { GoalFrame } from "~/components/goals/frame";
import { LogByHand } from "~/components/goals/log-forms";
import { LogList } from "~/components/goals/log-list";
import { MyClock } from "~/components/layout/my-clock";
import { pageMeta } from "~/components/layout/page-meta";
import { PagedList } from "~/components/lists/paged-list";
import { load } from "~/http/load.server";
import { myAction } from "~/routes/my-action.server";
import { viewGoalLogs } from "~/use-cases/my.server";
import { id, paging } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewGoalLogs, { input: z.object({ goal: id, ...paging }), whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) => myAction(args);
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.goal ? `Logs · Goal: ${args.data.goal.goal.title}` : "Logs",
    description: "All logs of this goal, newest first.",
  });

export default function MyGoalLogs() {
  const data = useLoaderData<typeof loader>();
  if (!data.goal) return null;
  const { goal, username } = data.goal;
  return (
    <MyClock>
      <GoalFrame goal={goal}>
        <LogByHand goal={goal} today={data.today} newUuid={data.newUuid} />
        <PagedList
          list={data}
          drawing="path"
          empty={{ text: <p>You don't have any active progress for this goal...</p> }}
        >
          {(logs) => (
            <LogList logs={logs} canControl={(log) => goal.sessionId === null || log.username === username} />
          )}
        </PagedList>
      </GoalFrame>
    </MyClock>
  );
}

// The notes of a goal, newest first (P-17).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { GoalFrame } from "~/components/goals/frame";
import { NoteBoard, NoteToggle } from "~/components/goals/note-board";
import { pageMeta } from "~/components/layout/page-meta";
import { load } from "~/http/load.server";
import { myAction } from "~/routes/my-action.server";
import { viewGoalNotes } from "~/use-cases/my.server";
import { id, page } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewGoalNotes, { input: z.object({ goal: id, page }), whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) => myAction(args);
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.goal ? `Notes · Goal: ${args.data.goal.goal.title}` : "Notes",
    description: "What is planned, still to do and done for this goal.",
  });

export default function MyGoalNotes() {
  const data = useLoaderData<typeof loader>();
  if (!data.goal) return null;
  return (
    <GoalFrame goal={data.goal.goal} actions={<NoteToggle list={data} />}>
      <NoteBoard list={data} goalId={data.goal.goal.id} />
    </GoalFrame>
  );
}

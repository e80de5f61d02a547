// The viewer's notes, newest first (P-21, U-20 to U-22).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { exampleNote } from "~/components/goals/examples";
import { NoteBoard, NoteToggle } from "~/components/goals/note-board";
import { NoteCard } from "~/components/goals/note-card";
import { MyPage } from "~/components/layout/my-page";
import { pageMeta } from "~/components/layout/page-meta";
import { SignInWarning } from "~/components/layout/sign-in-warning";
import { instant } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { myAction } from "~/routes/my-action.server";
import { viewMyNotes } from "~/use-cases/my.server";
import { paging, search } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewMyNotes, { input: z.object({ ...paging, q: search }) });
export const action = (args: ActionFunctionArgs) => myAction(args);
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "My Notes", description: "What you plan, what is still to do and what is done." });

export default function MyNotes() {
  const data = useLoaderData<typeof loader>();
  const { now } = useShell();
  return (
    <MyPage
      title="My Notes"
      actions={<NoteToggle list={data} />}
      visitor={
        <>
          <SignInWarning>Please sign in to write notes. This is how one looks:</SignInWarning>
          <ul aria-label="Example note">
            <NoteCard note={exampleNote(instant(now))} canEdit={false} />
          </ul>
        </>
      }
    >
      <NoteBoard list={data} isSearchable />
    </MyPage>
  );
}

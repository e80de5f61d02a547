// The viewer's notes, newest first (P-21, U-20 to U-22).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { exampleNote } from "~/components/my/examples";
import { MyTabs } from "~/components/my/my-tabs";
import { SignInWarning } from "~/components/my/sign-in-warning";
import { NoteBoard, NoteToggle } from "~/components/notes/note-board";
import { NoteCard } from "~/components/notes/note-card";
import { instant } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { viewMyNotes } from "~/use-cases/my.server";
import { paging } from "~/wire/values";
import { myAction } from "./my-action.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewMyNotes, { input: z.object(paging) });
export const action = (args: ActionFunctionArgs) => myAction(args);
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "My Notes", description: "What you plan, what is still to do and what is done." });

export default function MyNotes() {
  const data = useLoaderData<typeof loader>();
  const { viewer, now } = useShell();
  return (
    <Page title="My Notes" tabs={<MyTabs />} actions={viewer && <NoteToggle list={data} />}>
      {viewer ? (
        <NoteBoard list={data} />
      ) : (
        <>
          <SignInWarning>Please sign in to write notes. This is how one looks:</SignInWarning>
          <ul aria-label="Example note">
            <NoteCard note={exampleNote(instant(now))} canEdit={false} />
          </ul>
        </>
      )}
    </Page>
  );
}

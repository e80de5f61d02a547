// The tab Forum of a session, the Hut forum (P-35).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Forum } from "~/components/sessions/forum";
import { sessionMeta } from "~/components/sessions/meta";
import { Notice } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { GUEST_REFUSED } from "~/domain/room/guest-names";
import { PostChoice, PostEditInput, SessionPostInput } from "~/forms/sessions/posts";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { viewSessionForum } from "~/use-cases/sessions/forum-page.server";
import { createPost, editPost, removePost } from "~/use-cases/sessions/posts.server";
import { forumPaging, id } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewSessionForum, { input: z.object({ session: id, ...forumPaging }) });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      post: on(SessionPostInput, createPost, { resumedToast: "Your post is in the forum." }),
      "post.edit": on(PostEditInput, editPost),
      "post.remove": on(PostChoice, removePost, { toast: "The post was removed." }),
    },
    MAX_BYTES_WITH_TEXTS,
  );

export const meta: MetaFunction = (args) => sessionMeta(args, "Forum");

export default function SessionForum() {
  const view = useLoaderData<typeof loader>();
  const { session, me } = view;
  if (!me.mayRead) return <Notice>The forum is for the participants of this session.</Notice>;
  return (
    <>
      {!me.mayPost && me.mute === null && (
        <Notice className="max-w-3xl">
          {me.isGuest
            ? GUEST_REFUSED
            : me.isSignedIn
              ? "Join the session to write here."
              : "Please sign in to use that feature."}
        </Notice>
      )}
      <Forum posts={view.posts} mayPost={me.mayPost} action={`${session.path}/hut`} />
      <Pagination page={view.page} hasNext={view.hasNext} after={view.after} />
    </>
  );
}

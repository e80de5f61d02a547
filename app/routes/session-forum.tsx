// The tab Forum of a session, the Hut forum (P-35).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Forum } from "~/components/sessions/forum";
import { sessionMeta } from "~/components/sessions/session-meta";
import { Notice } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { createPost } from "~/use-cases/posts.server";
import { viewSessionForum } from "~/use-cases/session-views.server";
import { id, page } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewSessionForum, { input: z.object({ session: id, page: page.default(1) }) });

const Post = z.object({
  session: id,
  uuid: z.string().max(100).optional(),
  title: z.string().max(200, "Please keep the title under 200 characters.").optional(),
  content: z.string("Please write something."),
  parentId: id.optional(),
});

/** Without JavaScript the answer leads back to the forum; with it the form stays and empties itself. */
export const action = async (args: ActionFunctionArgs) => {
  const stays = (await args.request.clone().formData()).get("stay") === "1";
  return act(args, {
    post: on(Post, createPost, stays ? {} : { then: () => `/sessions/${args.params.session}/hut` }),
  });
};

export const meta: MetaFunction = (args) => sessionMeta(args, "Forum");

export default function SessionForum() {
  const view = useLoaderData<typeof loader>();
  const { session, me } = view;
  if (!me.mayRead) return <Notice>The forum is for the participants of this session.</Notice>;
  return (
    <>
      {!me.mayPost && (
        <Notice className="max-w-3xl">
          {me.isSignedIn ? "Join the session to write here." : "Please sign in to use that feature."}
        </Notice>
      )}
      <Forum posts={view.posts} mayPost={me.mayPost} action={`${session.path}/hut`} />
      <Pagination page={view.page} hasNext={view.hasNext} />
    </>
  );
}

// The forum of a hut: everybody reads, members write.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { HutTabs } from "~/components/huts/tabs";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Forum } from "~/components/sessions/forum";
import { Notice } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { oneLine } from "~/domain/text-fields";
import { HutPostInput, PostChoice, PostEditInput } from "~/forms/sessions/posts";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { createPost, editPost, removePost, viewHutForum } from "~/use-cases/sessions/posts.server";
import { forumPaging } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewHutForum, { input: z.object({ hut: oneLine(), ...forumPaging }) });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      post: on(HutPostInput, createPost, { resumedToast: "Your post is in the forum." }),
      "post.edit": on(PostEditInput, editPost),
      "post.remove": on(PostChoice, removePost, { toast: "The post was removed." }),
    },
    MAX_BYTES_WITH_TEXTS,
  );

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: `Forum of h/${args.data?.hut.title ?? ""}`,
    description: `What the people of ${args.data?.hut.title ?? "this hut"} ask, answer and tell each other.`,
  });

export default function HutForum() {
  const view = useLoaderData<typeof loader>();
  const path = `/group/${view.hut.slug}`;
  return (
    <Page
      title={`h/${view.hut.title}`}
      breadcrumbs={[
        { label: "Home", to: "/" },
        { label: "Huts", to: "/groups" },
        { label: view.hut.title, to: path },
        { label: "Forum" },
      ]}
      tabs={<HutTabs path={path} canModerate={view.canModerate} />}
    >
      {view.refusal !== null ? (
        <Notice tone="warning" title={view.refusal} className="max-w-3xl">
          You can still read here. Only the people who keep this hut can change that.
        </Notice>
      ) : (
        !view.mayPost && <Notice className="max-w-3xl">Join the hut to write here.</Notice>
      )}
      <Forum posts={view.posts} mayPost={view.mayPost} action={`${path}/forum`} />
      <Pagination page={view.page} hasNext={view.hasNext} after={view.after} />
    </Page>
  );
}

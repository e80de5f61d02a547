// A forum of a session or a hut: posts with replies, folded beyond 300 px (U-46), and a form that works without
// JavaScript.
import { Link, useSearchParams } from "@remix-run/react";
import { useId, useState } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Icon } from "~/components/pictures/icon";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { FoldedProse } from "~/components/ui/prose";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { cursorAt } from "~/domain/list-pages";
import { POST_REMOVED } from "~/domain/sessions/posts";
import type { ShownPost } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useNewUuid } from "~/hooks/form/use-new-uuid";
import { useShell } from "~/hooks/use-shell";
import { PostMenu } from "./post-menu";

/** In the thread of a series: the session of the post, and whether the viewer may answer there (H-12). */
type ForumPost = ShownPost & { session?: { path: string; startedAt: number | null }; mayReply?: boolean };
export type ForumProps = {
  posts: readonly ForumPost[];
  mayPost: boolean;
  /** The action of its forms: the page itself. */
  action: string;
};

export function Forum({ posts, mayPost, action }: ForumProps) {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      {mayPost && <PostForm action={action} />}
      {posts.length === 0 ? (
        <EmptyState drawing="kettle">Nobody has posted here yet.{mayPost && " Be the first."}</EmptyState>
      ) : (
        <ol className="flex flex-col gap-4">
          {posts.map((post) => (
            <li key={post.id} id={`post-${post.id}`}>
              <Thread post={post} mayPost={post.mayReply ?? mayPost} action={action} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Thread({ post, mayPost, action }: { post: ForumPost; mayPost: boolean; action: string }) {
  const { session } = post;
  const [params] = useSearchParams();
  // The address of the page that begins with this thread.
  const cursor = cursorAt(post.id);
  const atTop = `?after=${cursor}`;
  const isEarlier = params.has("earlier") && params.get("after") === cursor;
  return (
    <Card as="article" className="flex flex-col gap-3">
      {session && (
        <p className="text-sm text-soft">
          Session{" "}
          <TextLink to={session.path}>
            {session.startedAt === null ? "without a start" : <Time at={session.startedAt} look="auto" />}
          </TextLink>
        </p>
      )}
      <Post post={post} action={action} />
      {(post.earlierReplies !== null || isEarlier) && (
        <p className="flex flex-wrap gap-x-6">
          {post.earlierReplies !== null && (
            <TextLink to={`${atTop}&earlier=${post.earlierReplies}#post-${post.id}`}>
              Earlier answers
            </TextLink>
          )}
          {isEarlier && <TextLink to={`${atTop}#post-${post.id}`}>Newest answers</TextLink>}
        </p>
      )}
      {post.replies.length > 0 && (
        <ol aria-label="Answers" className="flex flex-col gap-4 border-s-2 border-line ps-4">
          {post.replies.map((reply) => (
            <li key={reply.id} id={`post-${reply.id}`} className="flex flex-col gap-2">
              <Post post={reply} action={action} />
            </li>
          ))}
        </ol>
      )}
      {mayPost && !post.isRemoved && (
        <details>
          <summary className="inline-flex min-h-11 items-center gap-2 rounded-sm font-semibold text-ember">
            <Icon name="message" />
            Reply
          </summary>
          <PostForm action={action} parent={post} />
        </details>
      )}
    </Card>
  );
}

/** A post or a reply: author, time, tools, and its text or edit form. */
function Post({ post, action }: { post: ShownPost; action: string }) {
  const editedId = useSearchParams()[0].get("edit");
  const { viewer } = useShell();
  const [isEditing, setEditing] = useState(post.mayEdit && editedId === String(post.id));
  if (post.isRemoved) return <p className="py-2 text-soft">{POST_REMOVED}</p>;
  return (
    <>
      <div className="flex items-center gap-2">
        <Avatar name={post.username} size={32} />
        <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <TextLink to={`/${post.username}`} className="font-semibold no-underline hover:underline">
            {post.username}
          </TextLink>
          <span className="text-sm text-soft">
            <Time at={post.createdAt} show="relative" />
            {post.editedAt !== null && " · edited"}
          </span>
        </p>
        {(post.mayEdit || post.mayRemove || viewer) && (
          <PostMenu post={post} onEdit={() => setEditing(true)} />
        )}
      </div>
      {isEditing ? (
        <PostEditForm post={post} action={action} onClose={() => setEditing(false)} />
      ) : (
        <>
          {post.title && <h3 className="text-lg">{post.title}</h3>}
          <PostText post={post} />
        </>
      )}
    </>
  );
}

const PostText = ({ post }: { post: ShownPost }) => <FoldedProse html={post.contentHtml} />;

function PostEditForm({ post, action, onClose }: { post: ShownPost; action: string; onClose: () => void }) {
  const form = useActionForm({
    intent: "post.edit",
    action,
    hiddenFields: { post: post.id },
    draft: `post edit ${post.id}`,
    takesFocus: true,
    onDone: onClose,
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-3" aria-label="Edit post">
      {post.parentId === null && (
        <TextRow {...form.field("title", post.title)} label="Title (optional)" maxLength={200} />
      )}
      <RichTextField
        {...form.field("content", post.content)}
        label="Post"
        rows={4}
        isRequired
        saved={post.content}
        isDrafted
        imageOwner="post"
      />
      <FormErrors form={form} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          Save post
        </Button>
        <Button asChild>
          <Link
            to={action}
            preventScrollReset
            onClick={(event) => {
              event.preventDefault();
              onClose();
            }}
          >
            Cancel
          </Link>
        </Button>
      </div>
    </ActionForm>
  );
}

function PostForm({ action, parent }: { action: string; parent?: ShownPost }) {
  const id = useId();
  const [uuid, renew] = useNewUuid();
  const form = useActionForm({
    intent: "post",
    action,
    hiddenFields: { parentId: parent?.id ?? "" },
    uuid,
    draft: `post ${action} ${parent?.id ?? ""}`,
    clearsWhenDone: true,
    onDone: () => {
      renew();
      form.element.current?.closest("details")?.removeAttribute("open");
    },
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-3" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={parent ? "sr-only" : "text-lg"}>
        {parent ? `Reply to ${parent.username}` : "New post"}
      </h2>
      {!parent && <TextRow {...form.field("title")} label="Title (optional)" maxLength={200} />}
      <RichTextField
        {...form.field("content")}
        label={parent ? "Your answer" : "Post"}
        rows={parent ? 2 : 4}
        isRequired
        loadsOnFocus
        saved=""
        isDrafted
        imageOwner="post"
      />
      <SubmitRow form={form} variant={parent ? "quiet" : "primary"}>
        {parent ? "Reply" : "Post"}
      </SubmitRow>
    </ActionForm>
  );
}

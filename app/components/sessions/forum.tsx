// A forum: posts with answers, folded beyond 300 px (U-46), written in a form that works as a plain post too. Of a
// session or of a hut: whose it is, the page that shows it knows.
import { useActionData, useFetcher } from "@remix-run/react";
import { useEffect, useId, useRef, useState } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { Icon } from "~/components/pictures/icon";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { ReadMore } from "~/components/ui/read-more";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { toast } from "~/components/ui/toasts";
import type { ShownPost } from "~/domain/session-view";
import { useTokenRetry } from "~/hooks/use-token-retry";
import type { ActResult } from "~/wire/act";

export type ForumProps = {
  posts: readonly ShownPost[];
  mayPost: boolean;
  /** Where its forms post to: the page itself. */
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
              <Post post={post} mayPost={mayPost} action={action} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Post({ post, mayPost, action }: { post: ShownPost; mayPost: boolean; action: string }) {
  return (
    <Card as="article" className="flex flex-col gap-3">
      <PostHead post={post} />
      {post.title && <h3 className="text-lg">{post.title}</h3>}
      <PostText post={post} />
      {post.replies.length > 0 && (
        <ol aria-label="Answers" className="flex flex-col gap-4 border-s-2 border-line ps-4">
          {post.replies.map((reply) => (
            <li key={reply.id} id={`post-${reply.id}`} className="flex flex-col gap-2">
              <PostHead post={reply} />
              <PostText post={reply} />
            </li>
          ))}
        </ol>
      )}
      {mayPost && (
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

const PostHead = ({ post }: { post: ShownPost }) => (
  <p className="flex items-center gap-2">
    <Avatar name={post.username} size={32} />
    <TextLink to={`/${post.username}`} className="font-semibold no-underline hover:underline">
      {post.username}
    </TextLink>
    <span className="text-sm text-soft">
      <Time at={post.createdAt} show="relative" />
    </span>
  </p>
);

const PostText = ({ post }: { post: ShownPost }) => (
  <ReadMore>
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised when it was written. */}
    <div className="prose" dangerouslySetInnerHTML={{ __html: post.contentHtml }} />
  </ReadMore>
);

function PostForm({ action, parent }: { action: string; parent?: ShownPost }) {
  const fetcher = useFetcher<ActResult>();
  const answered = useActionData<ActResult>();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  // Made once for each post: sending it twice makes one.
  const [uuid, setUuid] = useState("");
  useEffect(() => setUuid(crypto.randomUUID()), []);
  const typed =
    answered && !answered.ok && answered.intent === "post"
      ? (answered.form.initialValue as Record<string, string> | undefined)
      : undefined;
  const isMine = (typed?.parentId ?? "") === String(parent?.id ?? "");
  const result = fetcher.data ?? (isMine ? answered : undefined);
  const failed = result && !result.ok ? result : null;

  const takeAnswer = useTokenRetry(form, (again) => again.requestSubmit());
  const told = useRef<ActResult | undefined>(undefined);
  useEffect(() => {
    const { data } = fetcher;
    if (fetcher.state !== "idle" || !data || told.current === data) return;
    told.current = data;
    if (takeAnswer(data)) return;
    if (data.ok) {
      form.current?.reset();
      setUuid(crypto.randomUUID());
      form.current?.closest("details")?.removeAttribute("open");
      if (data.toast) toast.success(data.toast);
    }
  }, [fetcher, takeAnswer]);

  const errorsOf = (name: string) => failed?.form.error?.[name] ?? undefined;
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={action}
      className="flex flex-col gap-3"
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => {
        if (fetcher.state !== "idle") event.preventDefault();
      }}
    >
      <h2 id={`${id}-title`} className={parent ? "sr-only" : "text-lg"}>
        {parent ? `Reply to ${parent.username}` : "New post"}
      </h2>
      <input type="hidden" name="intent" value="post" />
      {uuid && (
        <>
          <input type="hidden" name="uuid" value={uuid} />
          <input type="hidden" name="stay" value="1" />
        </>
      )}
      {parent ? (
        <input type="hidden" name="parentId" value={parent.id} />
      ) : (
        <Field label="Title (optional)" error={errorsOf("title")}>
          <TextInput
            name="title"
            maxLength={200}
            defaultValue={isMine ? typed?.title : ""}
            autoComplete="off"
          />
        </Field>
      )}
      <RichTextField
        name="content"
        label={parent ? "Your answer" : "Post"}
        rows={parent ? 2 : 4}
        isRequired
        loadsOnFocus
        defaultValue={(isMine && typed?.content) || ""}
        saved=""
        error={errorsOf("content")}
        draftKey={`post ${action} ${parent?.id ?? ""}`}
        about="post"
      />
      {failed && !failed.form.error?.content && !failed.form.error?.title && (
        <Notice tone="error" isLive>
          {failed.message}
        </Notice>
      )}
      <Button
        type="submit"
        variant={parent ? "quiet" : "primary"}
        className="self-start"
        isLoading={fetcher.state !== "idle"}
      >
        {parent ? "Reply" : "Post"}
      </Button>
    </fetcher.Form>
  );
}

// The chat of a running session (U-45): the viewer's messages appear at once, pale until confirmed, with Retry if failed.
// It keeps the scroll position; without JavaScript it is a form and a list.

import { Form } from "@remix-run/react";
import clsx from "clsx";
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react";
import { MadeFor } from "~/components/form/made-for";
import { Icon } from "~/components/pictures/icon";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import type { ErrorCode } from "~/domain/errors";
import { CHAT_LENGTH, LINE_REMOVED } from "~/domain/room/chat";
import { restsSentence } from "~/domain/room/focus";
import { nameAmong } from "~/domain/room/guest-names";
import { isEnter } from "~/hooks/form/enter-key";
import { useDraft } from "~/hooks/form/use-draft";
import type { ChatLine } from "~/hooks/room/client";
import { useRemovals } from "~/hooks/sessions/removals";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";
import { LineText } from "./line-text";
import { useLive } from "./live-context";
import { useFocus } from "./own-focus";
import { PlainLineTools } from "./plain-line-tools";

const LineDialog = lazy(async () => ({ default: (await import("./tools")).LineDialog }));

const NEAR_BOTTOM_PX = 48;

export type ChatBoxProps = {
  /** The form's action without JavaScript. */
  action: string;
  sessionId: number;
  me: string | null;
  /** The viewer is the host or an admin, and may remove the lines of others. */
  canRun: boolean;
  /** The viewer is the host, and may remove people. */
  canHost: boolean;
  /** The viewer has a seat and no mute, and the session is in progress. */
  mayWrite: boolean;
  /** A link to earlier lines, above the first line. */
  earlier?: ReactNode;
  /** Lines older than those that the room sent, oldest first. */
  older?: readonly ChatLine[];
  /** The text of a refused post. */
  typedText?: string;
  refusedPost?: RefusedPost | null;
};
type RefusedPost = { code: ErrorCode; message: string };

export function ChatBox(props: ChatBoxProps) {
  const {
    action,
    sessionId,
    me,
    canRun,
    canHost,
    mayWrite,
    earlier,
    older = [],
    typedText,
    refusedPost,
  } = props;
  const messages = useLive("messages");
  const typingNames = useLive("typing");
  const people = useLive("room").participants;
  const client = useLive("client");
  const logElement = useRef<HTMLDivElement>(null);
  const isAtBottom = useRef(true);
  const lastScrollHeight = useRef(0);
  const [hasNew, setNew] = useState(false);
  const [openLine, setOpenLine] = useState<ChatLine | null>(null);
  const isRemoved = useRemovals(sessionId);
  const lines = (older.length > 0 ? [...older, ...messages] : messages).filter(
    ({ username }) => !isRemoved(username),
  );
  const firstKey = lines[0]?.key;
  const lastLine = lines.at(-1);
  // A person whose line has just arrived is not typing any more.
  const typing = typingNames
    .filter((name) => name !== lastLine?.username)
    .map((name) => nameAmong(people, name));

  const scrollToBottom = () => {
    const element = logElement.current;
    if (element) element.scrollTop = element.scrollHeight;
    setNew(false);
  };

  useBrowserLayoutEffect(() => {
    if (isAtBottom.current || lastLine?.username === me) scrollToBottom();
    else setNew(true);
  }, [lastLine?.key]);

  // Lines added above do not move the scroll position.
  useBrowserLayoutEffect(() => {
    const element = logElement.current;
    if (!element) return;
    if (lastScrollHeight.current > 0 && !isAtBottom.current)
      element.scrollTop += element.scrollHeight - lastScrollHeight.current;
    lastScrollHeight.current = element.scrollHeight;
  }, [firstKey]);

  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <div className="relative flex min-h-[200px] flex-1 flex-col">
        <div
          ref={logElement}
          role="log"
          aria-label="Chat"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari gives the keyboard no focus in a scrolling box.
          tabIndex={0}
          className="chat-log"
          onScroll={(event) => {
            const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
            isAtBottom.current = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM_PX;
            lastScrollHeight.current = scrollHeight;
            if (isAtBottom.current) setNew(false);
          }}
        >
          {earlier}
          {lines.length === 0 ? (
            <p className="text-soft">Nobody has said anything yet. Say hello!</p>
          ) : (
            <ol className="flex flex-col gap-2">
              {lines.map((line, index) => (
                <Line
                  key={line.key}
                  line={line}
                  isSameAuthor={lines[index - 1]?.username === line.username}
                  onRetry={() => client?.retry(line.key)}
                  onMore={hasTools(line, me) ? () => setOpenLine(line) : undefined}
                  action={action}
                  sessionId={sessionId}
                  isMine={line.username === me}
                  mayRemove={canRun || line.username === me}
                />
              ))}
            </ol>
          )}
        </div>
        {hasNew && (
          <Button className="absolute end-3 bottom-2 shadow-float" onClick={scrollToBottom}>
            <Icon name="arrow-down" />
            New messages
          </Button>
        )}
      </div>
      {openLine && (
        <Suspense>
          <LineDialog
            line={openLine}
            sessionId={sessionId}
            isMine={openLine.username === me}
            mayRemove={canRun || openLine.username === me}
            canHost={canHost}
            onClose={() => setOpenLine(null)}
          />
        </Suspense>
      )}
      {mayWrite && (
        <ChatForm
          action={action}
          sessionId={sessionId}
          canRun={canRun}
          typedText={typedText}
          refusedPost={refusedPost}
        />
      )}
      <p className="h-5 truncate text-sm text-soft" aria-live="off">
        {typing.length > 0 && typingSentence(typing)}
      </p>
    </div>
  );
}

export const typingSentence = (names: readonly string[]): string => {
  const [first = "", second = ""] = names;
  if (names.length === 1) return `${first} is typing…`;
  if (names.length === 2) return `${first} and ${second} are typing…`;
  return `${first} and ${names.length - 1} others are typing…`;
};

const hasTools = (line: ChatLine, me: string | null): boolean =>
  line.seq !== null && !line.isRemoved && me !== null;

type LineProps = {
  line: ChatLine;
  sessionId: number;
  isSameAuthor: boolean;
  isMine: boolean;
  mayRemove: boolean;
  action: string;
  onRetry: () => void;
  /** Opens the menu of the line. */
  onMore: (() => void) | undefined;
};

function Line({ line, sessionId, isSameAuthor, isMine, mayRemove, action, onRetry, onMore }: LineProps) {
  const name = nameAmong(useLive("room").participants, line.username);
  return (
    <li className={clsx("group flex gap-2", line.state === "pending" && "opacity-60")}>
      <span className="w-[28px] shrink-0">{!isSameAuthor && <Avatar name={line.username} size={28} />}</span>
      <div className="min-w-0 flex-1">
        <p className={clsx("flex items-baseline gap-2", isSameAuthor && "sr-only")}>
          <strong className="truncate">{name}</strong>
          <span className="text-sm text-faint">
            <Time at={line.createdAt} look="auto" />
          </span>
        </p>
        <div
          dir={line.isRemoved ? undefined : "auto"}
          className={clsx("break-words whitespace-pre-wrap", line.isRemoved && "text-soft")}
        >
          {line.isRemoved ? LINE_REMOVED : <LineText text={line.content} />}
          {line.isEdited && <span className="text-sm text-faint"> · edited</span>}
        </div>
        {/* Browsers that run this code never show these tools, so only the server's build has them. */}
        {onMore &&
          (import.meta.env.SSR ? (
            <PlainLineTools
              line={line}
              sessionId={sessionId}
              isMine={isMine}
              mayRemove={mayRemove}
              action={action}
            />
          ) : (
            <noscript />
          ))}
        {line.state === "pending" && <span className="sr-only">on its way</span>}
        {line.state === "failed" && (
          <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-red">
            {line.problem || "This message was not sent."}
            <Button variant="ghost" onClick={onRetry}>
              Retry
            </Button>
          </p>
        )}
      </div>
      {onMore && (
        <Button
          variant="ghost"
          size="icon"
          className="needs-script line-tool"
          aria-label={`More for the line of ${name}`}
          aria-haspopup="dialog"
          onClick={onMore}
        >
          <Icon name="more" />
        </Button>
      )}
    </li>
  );
}

function ChatForm({
  action,
  sessionId,
  canRun,
  typedText = "",
  refusedPost = null,
}: {
  action: string;
  sessionId: number;
  canRun: boolean;
  typedText?: string | undefined;
  refusedPost?: RefusedPost | null | undefined;
}) {
  const client = useLive("client");
  const id = useId();
  const [text, setText] = useState(typedText);
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft<string>({
    name: `chat ${sessionId}`,
    element: field,
    read: () => field.current?.value ?? "",
    isSaved: (stored) => stored.trim() === "",
  });
  const unsent = draft.stored?.typed;
  // The draft of a single field is restored without asking.
  useEffect(() => {
    if (unsent !== undefined) setText((current) => current || unsent);
  }, [unsent]);
  const focus = useFocus(!canRun);
  const restText = focus && restsSentence(focus);
  // The notice of a resting chat already gives this reason, and disappears when the part ends.
  const [wasResting] = useState(focus !== null);
  const refusal = wasResting && refusedPost?.code === "CONFLICT" ? null : refusedPost?.message;
  // Before the room's chunk has loaded, nothing would reopen a disabled form, so it stays usable and posts.
  const isResting = client !== null && focus !== null;
  const send = () => {
    const content = text.trim();
    if (!client || isResting || content === "") return;
    client.sendMessage(content);
    setText("");
    draft.forget();
  };
  const form = (
    <Form
      method="post"
      action={action}
      preventScrollReset
      className="flex items-end gap-2"
      onSubmit={(event) => {
        if (!client) return;
        event.preventDefault();
        send();
      }}
    >
      <input type="hidden" name="intent" value="say" />
      <MadeFor />
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="sr-only">
          Message
        </label>
        <textarea
          dir="auto"
          ref={field}
          id={id}
          name="content"
          rows={1}
          required
          maxLength={CHAT_LENGTH}
          placeholder="Message"
          className={clsx("control block min-h-11!", isResting && "opacity-60")}
          value={text}
          readOnly={isResting}
          aria-describedby={clsx(refusal && `${id}-error`, focus && `${id}-rests`) || undefined}
          aria-invalid={refusal ? true : undefined}
          onFocus={() => client?.sendWriting()}
          onChange={(event) => {
            setText(event.target.value);
            draft.keep();
            if (event.target.value !== "") client?.sendTyping();
          }}
          onKeyDown={(event) => {
            // Enter sends, Shift+Enter inserts a line break.
            if (!isEnter(event) || event.shiftKey) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        {refusal && (
          <p id={`${id}-error`} className="text-sm text-red">
            {refusal}
          </p>
        )}
      </div>
      <Button
        type="submit"
        size="icon"
        aria-label="Send"
        aria-disabled={isResting || undefined}
        className={clsx(isResting && "opacity-45")}
      >
        <Icon name="send" />
      </Button>
    </Form>
  );
  return (
    <>
      {focus && (
        <div id={`${id}-rests`}>
          <Notice isLive title={restText}>
            It opens again at <Time at={focus.endsAt} look="time" />.
          </Notice>
        </div>
      )}
      {form}
    </>
  );
}

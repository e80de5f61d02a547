// The tab Chat (U-45): people write while the session runs, and read afterwards (R-16, M-31).
import { Link, useFetcher } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { ChatBox } from "~/components/room/chat-box";
import { useLive } from "~/components/room/live-context";
import { useOwnMute } from "~/components/room/own-mute";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { SessionChatView } from "~/domain/sessions/view";
import { useAnswer } from "~/hooks/answers";
import type { ActResult } from "~/wire/act";
import { hasMissingLine, type LoadedLines, linesBefore, newestLines, olderLines } from "./chat-lines";
import { useStatus } from "./page";
import { SlowModeForm } from "./slow-mode-form";

export function SessionChat({ view, posted }: { view: SessionChatView; posted: ActResult | undefined }) {
  const { session, me } = view;
  const messages = useLive("messages");
  const linesFrom = useLive("linesFrom");
  const changes = useLive("changes");
  const room = useLive("room");
  const status = useStatus();
  const muteSentence = useOwnMute(me.username);
  const { messages: newest, before } = view;
  const [loaded, setLoaded] = useState<readonly LoadedLines[]>(() => [
    newestLines({ messages: newest, before }),
  ]);
  const adjoining = useMemo(() => linesBefore(loaded, linesFrom), [loaded, linesFrom]);
  const beforeSeq = adjoining.before;
  const askedSeq = useRef(0);
  const earlierPage = useFetcher<SessionChatView>();

  useEffect(() => {
    const lines = newestLines({ messages: newest, before });
    setLoaded((known) =>
      hasMissingLine(
        known.flatMap((page) => page.messages),
        newest,
      )
        ? [lines]
        : [...known, lines],
    );
  }, [newest, before]);
  useAnswer(earlierPage.state === "idle" ? earlierPage.data : undefined, (page) =>
    setLoaded((known) => [
      ...known,
      { messages: page.messages, before: page.before, until: askedSeq.current },
    ]),
  );

  const older = useMemo(
    () => olderLines(adjoining.messages, messages, changes),
    [adjoining, messages, changes],
  );
  const refusedPost = posted && !posted.ok && posted.intent === "say" ? posted : null;

  if (!me.isJoined && status !== SESSION_STATUS.ended)
    return (
      <Notice
        action={
          <TextLink to={session.path} preventScrollReset>
            Join the session
          </TextLink>
        }
      >
        {status === SESSION_STATUS.running
          ? "The chat is for the participants of this session."
          : "Chat is active when the session is in progress."}
      </Notice>
    );
  return (
    <div className="flex min-h-[max(20rem,calc(100dvh-30rem))] max-w-3xl flex-col gap-4">
      {status !== SESSION_STATUS.running && <Notice>Chat is active when the session is in progress.</Notice>}
      {(status === SESSION_STATUS.running || older.length > 0 || messages.length > 0) && (
        <ChatBox
          action={`${session.path}/chat`}
          sessionId={session.id}
          me={me.username}
          canRun={me.canRun}
          canHost={me.canHost && status !== SESSION_STATUS.ended}
          mayWrite={status === SESSION_STATUS.running && me.isJoined && muteSentence === null}
          older={older}
          typedText={String(refusedPost?.form.initialValue?.content ?? "")}
          refusedPost={refusedPost}
          earlier={
            beforeSeq === null ? null : (
              <Link
                to={`?before=${beforeSeq}`}
                preventScrollReset
                className="mb-2 inline-flex min-h-11 items-center text-sm font-semibold text-ember underline"
                onClick={(event) => {
                  event.preventDefault();
                  if (earlierPage.state !== "idle") return;
                  askedSeq.current = beforeSeq;
                  earlierPage.load(`${session.path}/chat?before=${beforeSeq}`);
                }}
              >
                Earlier messages
              </Link>
            )
          }
        />
      )}
      {status === SESSION_STATUS.running && room.slowMode > 0 && (
        <p className="text-sm text-soft">Slow mode is on: a message every {room.slowMode} seconds.</p>
      )}
      {me.canRun && status !== SESSION_STATUS.ended && (
        <SlowModeForm session={session} slowModeSeconds={room.slowMode} />
      )}
    </div>
  );
}

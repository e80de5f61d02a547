// The tab Details (U-39): the stage, joining, the texts, the timers, recent progress, the roster, the chat.

import { lazy, type ReactNode, Suspense, useMemo } from "react";
import { Section } from "~/components/layout/page";
import { ChatBox } from "~/components/room/chat-box";
import { CueMenu } from "~/components/room/cue-menu";
import { RoomFrame } from "~/components/room/frame";
import type { HostControlsProps } from "~/components/room/host-controls";
import { Invite } from "~/components/room/invite";
import { useLive } from "~/components/room/live-context";
import { ReadyButton } from "~/components/room/ready";
import { Roster } from "~/components/room/roster";
import { EndedRibbon, FULL_SCREEN_HASH, Stage } from "~/components/room/stage";
import { useHostOrders } from "~/components/room/use-host-orders";
import { useLiveSchedule } from "~/components/room/use-live-schedule";
import { Card } from "~/components/ui/card";
import { CopyButton } from "~/components/ui/copy-button";
import { TextLink } from "~/components/ui/text-link";
import { Tooltip } from "~/components/ui/tooltip";
import type { Part } from "~/domain/schedule/shape";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import { activeParts, contributionVerdict, mayEditNow, turnHolder } from "~/domain/sessions/turns";
import type { DetailsView } from "~/domain/sessions/view";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { useHydrated } from "~/hooks/use-hydrated";
import { useFlips } from "~/hooks/use-now";
import { useShell } from "~/hooks/use-shell";
import type { ActResult } from "~/wire/act";
import { linesBefore, newestLines, olderLines } from "./chat-lines";
import { SessionFacts } from "./facts";
import { JoinPanel } from "./join-panel";
import { CallTools, KeepSeat, LatePartsList, LateProgress, LazyDesk, SeriesLine } from "./late-parts";
import { useStatus } from "./page";
import { SessionTexts } from "./texts";

const HostControls = lazy(() => import("~/components/room/host-controls"));

/** The host controls, a chunk that only hosts load, after the page. A placeholder reserves their height. */
function HostDesk(props: HostControlsProps) {
  const isHydrated = useHydrated();
  if (props.stage.kind === "before" || props.stage.kind === "after") return null;
  const placeholder = <div className="needs-script min-h-13.5 max-sm:min-h-14" />;
  return isHydrated ? (
    <Suspense fallback={placeholder}>
      <HostControls {...props} />
    </Suspense>
  ) : (
    placeholder
  );
}

export function SessionDetails({ view, posted }: { view: DetailsView; posted: ActResult | undefined }) {
  const { session, me } = view;
  const room = useLive("room");
  const messages = useLive("messages");
  const linesFrom = useLive("linesFrom");
  const changes = useLive("changes");
  const older = useMemo(() => {
    const loaded = newestLines({ messages: view.messages, before: null });
    return olderLines(linesBefore([loaded], linesFrom).messages, messages, changes);
  }, [view.messages, linesFrom, messages, changes]);
  const status = useStatus();
  const hostOrders = useHostOrders(session.id, me.canRun);
  const { origin } = useShell();
  const ownName = me.isJoined ? me.username : null;
  const { active, turn, mayContribute, isPaused } = useTurn(ownName, status);
  const facts = (
    <SessionFacts session={session} canAddToCalendar={me.isJoined && status === SESSION_STATUS.waiting} />
  );
  const isTakingPart = me.isJoined && status === SESSION_STATUS.running;
  const nowPane = (
    <>
      {status === SESSION_STATUS.ended && (
        <EndedCard session={session} ownsSeat={me.seatTerms?.isOwn === true} facts={facts} />
      )}
      <div data-tour={TOUR_ANCHORS.challengeJoin} className="empty:hidden">
        <JoinPanel session={session} me={me} status={status} posted={posted} />
      </div>
      {me.askedUntil !== null && me.seatTerms && (
        <KeepSeat
          until={me.askedUntil}
          terms={me.seatTerms}
          isFree={session.isFree}
          path={session.path}
          posted={posted}
        />
      )}
      {status !== SESSION_STATUS.ended && (
        <Card isGlowing={isTakingPart && !isPaused} className="p-3! sm:p-4!">
          <Stage
            me={me.username}
            mayRun={me.canRun}
            isPrivate={session.isPrivate}
            isCompact={mayContribute || (me.mayRead && turn !== null)}
            tools={<CueMenu />}
            share={
              <Tooltip text="Copies a link to the full-screen timers. People who see this page can open it without joining.">
                <CopyButton
                  text={`${origin}${session.path}${FULL_SCREEN_HASH}`}
                  label="Share"
                  icon="link"
                  variant="ghost"
                  className="needs-script px-3! max-sm:[&>svg]:hidden"
                />
              </Tooltip>
            }
            {...(me.canRun
              ? {
                  controls: (stage) => (
                    <HostDesk
                      stage={stage}
                      schedule={room.schedule}
                      isBusy={hostOrders.isBusy}
                      onOrders={hostOrders.give}
                    />
                  ),
                }
              : {})}
          >
            {status === SESSION_STATUS.waiting && me.isJoined && (
              <div className="flex flex-wrap items-center justify-center gap-3">
                <ReadyButton me={ownName} path={session.path} />
                <div className="lg:hidden">
                  <Invite session={session} me={me} />
                </div>
              </div>
            )}
            <LazyDesk {...{ view, posted, status, mayContribute, active, turn }} />
          </Stage>
        </Card>
      )}
      {status !== SESSION_STATUS.ended && facts}
      {me.canRun && status !== SESSION_STATUS.ended && (
        <CallTools session={session} me={me} posted={posted} />
      )}
    </>
  );
  const texts = (
    <>
      {me.series && (
        <SeriesLine
          series={me.series}
          session={session}
          isSignedIn={me.isSignedIn && !me.isGuest}
          posted={posted}
        />
      )}
      <SessionTexts
        session={session}
        isJoined={me.isJoined}
        isOver={status === SESSION_STATUS.ended}
        mayEditContent={mayEditNow(me, status, active, "mayEditContent")}
        mayEditPrompt={mayEditNow(me, status, active, "mayEditPrompt")}
        posted={posted}
      />
      <Section title="Timers" anchor={TOUR_ANCHORS.challengeEvents}>
        <LatePartsList status={status} mayRun={me.canRun} onOrders={hostOrders.give} />
      </Section>
      {me.mayRead && (
        <Section title="Recent progress">
          <LateProgress lines={view.progress} path={session.path} />
        </Section>
      )}
    </>
  );
  const messageToAll = me.canRun && status !== SESSION_STATUS.ended && (
    <TextLink to={`${session.path}/people#message`}>Message to all</TextLink>
  );
  return (
    <RoomFrame
      me={ownName}
      isRunning={status === SESSION_STATUS.running}
      lastRead={view.messages.at(-1)?.seq ?? 0}
      nowPane={nowPane}
      texts={texts}
      people={<People view={view} status={status} turn={turn} messageToAll={messageToAll} />}
      chat={
        isTakingPart ? (
          <>
            <div className="flex items-center justify-between gap-3">
              <h2 className="text-lg">Chat</h2>
              {messageToAll}
            </div>
            <ChatBox
              action={`${session.path}/chat`}
              sessionId={session.id}
              me={me.username}
              canRun={me.canRun}
              canHost={me.canHost}
              mayWrite
              older={older}
            />
          </>
        ) : null
      }
    />
  );
}

type EndedCardProps = {
  session: DetailsView["session"];
  /** The viewer paid for their own seat. */
  ownsSeat: boolean;
  facts: ReactNode;
};

function EndedCard({ session, ownsSeat, facts }: EndedCardProps) {
  const room = useLive("room");
  // A cancelled session ends at its start (B-14). The room reports that before the page has reloaded.
  const isCancelled = session.isCancelled || (room.startedAt !== null && room.startedAt === room.endedAt);
  return (
    <Card className="flex flex-col gap-4">
      <p className="font-title text-lg font-bold">
        {isCancelled ? "This session was cancelled." : "This session has ended."}
      </p>
      {isCancelled ? (
        <p>
          It never began.{" "}
          {ownsSeat ? "Your token is back." : "Everybody who paid for a seat has the token back."}
        </p>
      ) : (
        <>
          {facts}
          <EndedRibbon />
        </>
      )}
    </Card>
  );
}

type PeopleProps = {
  view: DetailsView;
  status: SessionStatus;
  /** The username of the speaker. */
  turn: string | null;
  /** A link, for host and admins. */
  messageToAll: ReactNode;
};

function People({ view: { session, me }, status, turn, messageToAll }: PeopleProps) {
  const room = useLive("room");
  const connection = useLive("connection");
  const isOpen = status !== SESSION_STATUS.ended;
  return (
    <>
      <Section
        // After the end the facts count the people who came; the seats also count those who missed it.
        title={session.came === null ? `Participants (${room.count})` : "Participants"}
        anchor={TOUR_ANCHORS.challengeParticipants}
        className="gap-3!"
        actions={me.isJoined && isOpen && <Invite session={session} me={me} />}
      >
        {me.mayRead ? (
          <Roster
            session={session}
            me={me.isJoined ? me.username : null}
            status={status}
            turn={turn}
            canRun={me.canRun}
            canHost={me.canHost}
          />
        ) : (
          <p className="text-soft">
            {session.hostUsername && `${session.hostUsername} hosts this session. `}
            Only its participants see who takes part.
          </p>
        )}
      </Section>
      {status === SESSION_STATUS.waiting && messageToAll && <p className="text-sm">{messageToAll}</p>}
      {session.joinCode && me.canRun && isOpen && (
        <p className="flex flex-wrap items-center gap-3">
          Join code
          <code className="text-lg font-semibold">{session.joinCode}</code>
          <CopyButton text={session.joinCode} />
        </p>
      )}
      {connection === "lost" && <p className="text-sm text-soft">This page may be slightly out of date.</p>}
    </>
  );
}

/** The active parts, the turn holder, and whether a contribution is accepted. Changes at the exact instant. */
function useTurn(
  me: string | null,
  status: SessionStatus,
): { active: Part[]; turn: string | null; mayContribute: boolean; isPaused: boolean } {
  const room = useLive("room");
  const { schedule } = useLiveSchedule(room, status === SESSION_STATUS.running);
  const active = useMemo(() => activeParts(schedule), [schedule]);
  const { value: turn } = useFlips((now) => turnHolder(active, now));
  const { value: mayContribute } = useFlips(
    (now) => me !== null && contributionVerdict(me, status, active, now) === "may",
  );
  return {
    active,
    turn,
    isPaused: active.length > 0 && active.every((part) => part.state === "paused"),
    mayContribute,
  };
}

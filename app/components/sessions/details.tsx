// The tab Details (U-39): the stage, joining, the texts, the events, recent progress, the roster.

import { useMemo } from "react";
import { Section } from "~/components/layout/page";
import { ChatBox } from "~/components/room/chat-box";
import { CueMenu } from "~/components/room/cue-menu";
import { HostControls } from "~/components/room/host-controls";
import { useLive } from "~/components/room/live-context";
import { Roster } from "~/components/room/roster";
import { BIG_TIMER, Recap, Stage } from "~/components/room/stage";
import { useConductor } from "~/components/room/use-conductor";
import { useLiveSchedule } from "~/components/room/use-live-schedule";
import { Card } from "~/components/ui/card";
import { CopyButton } from "~/components/ui/copy-button";
import { TextLink } from "~/components/ui/text-link";
import { Tooltip } from "~/components/ui/tooltip";
import { rosterOf } from "~/domain/room/room";
import type { Part } from "~/domain/schedule/shape";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import { activeParts, contributionOf, mayEditNow, turnHolder } from "~/domain/sessions/turns";
import type { SessionView } from "~/domain/sessions/view";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { useFlips } from "~/hooks/use-now";
import { useShell } from "~/hooks/use-shell";
import type { ActResult } from "~/wire/act";
import { olderLines } from "./chat-lines";
import { SessionFacts } from "./facts";
import { JoinPanel } from "./join-panel";
import { MeetingLink } from "./meeting-link";
import { useStatus } from "./page";
import { PartsList } from "./parts-list";
import { RecentLogs } from "./recent-logs";
import { KeepSeat, SeriesLine } from "./series-line";
import { SessionTexts } from "./texts";

export function SessionDetails({ view, answered }: { view: SessionView; answered: ActResult | undefined }) {
  const { session, me } = view;
  const { room, connection, messages, changes } = useLive();
  const older = useMemo(
    () => olderLines(view.messages, messages, changes),
    [view.messages, messages, changes],
  );
  const status = useStatus();
  const conductor = useConductor(session.id, me.canRun);
  const { origin } = useShell();
  const { active, turn, mayContribute, isPaused } = useTurn(me.isJoined ? me.username : null, status);
  const facts = (
    <SessionFacts
      session={session}
      calendarTitle={me.isJoined && status === SESSION_STATUS.waiting ? room.title : null}
    />
  );
  const isRunningHere = me.isJoined && status === SESSION_STATUS.running;
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
      <div className="flex min-w-0 flex-col gap-8">
        {status === SESSION_STATUS.ended ? (
          <Card className="flex flex-col gap-4">
            <p className="font-title text-lg font-bold">
              {session.isCancelled ? "This session was cancelled." : "This session has ended."}
            </p>
            {session.isCancelled ? (
              <p>
                It never began.{" "}
                {me.seatTerms?.isOwn
                  ? "Your token is back."
                  : "Everybody who paid for a seat has the token back."}
              </p>
            ) : (
              <>
                {facts}
                <Recap />
              </>
            )}
          </Card>
        ) : (
          status === SESSION_STATUS.waiting && facts
        )}
        <MeetingLink session={session} me={me} status={status} />
        <div data-tour={TOUR_ANCHORS.challengeJoin} className="empty:hidden">
          <JoinPanel session={session} me={me} status={status} answered={answered} />
        </div>
        {me.askedUntil !== null && me.seatTerms && (
          <KeepSeat until={me.askedUntil} terms={me.seatTerms} path={session.path} answered={answered} />
        )}
        {me.series && (
          <SeriesLine series={me.series} session={session} isSignedIn={me.isSignedIn} answered={answered} />
        )}
        {status !== SESSION_STATUS.ended && (
          <Card
            isGlowing={status === SESSION_STATUS.running && !isPaused && me.isJoined}
            className="flex flex-col gap-4"
          >
            <Stage
              me={me.username}
              mayRun={me.canRun}
              tools={<CueMenu />}
              share={
                <Tooltip text="Copies a link to the full-screen timers. People can open it without joining.">
                  <CopyButton
                    text={`${origin}${session.path}${BIG_TIMER}`}
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
                      <HostControls
                        stage={stage}
                        schedule={room.schedule}
                        isBusy={conductor.isBusy}
                        onOrders={conductor.give}
                      />
                    ),
                  }
                : {})}
            />
          </Card>
        )}
        {status === SESSION_STATUS.running && facts}
      </div>
      <aside
        aria-label="People"
        className="flex min-w-0 flex-col gap-8 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <Section title={`Participants (${room.count})`} anchor={TOUR_ANCHORS.challengeParticipants}>
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
        {isRunningHere && (
          <Section title="Chat" className="needs-script">
            <ChatBox
              action={`${session.path}/chat`}
              session={session.id}
              me={me.username}
              canRun={me.canRun}
              mayWrite
              older={older}
            />
          </Section>
        )}
        {me.canRun && status !== SESSION_STATUS.ended && (
          <p>
            <TextLink to={`${session.path}/people`}>Invite people by link or QR code</TextLink>
          </p>
        )}
        {session.joinCode && me.canRun && (
          <Section title="Join code">
            <p className="flex items-center gap-3">
              <code className="text-lg font-semibold">{session.joinCode}</code>
              <CopyButton text={session.joinCode} />
            </p>
          </Section>
        )}
        {connection === "lost" && <p className="text-sm text-soft">This page may be slightly out of date.</p>}
      </aside>
      <div className="flex min-w-0 flex-col gap-8">
        <SessionTexts
          session={session}
          isJoined={me.isJoined}
          mayEditContent={mayEditNow(me, status, active, "mayEditContent")}
          mayEditPrompt={mayEditNow(me, status, active, "mayEditPrompt")}
          mayContribute={mayContribute}
          answered={answered}
        />
        <Section title="Events" anchor={TOUR_ANCHORS.challengeEvents}>
          <PartsList status={status} mayRun={me.canRun} onOrders={conductor.give} />
        </Section>
        {me.mayRead && (
          <Section title="Recent progress">
            <RecentLogs logs={view.recentLogs} path={session.path} />
          </Section>
        )}
      </div>
    </div>
  );
}

/** The active parts, the turn holder, and whether a contribution is accepted. Changes at the exact instant. */
function useTurn(
  me: string | null,
  status: SessionStatus,
): { active: Part[]; turn: string | null; mayContribute: boolean; isPaused: boolean } {
  const { room } = useLive();
  const roster = useMemo(() => rosterOf(room), [room]);
  const { schedule } = useLiveSchedule(room.schedule, roster, status === SESSION_STATUS.running);
  const active = useMemo(() => activeParts(schedule), [schedule]);
  const { value: turn } = useFlips((now) => turnHolder(active, now));
  const { value: mayContribute } = useFlips(
    (now) => me !== null && contributionOf(me, status, active, now) === "may",
  );
  return {
    active,
    turn,
    isPaused: active.length > 0 && active.every((part) => part.state === "paused"),
    mayContribute,
  };
}

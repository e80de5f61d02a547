// The frame of a session's pages: title, status, countdown, actions, tabs (P-31 to P-36). It and the live room persist
// while tabs change.

import { useLocation } from "@remix-run/react";
import clsx from "clsx";
import { type ReactNode, useEffect, useRef } from "react";
import { HostLine } from "~/components/room/host-line";
import { useLive } from "~/components/room/live-context";
import { LiveProvider } from "~/components/room/live-provider";
import { NowLine } from "~/components/room/now-line";
import { OwnMute } from "~/components/room/own-mute";
import { Countdown } from "~/components/schedule/countdown";
import type { Crumb } from "~/components/ui/breadcrumbs";
import { LinkTabs, Pills } from "~/components/ui/link-tabs";
import { StatusDot } from "~/components/ui/status-dot";
import { formatDuration } from "~/domain/duration-text";
import { SESSION_STATUS, type SessionStatus, statusAt } from "~/domain/sessions/status";
import type { SessionHead } from "~/domain/sessions/view";
import { type Instant, MINUTE } from "~/domain/time";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { toast } from "~/hooks/toasts";
import { useFlips, useNow } from "~/hooks/use-now";
import type { ActResult } from "~/wire/act";
import { SessionActions } from "./actions";
import { JoinCall } from "./late-parts";
import { RoomHead } from "./room-head";

/** The sentence of a session without logs (M-40). */
export const NO_LOGS = "No one has logged any goal progress in this session.";

export function SessionPage({
  head,
  posted,
  children,
}: {
  head: SessionHead;
  posted: ActResult | undefined;
  children: ReactNode;
}) {
  return (
    <LiveProvider key={head.session.id} head={head}>
      <SessionFrame head={head} posted={posted}>
        {children}
      </SessionFrame>
    </LiveProvider>
  );
}

/** The time until the end (U-40). A phone's running room shows minutes, because the face below has the clock. */
function EndsIn({ to }: { to: Instant }) {
  const minutesLeft = Math.ceil(Math.max(0, to - useNow(MINUTE, to % MINUTE)) / MINUTE);
  return (
    <>
      <Countdown to={to} label="Ends in" className="room-clock text-soft" />
      <span className="room-minutes text-soft">
        Ends in <span suppressHydrationWarning>{formatDuration(minutesLeft * 60)}</span>
      </span>
    </>
  );
}

/** The status on this screen; it changes at the exact instant. */
export function useStatus(): SessionStatus {
  const room = useLive("room");
  return useFlips((now) => statusAt(room, now)).value;
}

/** Announces the seat that a viewer got from the waiting list. An offered seat needs no toast, because they take it. */
function useSeatToast({ isJoined, waiting }: SessionHead["me"]): void {
  const isWaiting = waiting !== null && waiting.offeredUntil === null;
  const wasWaiting = useRef(isWaiting);
  useEffect(() => {
    if (wasWaiting.current && isJoined) toast.success("You have a seat.");
    wasWaiting.current = isWaiting;
  }, [isWaiting, isJoined]);
}

function SessionFrame({
  head,
  posted,
  children,
}: {
  head: SessionHead;
  posted: ActResult | undefined;
  children: ReactNode;
}) {
  const { session, me } = head;
  const room = useLive("room");
  const status = useStatus();
  const { pathname } = useLocation();
  useSeatToast(me);
  const crumbs: Crumb[] = [
    { label: "Home", to: "/" },
    ...(session.hut || session.activity ? [] : [{ label: "Sessions", to: "/events" }]),
    ...(session.hut ? [{ label: session.hut.title, to: `/group/${session.hut.slug}` }] : []),
    ...(session.activity
      ? [{ label: session.activity.title, to: `/activities/${session.activity.slug}` }]
      : []),
    { label: room.title },
  ];
  const statusLine = (
    <span className="flex flex-wrap items-center gap-x-3">
      <StatusDot status={status} />
      {status === SESSION_STATUS.waiting && room.startedAt !== null && (
        <Countdown to={room.startedAt} label="Starts in" className="text-soft" />
      )}
      {status === SESSION_STATUS.running && room.endedAt !== null && <EndsIn to={room.endedAt} />}
      {status !== SESSION_STATUS.ended && me.isJoined && <JoinCall session={session} me={me} />}
      {status === SESSION_STATUS.running && pathname !== session.path && (
        <NowLine path={session.path} me={me.isJoined ? me.username : null} mayRun={me.canRun} />
      )}
    </span>
  );
  const tabs = (
    <LinkTabs
      label="Session"
      anchor={TOUR_ANCHORS.challengeEventHome}
      tabs={[
        { to: session.path, label: "Details", isExact: true },
        // Its sub-tabs have URLs of their own.
        {
          to: /\/(member-goals|logs)$/.test(pathname) ? pathname : `${session.path}/goals`,
          label: "Goals",
          anchor: TOUR_ANCHORS.challengeTasks,
        },
        { to: `${session.path}/hut`, label: "Forum", anchor: TOUR_ANCHORS.challengeForum },
        { to: `${session.path}/chat`, label: "Chat", anchor: TOUR_ANCHORS.challengeChat },
      ]}
    />
  );
  const isRoom = status === SESSION_STATUS.running && pathname === session.path;
  // The structure stays the same through start and end, so that typed text survives both.
  return (
    <div className={clsx("room-page room-frame", isRoom && "is-room")}>
      <RoomHead
        title={room.title}
        crumbs={crumbs}
        statusLine={statusLine}
        actions={<SessionActions session={session} me={me} status={status} posted={posted} />}
        tabs={tabs}
      />
      {status === SESSION_STATUS.running && <HostLine room={room} />}
      {status !== SESSION_STATUS.ended && me.isJoined && <OwnMute me={me.username} />}
      {children}
    </div>
  );
}

/** Under the tab Goals: My Goals, Member Goals, Logs (P-32 to P-34). */
export const GoalPills = ({ path }: { path: string }) => (
  <Pills
    label="Goals"
    tabs={[
      { to: `${path}/goals`, label: "My Goals" },
      { to: `${path}/member-goals`, label: "Member Goals" },
      { to: `${path}/logs`, label: "Logs", anchor: TOUR_ANCHORS.challengeLogs },
    ]}
  />
);

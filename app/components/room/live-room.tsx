// The live room, a chunk of its own: the socket, the measured clock, cues. It renders only a sentence for screen
// readers and a notice of a lost connection.

import { memo, useEffect, useMemo, useRef } from "react";
import { formatClock } from "~/domain/duration-text";
import { rosterOf } from "~/domain/room/room";
import { hasTurns } from "~/domain/schedule/part-kinds";
import { partsInOrder, type Schedule } from "~/domain/schedule/shape";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { type Instant, MINUTE, SECOND } from "~/domain/time";
import type { RoomStore } from "~/hooks/room/store";
import { useCues } from "~/hooks/room/use-cues";
import { useRoom } from "~/hooks/room/use-room";
import { toast } from "~/hooks/toasts";
import { useClock } from "~/hooks/use-clock";
import { useFreshData } from "~/hooks/use-fresh-data";
import { type Clock, useFlips, useNow } from "~/hooks/use-now";
import { useWakeLock } from "~/hooks/use-wake-lock";
import type { LiveRoom as Room } from "~/wire/room/live-room";
import { useLive, useWholeRoster } from "./live-context";
import { readFace, stageAt } from "./stage-reading";
import { showTabMark } from "./tab-mark";
import { useLiveSchedule } from "./use-live-schedule";

type LiveRoomProps = {
  sessionId: number;
  path: string;
  /** The viewer's name in the session; null for spectators. */
  username: string | null;
  /** The name of a viewer who waits for a seat, otherwise null. */
  waiter: string | null;
  /** False where the viewer gets no socket; the page then reloads its data now and then. */
  opensSocket: boolean;
  initial: Room;
  ticket: string | null;
  store: RoomStore;
  onClock: (clock: Clock) => void;
};

/** A plan with turns depends on the whole roster. */
const dependsOnRoster = (schedule: Schedule): boolean => partsInOrder(schedule).some(hasTurns);

/** How often a visible page reloads while a spectator's connection is lost, or the viewer waits for a seat. */
const RELOAD_EVERY_MS = 20_000;

/** Memoised, because the page renders at each event of the room, and this only needs its own props. */
export default memo(function LiveRoom(props: LiveRoomProps) {
  const { onClock, username, path } = props;
  const clock = useClock();
  useEffect(() => onClock(clock), [clock, onClock]);
  return (
    <>
      {props.opensSocket ? <RoomLink {...props} clock={clock} /> : <PageReloads />}
      <Cues me={username} path={path} />
    </>
  );
});

function RoomLink({
  sessionId,
  username,
  waiter,
  initial,
  ticket,
  store,
  clock,
}: LiveRoomProps & { clock: Clock }) {
  useRoom({
    store,
    sessionId,
    username,
    initial,
    ticket,
    now: clock.now,
    onRefused: (_, message) => toast.error(message),
  });
  const room = useLive("room");
  const connection = useLive("connection");
  useWholeRoster(dependsOnRoster(room.schedule));
  // No message tells of an offered seat, nor of any seat in a session with a join code.
  usePageReload(waiter !== null || (username === null && connection !== "open"));
  const revalidate = useFreshData();
  // The seat or the session is gone.
  useEffect(() => {
    if (connection === "closed") revalidate();
  }, [connection, revalidate]);
  const wasOpen = useRef(false);
  if (connection === "open") wasOpen.current = true;
  // The socket does not carry permissions, so they reload when the session starts, ends, or the viewer's seat changes.
  const ownSeat = room.participants.find((person) => person.username === (username ?? waiter));
  const { value: status } = useFlips((now) => statusAt(room, now), { isAct: true });
  const permissions = `${status} ${ownSeat?.role} ${ownSeat?.isHost} ${ownSeat === undefined}`;
  const lastPermissions = useRef(permissions);
  useEffect(() => {
    if (!wasOpen.current || lastPermissions.current === permissions) return;
    lastPermissions.current = permissions;
    revalidate();
  }, [permissions, revalidate]);
  return null;
}

function PageReloads() {
  usePageReload(true);
  return null;
}

/** Reloads the data of the visible page now and then. */
function usePageReload(isNeeded: boolean): void {
  const revalidate = useFreshData();
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") revalidate();
    }, RELOAD_EVERY_MS);
    return () => clearInterval(timer);
  }, [isNeeded, revalidate]);
}

function Cues({ me, path }: { me: string | null; path: string }) {
  const room = useLive("room");
  const connection = useLive("connection");
  const roster = useMemo(() => rosterOf(room), [room]);
  const { value: status } = useFlips((now) => statusAt(room, now), { isAct: true });
  const announcement = useCues({
    title: room.title,
    schedule: room.schedule,
    roster,
    me,
    people: room.participants,
    startsAt: status === SESSION_STATUS.waiting ? room.startedAt : null,
    endsAt: status === SESSION_STATUS.ended ? null : room.endedAt,
    isRunning: status === SESSION_STATUS.running,
    path,
  });
  useWakeLock(status === SESSION_STATUS.running);
  return (
    <>
      <p className="sr-only" aria-live="polite" aria-atomic="true">
        {announcement}
      </p>
      <div role="status">
        {connection === "lost" && (
          <p className="late fixed inset-x-0 top-0 z-50 mx-auto w-fit rounded-b-md bg-ink px-4 py-1 text-sm font-semibold text-paper">
            Connection lost. Reconnecting…
          </p>
        )}
      </div>
      {status !== SESSION_STATUS.ended && (
        <TabMark room={room} me={me} isRunning={status === SESSION_STATUS.running} />
      )}
    </>
  );
}

/** The time in the tab's title, and its icon, visible from another tab. */
function TabMark({ room, me, isRunning }: { room: Room; me: string | null; isRunning: boolean }) {
  const { schedule } = useLiveSchedule(room, isRunning);
  const now = useNow(SECOND);
  const stage = stageAt(room, schedule, now);
  const reading = stage.kind === "part" ? readFace(stage.part, now, me) : null;
  const clockUntil = (at: Instant | null) =>
    at === null || at - now > 60 * MINUTE ? "" : formatClock(at - now, "ceil");
  const timeText =
    stage.kind === "part"
      ? `${formatClock(reading?.remaining ?? 0, "ceil")} ${reading?.isMyTurn ? "Your turn" : stage.part.title || "Timer"}`
      : stage.kind === "before"
        ? clockUntil(stage.startsAt)
        : stage.kind === "open"
          ? clockUntil(room.endedAt)
          : stage.kind === "gap"
            ? clockUntil(stage.at)
            : "";
  const mark = reading?.isMyTurn
    ? "turn"
    : stage.kind === "part" && stage.part.state === "running"
      ? "running"
      : stage.kind === "part" || stage.kind === "host-awaited"
        ? "waiting"
        : null;
  useEffect(() => showTabMark(timeText, mark), [timeText, mark]);
  useEffect(() => () => showTabMark("", null), []);
  return null;
}

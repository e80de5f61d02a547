// The state of a session for all its tabs. It loads the live room's chunk where the viewer may listen (L-01):
// participants get everything, others only timers and presence.
import {
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import type { Schedule } from "~/domain/schedule/shape";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { SessionHead } from "~/domain/sessions/view";
import { afterParts } from "~/hooks/lazy-parts";
import { RoomStore } from "~/hooks/room/store";
import { type Clock, ClockContext } from "~/hooks/use-now";
import { onlineOf, roomOfPage, withLive, withPeopleOf } from "./live-context";

/** The state of a page without the client of its room. */
const NO_CLIENT_STATE = {
  isPage: false,
  messages: [],
  linesFrom: Number.POSITIVE_INFINITY,
  changes: new Map(),
  freshLogs: [],
  typing: [],
  reactions: {},
  inCall: [],
  connection: "off",
  client: null,
} as const;
const LiveRoom = lazy(() => import("./live-room"));
const noServerState = () => null;

/**
 * The optimistic schedule of the host's orders. `isHeld`: orders are pending, so it shows whatever the room sends;
 * afterwards it shows until the room sends another schedule than the one it replaces.
 */
type OptimisticSchedule = { replaces: Schedule; schedule: Schedule; isHeld: boolean };

export function LiveProvider({ head, children }: { head: SessionHead; children: ReactNode }) {
  const { me, session } = head;
  const [isLive, setLive] = useState(false);
  const [store] = useState(() => new RoomStore());
  const liveState = useSyncExternalStore(store.subscribe, store.get, noServerState);
  const machineClock = useContext(ClockContext);
  const [clock, setClock] = useState<Clock>(machineClock);
  const [optimistic, setOptimistic] = useState<OptimisticSchedule | null>(null);
  // A transition renders in small slices, so that hydration stays responsive.
  useEffect(() => afterParts(() => startTransition(() => setLive(true))), []);
  const learnClock = useCallback((measured: Clock) => startTransition(() => setClock(measured)), []);
  const page = useMemo(() => roomOfPage(head), [head]);
  const pageOnline = useMemo(
    () => head.participants.filter((person) => person.isOnline).map((person) => person.username),
    [head],
  );
  // A reloaded page is newer than a lost connection.
  const newestRoom =
    liveState && (liveState.connection === "open" || liveState.room.seq >= page.seq) ? liveState.room : page;
  const permittedRoom = useMemo(
    () => withPeopleOf(page, newestRoom, { ...me, needsCode: session.needsCode }),
    [newestRoom, page, me, session.needsCode],
  );
  const room = useMemo(
    () =>
      optimistic && (optimistic.isHeld || optimistic.replaces === permittedRoom.schedule)
        ? { ...permittedRoom, schedule: optimistic.schedule }
        : permittedRoom,
    [permittedRoom, optimistic],
  );
  const confirmedSchedule = permittedRoom.schedule;
  const showOptimistic = useCallback(
    (schedule: Schedule | null) =>
      setOptimistic(
        (last) =>
          schedule && { replaces: last?.isHeld ? last.replaces : confirmedSchedule, schedule, isHeld: true },
      ),
    [confirmedSchedule],
  );
  const releaseOptimistic = useCallback(
    () => setOptimistic((last) => last && { ...last, isHeld: false }),
    [],
  );
  const live = {
    ...(liveState ?? NO_CLIENT_STATE),
    online: onlineOf(
      pageOnline,
      liveState,
      newestRoom !== page && (me.isJoined || newestRoom.seq > page.seq),
    ),
    room,
    showOptimistic,
    releaseOptimistic,
  };
  const isOver = session.status === SESSION_STATUS.ended;
  return (
    <ClockContext.Provider value={clock}>
      {withLive(
        live,
        <>
          {children}
          {isLive && !isOver && (
            <Suspense>
              <LiveRoom
                key={`${session.id} ${me.isJoined ? me.username : ""} ${me.hearsLive}`}
                sessionId={session.id}
                path={session.path}
                username={me.isJoined ? me.username : null}
                waiter={me.waiting === null ? null : me.username}
                opensSocket={me.hearsLive}
                initial={page}
                ticket={head.ticket}
                store={store}
                onClock={learnClock}
              />
            </Suspense>
          )}
        </>,
      )}
    </ClockContext.Provider>
  );
}

// The state of a session for all its tabs. It loads the live room's chunk where the viewer may listen (L-01):
// participants hear all, others timers and presence.
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
import { roomOfPage, withLive, withPeopleOf } from "./live-context";

/** The state of a page without the client of its room. */
const NO_CLIENT_STATE = {
  isPage: false,
  messages: [],
  changes: new Map(),
  freshLogs: [],
  typing: [],
  reactions: {},
  inCall: [],
  connection: "off",
  client: null,
} as const;
const LiveRoom = lazy(() => import("./live-room"));
const nobody = () => null;

/** The optimistic schedule of the host's orders, until the room confirms them. */
type OptimisticSchedule = { instead: Schedule; schedule: Schedule; isHeld: boolean };

export function LiveProvider({ head, children }: { head: SessionHead; children: ReactNode }) {
  const { me, session } = head;
  const [isAlive, setAlive] = useState(false);
  const [store] = useState(() => new RoomStore());
  const line = useSyncExternalStore(store.subscribe, store.get, nobody);
  const machineClock = useContext(ClockContext);
  const [clock, setClock] = useState<Clock>(machineClock);
  const [optimistic, setOptimistic] = useState<OptimisticSchedule | null>(null);
  // Hydration stays responsive: the rest renders in small slices.
  useEffect(() => afterParts(() => startTransition(() => setAlive(true))), []);
  const learnClock = useCallback((known: Clock) => startTransition(() => setClock(known)), []);
  const page = useMemo(() => roomOfPage(head), [head]);
  const pageOnline = useMemo(
    () => head.participants.filter((person) => person.isOnline).map((person) => person.username),
    [head],
  );
  // A reloaded page is newer than a lost connection.
  const newestRoom = line && (line.connection === "open" || line.room.seq >= page.seq) ? line.room : page;
  const permittedRoom = useMemo(
    () => withPeopleOf(page, newestRoom, { ...me, needsCode: session.needsCode }),
    [newestRoom, page, me, session.needsCode],
  );
  const room = useMemo(
    () =>
      optimistic && (optimistic.isHeld || optimistic.instead === permittedRoom.schedule)
        ? { ...permittedRoom, schedule: optimistic.schedule }
        : permittedRoom,
    [permittedRoom, optimistic],
  );
  const base = permittedRoom.schedule;
  const showOptimistic = useCallback(
    (schedule: Schedule | null) =>
      setOptimistic(
        (last) => schedule && { instead: last?.isHeld ? last.instead : base, schedule, isHeld: true },
      ),
    [base],
  );
  const releaseOptimistic = useCallback(
    () => setOptimistic((last) => last && { ...last, isHeld: false }),
    [],
  );
  const live = {
    ...(line ?? { ...NO_CLIENT_STATE, online: pageOnline }),
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
          {isAlive && !isOver && (
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

// Holds what is known of a session for all its tabs, and loads the live room's chunk where there is something to hear
// (L-01): participants hear all, everybody else the timers and who is there.
import { lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { Schedule } from "~/domain/schedule-shape";
import type { SessionHead } from "~/domain/session-view";
import { type Clock, ClockContext } from "~/hooks/use-now";
import { LiveContext, type LiveSession, roomOfPage, type Wire } from "./live-context";

const LiveRoom = lazy(() => import("./live-room"));
const nothing = () => {};

export function LiveProvider({ head, children }: { head: SessionHead; children: ReactNode }) {
  const { me, session } = head;
  const [isAlive, setAlive] = useState(false);
  const [wire, setWire] = useState<Wire | null>(null);
  const machineClock = useContext(ClockContext);
  const [clock, setClock] = useState<Clock>(machineClock);
  const [foretold, setForetold] = useState<{ instead: Schedule; schedule: Schedule } | null>(null);
  useEffect(() => setAlive(true), []);

  const page = useMemo(() => roomOfPage(head), [head]);
  const pageOnline = useMemo(
    () => head.participants.filter((person) => person.isOnline).map((person) => person.username),
    [head],
  );
  // A page read anew knows more than a line that is down.
  const known = wire && (wire.connection === "open" || wire.room.seq >= page.seq) ? wire.room : page;
  const room = useMemo(
    () =>
      foretold && foretold.instead === known.schedule ? { ...known, schedule: foretold.schedule } : known,
    [known, foretold],
  );
  const base = known.schedule;
  const foretell = useCallback(
    (schedule: Schedule | null) => setForetold(schedule && { instead: base, schedule }),
    [base],
  );
  const live = useMemo<LiveSession>(
    () => ({
      room,
      online: wire?.online ?? pageOnline,
      messages: wire?.messages ?? [],
      freshLogs: wire?.freshLogs ?? [],
      typing: wire?.typing ?? [],
      connection: wire?.connection ?? "off",
      say: (me.isJoined && wire?.sendMessage) || null,
      retry: wire?.retry ?? nothing,
      setReady: (me.isJoined && wire?.setReady) || null,
      tellTyping: wire?.tellTyping ?? nothing,
      foretell,
    }),
    [room, wire, pageOnline, foretell, me.isJoined],
  );
  const isOver = session.status === 2;
  return (
    <ClockContext.Provider value={clock}>
      <LiveContext.Provider value={live}>
        {children}
        {isAlive && !isOver && (
          <Suspense>
            <LiveRoom
              key={`${session.id} ${me.isJoined ? me.username : ""}`}
              sessionId={session.id}
              path={session.path}
              username={me.isJoined ? me.username : null}
              initial={page}
              onWire={setWire}
              onClock={setClock}
            />
          </Suspense>
        )}
      </LiveContext.Provider>
    </ClockContext.Provider>
  );
}

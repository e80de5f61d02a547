// The page of a stage, live without the rest of the site: it renders into the page that the server made (J-08, J-09).
import { useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type StageOfSession, type StageView, VIEW_PATH } from "~/domain/sessions/stage";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { SECOND } from "~/domain/time";
import type { Shell } from "~/domain/viewer";
import { RoomStore } from "~/hooks/room/store";
import { useRoom } from "~/hooks/room/use-room";
import { useClock } from "~/hooks/use-clock";
import { ClockContext, useFlips } from "~/hooks/use-now";
import { ShellContext } from "~/hooks/use-shell";
import { useWakeLock } from "~/hooks/use-wake-lock";
import { WATCH } from "~/wire/room/room";
import { roomOfPage, withPeopleOf } from "./live-context";
import { OpenStage } from "./open-stage";
import { type StageData, StageGround, StageRest, stageDataIn } from "./stage-ground";

/** How often a stage without a running session, or without its room, reloads its data. Milliseconds. */
const RELOAD_EVERY = 15 * SECOND;

/** The code of a view link stays in the address, so that a wall shows its stage again after a restart (J-10). */
const viewLinkCode = () => (location.pathname === VIEW_PATH && location.hash.slice(1)) || null;

export function StagePage({ initialData }: { initialData: StageData }) {
  const [data, setData] = useState<StageData>(initialData);
  const clock = useClock();
  // The server reads no cookie, and so no time zone.
  const shell: Shell = useMemo(
    () => ({ ...data.shell, now: clock.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    [data.shell, clock],
  );
  const reloadData = useCallback(() => void fetchData().then((newData) => newData && setData(newData)), []);
  /** Clears the screen at once, then asks the page whether the link still works (J-10). */
  const clearStage = useCallback(() => {
    setData(({ shell, view }) => ({ shell, view: { ...view, title: "", stage: null, rest: "" } }));
    reloadData();
  }, [reloadData]);
  const { view } = data;
  // Held here, because the live stage unmounts when its session changes or ends.
  const [isOutdated, setOutdated] = useState(false);
  useEffect(() => {
    if (!isOutdated) return;
    const timer = setTimeout(() => location.reload(), RELOAD_EVERY);
    return () => clearTimeout(timer);
  }, [isOutdated]);
  useEffect(() => {
    if (viewLinkCode() === null) return;
    reloadData();
    window.addEventListener("hashchange", reloadData);
    return () => window.removeEventListener("hashchange", reloadData);
  }, [reloadData]);
  return (
    <ShellContext.Provider value={shell}>
      <ClockContext.Provider value={clock}>
        <StageGround look={view.look}>
          {view.stage ? (
            <LiveStage
              key={view.stage.session.id}
              stage={view.stage}
              view={view}
              reloadData={reloadData}
              clearStage={clearStage}
              setOutdated={setOutdated}
            />
          ) : (
            <Resting view={view} reloadData={reloadData} />
          )}
        </StageGround>
      </ClockContext.Provider>
    </ShellContext.Provider>
  );
}

const noServerState = () => null;

type LiveProps = {
  stage: StageOfSession;
  view: StageView;
  reloadData: () => void;
  clearStage: () => void;
  setOutdated: (isOutdated: boolean) => void;
};

function LiveStage({ stage, view, reloadData, clearStage, setOutdated }: LiveProps) {
  const { session, mayRead } = stage;
  const clock = useContext(ClockContext);
  const [store] = useState(() => new RoomStore());
  const liveState = useSyncExternalStore(store.subscribe, store.get, noServerState);
  const page = useMemo(() => roomOfPage(stage), [stage]);
  useRoom({
    store,
    sessionId: session.id,
    username: null,
    initial: page,
    ticket: viewLinkCode(),
    watch: WATCH.stage,
    now: clock.now,
    onRefused: (code) => {
      // The view link has ended, or its series has moved on to the next session.
      if (code === "NOT_FOUND") (viewLinkCode() === null ? reloadData : clearStage)();
      // The room speaks a newer version than this page.
      else setOutdated(true);
    },
  });
  const isOpen = liveState?.connection === "open";
  const newestRoom = liveState && (isOpen || liveState.room.seq >= page.seq) ? liveState.room : page;
  const room = withPeopleOf(page, newestRoom, { mayRead, isJoined: false, needsCode: session.needsCode });
  const { value: status } = useFlips((now) => statusAt(room, now), { isAct: true });
  useWakeLock(true);
  usePageChecks(reloadData, !isOpen || status !== SESSION_STATUS.running);
  // The socket closes when a view link ends, and the page then drops the stage.
  const isConnectionLost = liveState?.connection === "lost" || liveState?.connection === "closed";
  useEffect(() => {
    if (isConnectionLost && viewLinkCode() !== null) reloadData();
  }, [isConnectionLost, reloadData]);
  return <OpenStage room={room} parts={view.parts} qr={stage.qr} />;
}

function Resting({ view, reloadData }: { view: StageView; reloadData: () => void }) {
  useWakeLock(true);
  usePageChecks(reloadData, true);
  return <StageRest view={view} />;
}

function usePageChecks(reloadData: () => void, isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(reloadData, RELOAD_EVERY);
    return () => clearInterval(timer);
  }, [reloadData, isNeeded]);
}

/** The present data of this page; null without an answer. A deleted page reloads, so that its error shows. */
async function fetchData(): Promise<StageData | null> {
  const code = viewLinkCode();
  const request: RequestInit =
    code === null ? { cache: "no-store" } : { method: "POST", body: new URLSearchParams({ code }) };
  const response = await fetch(location.pathname + location.search, request).catch(() => null);
  if (response?.status === 404) location.reload();
  // The page of an ended link answers 422, and says that the link has ended.
  if (!response?.ok && !(code !== null && response?.status === 422)) return null;
  return stageDataIn(new DOMParser().parseFromString(await response.text(), "text/html"));
}

// The page of a stage, live without the rest of the site: it renders into the page that the server made (J-08, J-09).
import { useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type StageOfSession, type StageView, VIEW_PATH } from "~/domain/sessions/stage";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { SECOND } from "~/domain/time";
import type { Shell } from "~/domain/viewer";
import { RoomStore } from "~/hooks/room/store";
import { useRoom } from "~/hooks/room/use-room";
import { useWakeLock } from "~/hooks/room/use-wake-lock";
import { useClock } from "~/hooks/use-clock";
import { ClockContext, useFlips } from "~/hooks/use-now";
import { ShellContext } from "~/hooks/use-shell";
import { WATCH } from "~/wire/room/room";
import { roomOfPage, withPeopleOf } from "./live-context";
import { OpenStage } from "./open-stage";
import { type StageData, StageGround, StageRest, stageDataIn } from "./stage-ground";

/** How often a stage without a running session, or without its room, looks at the page again. Milliseconds. */
const RELOAD_EVERY = 15 * SECOND;

/** The code of a view link stays in the address, so that a wall shows its stage again after a restart (J-10). */
const codeOfLink = () => (location.pathname === VIEW_PATH && location.hash.slice(1)) || null;

export function StagePage({ first }: { first: StageData }) {
  const [data, setData] = useState<StageData>(first);
  const clock = useClock();
  // The server reads no cookie, and so no time zone.
  const shell: Shell = useMemo(
    () => ({ ...data.shell, now: clock.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    [data.shell, clock],
  );
  const look = useCallback(() => void readAgain().then((fresh) => fresh && setData(fresh)), []);
  /** The screen clears before the page is asked whether the link goes on (J-10). */
  const cut = useCallback(() => {
    setData(({ shell, view }) => ({ shell, view: { ...view, title: "", stage: null, rest: "" } }));
    look();
  }, [look]);
  const { view } = data;
  useEffect(() => {
    if (codeOfLink() === null) return;
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, [look]);
  return (
    <ShellContext.Provider value={shell}>
      <ClockContext.Provider value={clock}>
        <StageGround look={view.look}>
          {view.stage ? (
            <LiveStage key={view.stage.session.id} stage={view.stage} view={view} look={look} cut={cut} />
          ) : (
            <Resting view={view} look={look} />
          )}
        </StageGround>
      </ClockContext.Provider>
    </ShellContext.Provider>
  );
}

const nobody = () => null;

type LiveProps = { stage: StageOfSession; view: StageView; look: () => void; cut: () => void };

function LiveStage({ stage, view, look, cut }: LiveProps) {
  const { session, mayRead } = stage;
  const clock = useContext(ClockContext);
  const [store] = useState(() => new RoomStore());
  const line = useSyncExternalStore(store.subscribe, store.get, nobody);
  const page = useMemo(() => roomOfPage(stage), [stage]);
  useRoom({
    store,
    sessionId: session.id,
    username: null,
    initial: page,
    ticket: codeOfLink(),
    watch: WATCH.stage,
    now: clock.now,
    onRefused: (code) => {
      // A view link ended, or its series goes on. Otherwise the room speaks a newer version than this page.
      if (code === "NOT_FOUND") (codeOfLink() === null ? look : cut)();
      else setTimeout(() => location.reload(), RELOAD_EVERY);
    },
  });
  const isOpen = line?.connection === "open";
  const heard = line && (isOpen || line.room.seq >= page.seq) ? line.room : page;
  const room = withPeopleOf(page, heard, { mayRead, isJoined: false, needsCode: session.needsCode });
  const { value: status } = useFlips((now) => statusAt(room, now), { isAct: true });
  useWakeLock(true);
  usePageChecks(look, !isOpen || status !== SESSION_STATUS.running);
  // The socket closes when a view link ends, and the page then drops the stage.
  const isCut = line?.connection === "lost";
  useEffect(() => {
    if (isCut && codeOfLink() !== null) look();
  }, [isCut, look]);
  return <OpenStage room={room} parts={view.parts} qr={stage.qr} />;
}

function Resting({ view, look }: { view: StageView; look: () => void }) {
  useWakeLock(true);
  usePageChecks(look, true);
  return <StageRest view={view} />;
}

function usePageChecks(look: () => void, isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(look, RELOAD_EVERY);
    return () => clearInterval(timer);
  }, [look, isNeeded]);
}

/**
 * The data of this page as it is now; null without an answer. A page that is gone is loaded, so that its error shows.
 */
async function readAgain(): Promise<StageData | null> {
  const code = codeOfLink();
  const request: RequestInit =
    code === null ? { cache: "no-store" } : { method: "POST", body: new URLSearchParams({ code }) };
  const answer = await fetch(location.pathname + location.search, request).catch(() => null);
  if (answer?.status === 404) location.reload();
  // The page of an ended link answers 422, and says that the link has ended.
  if (!answer?.ok && !(code !== null && answer?.status === 422)) return null;
  return stageDataIn(new DOMParser().parseFromString(await answer.text(), "text/html"));
}

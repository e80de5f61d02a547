// The frame of a session: what happens now, the people and the chat. A wide window shows all three at once; a phone shows
// a pane of a running session at a time, under a bar with the time.
import clsx from "clsx";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { useHydrated } from "~/hooks/use-hydrated";

export type Pane = "now" | "chat" | "people";

const RoomBar = lazy(() => import("./bar"));

export type RoomFrameProps = {
  me: string | null;
  /** The number of the newest chat line in the page's own data. */
  lastRead: number;
  /** Only a running session has a bar above the panes. */
  isRunning: boolean;
  nowPane: ReactNode;
  /** Below `nowPane`, in its pane. */
  texts: ReactNode;
  people: ReactNode;
  /** Null for viewers who have no chat. */
  chat: ReactNode | null;
};

export function RoomFrame({ me, lastRead, isRunning, nowPane, texts, people, chat }: RoomFrameProps) {
  const row = useRef<HTMLDivElement>(null);
  const [activePane, setActivePane] = useState<Pane>("now");
  const isHydrated = useHydrated();
  const panes: Pane[] = chat === null ? ["now", "people"] : ["now", "chat", "people"];
  return (
    <>
      {isRunning && (
        <div className="room-bar">
          {isHydrated && (
            <Suspense>
              <RoomBar me={me} lastRead={lastRead} panes={panes} activePane={activePane} row={row} />
            </Suspense>
          )}
        </div>
      )}
      <div
        ref={row}
        className="room-panes"
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setActivePane(panes[Math.round(scrollLeft / clientWidth)] ?? "now")
        }
      >
        <div id="now" className="room-pane is-now">
          <div className="room-now">{nowPane}</div>
          <div className="room-more">{texts}</div>
        </div>
        <div className={clsx("room-side", chat !== null && "is-full")}>
          <aside id="people" aria-label="People" className="room-pane is-people">
            {people}
          </aside>
          {chat !== null && (
            <div id="chat" className="room-pane is-chat needs-script">
              {chat}
            </div>
          )}
        </div>
      </div>
    </>
  );
}

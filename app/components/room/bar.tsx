// The bar of a running session on a phone: the panes with the count of unread lines, the viewer's goals, and the time,
// small, while the face is out of sight. It is a chunk that loads after the page.
import { Link, useLocation } from "@remix-run/react";
import clsx from "clsx";
import { type RefObject, useEffect, useState } from "react";
import { Countdown } from "~/components/schedule/countdown";
import { ARC_PATH, FACE } from "~/components/schedule/face-geometry";
import { formatClock } from "~/domain/duration-text";
import { useFlips } from "~/hooks/use-now";
import type { Pane } from "./frame";
import { useLive } from "./live-context";
import { readFace, stageAt } from "./stage-reading";
import { useLiveSchedule } from "./use-live-schedule";

const LABELS: Record<Pane, string> = { now: "Now", chat: "Chat", people: "People" };

const TAB = "-mb-px flex items-center gap-1 border-b-3 px-2 whitespace-nowrap font-medium";

type Props = {
  me: string | null;
  lastRead: number;
  panes: readonly Pane[];
  activePane: Pane;
  /** The element that scrolls between the panes. */
  row: RefObject<HTMLElement>;
};

export default function RoomBar({ me, lastRead, panes, activePane, row }: Props) {
  const room = useLive("room");
  const { pathname } = useLocation();
  const unread = useUnread(me, lastRead, activePane === "chat");
  const isFaceVisible = useFaceVisible(row);
  return (
    <>
      <nav aria-label="Room" className="room-tabs">
        {panes.map((pane, index) => (
          <a
            key={pane}
            href={`#${pane}`}
            aria-current={activePane === pane ? "true" : undefined}
            className={clsx(
              TAB,
              activePane === pane ? "border-ember text-ink" : "border-transparent text-soft",
            )}
            onClick={(event) => {
              event.preventDefault();
              if (row.current) row.current.scrollLeft = index * row.current.clientWidth;
            }}
          >
            {LABELS[pane]}
            {pane === "people" && <span className="tabular text-sm">{room.count}</span>}
            {pane === "chat" && unread > 0 && (
              <span className="tabular rounded-full bg-ember px-1.5 text-sm text-on-ember">
                {unread}
                <span className="sr-only"> unread</span>
              </span>
            )}
          </a>
        ))}
        <Link
          to={`${pathname}/goals`}
          prefetch="intent"
          className={clsx(TAB, "border-transparent text-soft")}
        >
          Goals
        </Link>
      </nav>
      {!isFaceVisible && <SmallTime me={me} />}
    </>
  );
}

/** Whether the numerals of the face are on the screen. The bar then has no time, which would appear twice. */
function useFaceVisible(row: RefObject<HTMLElement>): boolean {
  const room = useLive("room");
  const [isVisible, setVisible] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: A change of the room may add or remove the face.
  useEffect(() => {
    const numerals = row.current?.querySelector(".timer-face-numerals");
    if (!numerals) return setVisible(false);
    const observer = new IntersectionObserver(([entry]) => setVisible(entry?.isIntersecting ?? false), {
      threshold: 0.5,
    });
    observer.observe(numerals);
    return () => observer.disconnect();
  }, [row, room]);
  return isVisible;
}

/** How many lines others have written since the chat was last on the screen. */
function useUnread(me: string | null, lastRead: number, isChatShown: boolean): number {
  const messages = useLive("messages");
  const [lastReadSeq, setLastReadSeq] = useState(lastRead);
  const newest = messages.reduce((last, { seq }) => Math.max(last, seq ?? 0), lastReadSeq);
  useEffect(() => {
    if (isChatShown) setLastReadSeq(newest);
  }, [isChatShown, newest]);
  if (isChatShown) return 0;
  return messages.filter(({ seq, username }) => seq !== null && seq > lastReadSeq && username !== me).length;
}

/** The time that the face shows, small: with the arc, and a word for the state. */
function SmallTime({ me }: { me: string | null }) {
  const room = useLive("room");
  const { schedule } = useLiveSchedule(room, true);
  const { value } = useFlips((now) => {
    const stage = stageAt(room, schedule, now);
    if (stage.kind === "host-awaited") return "||1|Waiting for the host";
    if (stage.kind === "gap") return `${formatClock(stage.at - now, "ceil")}||1|Until the next`;
    if (stage.kind !== "part") return "||";
    const { label, remaining, span, isMyTurn } = readFace(stage.part, now, me, [], room.participants);
    const share = span > 0 ? Math.min(1, Math.max(0, remaining / span)) : 1;
    const word = stage.part.state === "paused" && !isMyTurn ? "Paused" : label;
    return `${formatClock(remaining, "ceil")}|${isMyTurn ? "me" : ""}|${share.toFixed(2)}|${word}`;
  });
  const [clock, isMine, share, ...stateParts] = value.split("|");
  // A title or a name may contain the separator.
  const stateText = stateParts.join("|");
  if (!stateText)
    return room.endedAt === null ? null : <Countdown to={room.endedAt} label="Ends in" className="ms-auto" />;
  return (
    // The minimum width keeps the clock on one line; the tabs beside it scroll instead.
    <p
      className="ms-auto flex items-center gap-2"
      style={{ minWidth: clock ? `calc(72px + ${clock.length}ch)` : 0 }}
    >
      <svg
        viewBox={`0 0 ${FACE.width} ${FACE.height}`}
        className="h-[28px] shrink-0 overflow-visible"
        aria-hidden="true"
      >
        <path d={ARC_PATH} fill="none" stroke="var(--line)" strokeWidth="16" strokeLinecap="round" />
        <path
          d={ARC_PATH}
          fill="none"
          pathLength={1}
          stroke="var(--glow)"
          strokeWidth="20"
          strokeDasharray={`${share} 2`}
        />
      </svg>
      <span className="flex min-w-0 flex-col leading-tight">
        {clock && (
          <span className="tabular whitespace-nowrap font-title font-bold" suppressHydrationWarning>
            {clock}
          </span>
        )}
        <span className={clsx("truncate text-sm", isMine ? "font-semibold text-ember" : "text-soft")}>
          {stateText}
        </span>
      </span>
    </p>
  );
}

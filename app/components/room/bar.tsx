// The bar of a running session on a phone: the panes with the count of unread lines, the viewer's goals, and the time,
// small, while the face is out of sight. It loads after the page, into its own place.
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
  shown: Pane;
  row: RefObject<HTMLElement>;
};

export default function RoomBar({ me, lastRead, panes, shown, row }: Props) {
  const room = useLive("room");
  const { pathname } = useLocation();
  const unread = useUnread(me, lastRead, shown === "chat");
  const isFaceShown = useFaceShown(row);
  return (
    <>
      <nav aria-label="Room" className="room-tabs">
        {panes.map((pane, index) => (
          <a
            key={pane}
            href={`#${pane}`}
            aria-current={shown === pane ? "true" : undefined}
            className={clsx(TAB, shown === pane ? "border-ember text-ink" : "border-transparent text-soft")}
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
      {!isFaceShown && <SmallTime me={me} />}
    </>
  );
}

/** Whether the numerals of the face are on the screen. The bar then has no time, which would appear twice. */
function useFaceShown(row: RefObject<HTMLElement>): boolean {
  const room = useLive("room");
  const [isShown, setShown] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: A change of the room may bring or take the face.
  useEffect(() => {
    const numerals = row.current?.querySelector(".timer-face-numerals");
    if (!numerals) return setShown(false);
    const watch = new IntersectionObserver(([entry]) => setShown(entry?.isIntersecting ?? false), {
      threshold: 0.5,
    });
    watch.observe(numerals);
    return () => watch.disconnect();
  }, [row, room]);
  return isShown;
}

/** The lines of others since the chat was last on the screen. */
function useUnread(me: string | null, lastRead: number, isChatShown: boolean): number {
  const messages = useLive("messages");
  const [read, setRead] = useState(lastRead);
  const newest = messages.reduce((last, { seq }) => Math.max(last, seq ?? 0), read);
  useEffect(() => {
    if (isChatShown) setRead(newest);
  }, [isChatShown, newest]);
  if (isChatShown) return 0;
  return messages.filter(({ seq, username }) => seq !== null && seq > read && username !== me).length;
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
  const [clock, isMine, share, ...words] = value.split("|");
  // A title or a name may contain the separator.
  const word = words.join("|");
  if (!word)
    return room.endedAt === null ? null : <Countdown to={room.endedAt} label="Ends in" className="ms-auto" />;
  return (
    // The tabs scroll before the clock breaks.
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
          {word}
        </span>
      </span>
    </p>
  );
}

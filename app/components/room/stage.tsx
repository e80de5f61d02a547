// The stage of a room: timer face, next part, ribbon, delay. It is the only glowing element of a session's page,
// computed from instants, and the same in full screen and for spectators.

import { useLocation } from "@remix-run/react";
import clsx from "clsx";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { ScheduleRibbon, type ScheduleRibbonProps } from "~/components/schedule/ribbon";
import { TimerFace, type TimerFaceProps } from "~/components/schedule/timer-face";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { formatClock } from "~/domain/duration-text";
import { planOffsetSeconds } from "~/domain/schedule/advance";
import type { Part } from "~/domain/schedule/shape";
import { timerAt } from "~/domain/schedule/timers";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { type Instant, instant, MINUTE, SECOND } from "~/domain/time";
import { useFlips, useNow } from "~/hooks/use-now";
import { useLive } from "./live-context";
import {
  maskHiddenParts,
  nextOf,
  planWords,
  readFace,
  ribbonAt,
  type Stage as StageReading,
  stageAt,
} from "./stage-reading";
import { useLiveSchedule } from "./use-live-schedule";

const FullScreenFace = lazy(async () => ({
  default: (await import("~/components/schedule/full-screen-face")).FullScreenFace,
}));

/** The URL fragment that opens the full-screen timer. */
export const BIG_TIMER = "#timer";

export type StageProps = {
  me: string | null;
  /** Host, admins, super admin: hidden parts show their titles. */
  mayRun: boolean;
  /** At the end of the stage, beside Full screen. */
  tools?: ReactNode;
  share?: ReactNode;
  /** Directly under the face: the ready mark, the question, the box to answer in. */
  children?: ReactNode;
  /** The viewer answers now, so the face leaves the height to the box. */
  isAnswered?: boolean;
  /** Under them: the host's controls, given the current and the next part. */
  controls?: (stage: StageReading, next: { part: Part; at: Instant | null } | null) => ReactNode;
};

export function Stage({ me, mayRun, controls, tools, share, children, isAnswered }: StageProps) {
  const room = useLive("room");
  const [isFull, setFull] = useBigTimer();
  // Scheduled changes: the session's own start and end, then its parts.
  const { value: status, at: flippedAt } = useFlips((now) => statusAt(room, now));
  const { schedule, roster, at } = useLiveSchedule(room, status === SESSION_STATUS.running);
  const slow = useNow(MINUTE / 4);
  const now = instant(Math.max(at, slow, flippedAt));
  const shown = maskHiddenParts(schedule, mayRun);
  const stage = stageAt(room, shown, now);
  const next = status === SESSION_STATUS.running ? nextOf(shown, now) : null;
  const { value: offset } = useFlips((instantNow) =>
    status === SESSION_STATUS.running
      ? planWords(planOffsetSeconds(schedule, instantNow, roster.length))
      : null,
  );
  const face = useFace(stage, room, me, mayRun);
  const ribbon: ScheduleRibbonProps = {
    parts: ribbonAt(shown, now, Math.max(1, roster.length)),
    next:
      status === SESSION_STATUS.running && next && stage.kind === "part"
        ? { title: next.part.title || "Timer", at: next.at }
        : null,
  };
  return (
    <section aria-label="Timer" className="flex flex-col items-center gap-3">
      {face && (
        <TimerFace
          {...face.props}
          detail={<FaceDetail face={face} />}
          className={clsx("is-live", isAnswered && "is-answered")}
        />
      )}
      {stage.kind === "part" && stage.beside.length > 0 && (
        <ul className="flex flex-wrap justify-center gap-2">
          {stage.beside.map((part) => (
            <li key={part.id} className="max-w-full">
              <Badge tone="ember">
                <span className="truncate">{part.title || "Timer"}</span>
                <PartClock part={part} />
              </Badge>
            </li>
          ))}
        </ul>
      )}
      {children}
      {controls?.(stage, next)}
      {ribbon.parts.length > 0 && <ScheduleRibbon {...ribbon} label="The session's timers" isListed />}
      {offset && <p className="text-sm text-soft">{offset}</p>}
      <div className="stage-tools">
        {tools ?? <span />}
        <div className="flex items-center">
          {share}
          {face && (
            <Button
              variant="ghost"
              className="needs-script px-3! max-sm:[&>svg]:hidden"
              onClick={() => setFull(true)}
            >
              <Icon name="expand" />
              Full screen
            </Button>
          )}
        </div>
      </div>
      {isFull && face && (
        <Suspense>
          <FullScreenFace
            face={{ ...face.props, detail: <FaceDetail face={face} /> }}
            {...(ribbon.parts.length > 0 ? { ribbon } : {})}
            onClose={() => setFull(false)}
          />
        </Suspense>
      )}
    </section>
  );
}

/** The timers after the end. */
export function Recap() {
  const room = useLive("room");
  const roster = Math.max(1, room.count);
  const parts = ribbonAt(maskHiddenParts(room.schedule, false), instant(room.endedAt ?? 0), roster);
  return parts.length > 0 && <ScheduleRibbon parts={parts} label="The session's timers" />;
}

/** A link that ends in #timer opens the full-screen timer at once, for a screen on the wall. */
function useBigTimer(): [boolean, (isOpen: boolean) => void] {
  const { hash } = useLocation();
  const [isFull, setFull] = useState(false);
  useEffect(() => setFull(hash === BIG_TIMER), [hash]);
  return [isFull, setFull];
}

const waitingFor = (mayRun: boolean): string =>
  mayRun ? "Waiting for you to start" : "Waiting for the host";

type Face = { props: Omit<TimerFaceProps, "detail">; part: Part | null; detail: string; isMyTurn: boolean };

/** The face; it renders when a word changes, while the numerals draw themselves. */
function useFace(
  stage: StageReading,
  room: { title: string; startedAt: Instant | null; endedAt: Instant | null; duration: number },
  me: string | null,
  mayRun: boolean,
): Face | null {
  const { title: sessionTitle } = room;
  const part = stage.kind === "part" ? stage.part : null;
  const { at } = useFlips((now) => {
    if (!part) return "";
    const { label, detail, span } = readFace(part, now, me);
    return `${label}|${detail}|${span}`;
  });
  switch (stage.kind) {
    case "part": {
      const reading = readFace(stage.part, at, me);
      return {
        part: stage.part,
        detail: reading.detail,
        isMyTurn: reading.isMyTurn,
        props: {
          title: stage.part.title || "Timer",
          state: stage.part.state === "paused" ? "paused" : "running",
          label: reading.label,
          span: reading.span,
          remainingAt: (now) => readFace(stage.part, now, me).remaining,
        },
      };
    }
    case "host-awaited": {
      const { part: waiting } = stage;
      return {
        part: null,
        detail: mayRun ? "" : "The host starts this timer.",
        isMyTurn: false,
        props: {
          title: waiting.title || "Timer",
          state: "waiting",
          label: waitingFor(mayRun),
          span: 0,
          remainingAt: () => timerAt(waiting, instant(0)).remaining,
        },
      };
    }
    case "gap":
      return {
        part: null,
        detail: "",
        isMyTurn: false,
        props: {
          title: stage.part.title || "Timer",
          state: "waiting",
          span: 0,
          remainingAt: (now) => stage.at - now,
        },
      };
    case "before":
      return stage.startsAt === null
        ? {
            part: null,
            detail: mayRun
              ? "You start this session when everybody is here."
              : "The host starts this session when everybody is here.",
            isMyTurn: false,
            props: {
              title: sessionTitle,
              state: "waiting",
              label: waitingFor(mayRun),
              span: 0,
              remainingAt: () => room.duration * SECOND,
            },
          }
        : {
            part: null,
            detail: "",
            isMyTurn: false,
            props: {
              title: sessionTitle,
              state: "waiting",
              span: 0,
              remainingAt: (now) => (stage.startsAt ?? now) - now,
            },
          };
    case "open": {
      const { endedAt } = room;
      return endedAt === null
        ? null
        : {
            part: null,
            detail: "",
            isMyTurn: false,
            props: {
              title: sessionTitle,
              state: "running",
              label: "Ends in",
              span: room.startedAt === null ? room.duration * SECOND : endedAt - room.startedAt,
              remainingAt: (now) => endedAt - now,
            },
          };
    }
    case "after":
      return null;
  }
}

function FaceDetail({ face }: { face: Face }) {
  return face.detail || face.part ? (
    <span className={face.isMyTurn ? "font-semibold text-ember" : undefined}>
      {face.detail}
      {face.part && face.detail && <WholeLeft part={face.part} />}
    </span>
  ) : null;
}

/** If the numerals show a piece of the part, the remaining time of the whole is beside them. */
function WholeLeft({ part }: { part: Part }) {
  const { value } = useFlips((now) => formatClock(timerAt(part, now).remaining, "ceil"));
  return <span className="tabular"> · {value} in all</span>;
}

function PartClock({ part }: { part: Part }) {
  const { value } = useFlips((now) => formatClock(timerAt(part, now).remaining, "ceil"));
  return <span className="tabular">{value}</span>;
}

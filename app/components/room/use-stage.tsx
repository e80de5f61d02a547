// The reading of a session's timers at present: for the stage of its page, and for the stage that fills a screen.
import type { ScheduleRibbonProps } from "~/components/schedule/ribbon";
import type { TimerFaceProps } from "~/components/schedule/timer-face";
import { formatClock } from "~/domain/duration-text";
import { planOffsetSeconds } from "~/domain/schedule/advance";
import type { Part } from "~/domain/schedule/shape";
import { timerAt } from "~/domain/schedule/timers";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { instant, MINUTE, SECOND } from "~/domain/time";
import { useFlips, useNow } from "~/hooks/use-now";
import type { LiveRoom } from "~/wire/room/live-room";
import {
  maskHiddenParts,
  nextOf,
  planOffsetText,
  readFace,
  ribbonAt,
  type Stage,
  stageAt,
} from "./stage-reading";
import { useLiveSchedule } from "./use-live-schedule";

export type StageReading = ReturnType<typeof useStage>;

/** `me`: the viewer's name in the session. `mayRun`: hidden parts show their titles. `online`: the people in the room. */
export function useStage(room: LiveRoom, me: string | null, mayRun: boolean, online?: readonly string[]) {
  // The first hook renders at the session's own start and end, the second at those of its parts.
  const { value: status, at: flippedAt } = useFlips((now) => statusAt(room, now));
  const { schedule, roster, at } = useLiveSchedule(room, status === SESSION_STATUS.running);
  const coarseNow = useNow(MINUTE / 4);
  const now = instant(Math.max(at, coarseNow, flippedAt));
  const maskedSchedule = maskHiddenParts(schedule, mayRun);
  const stage = stageAt(room, maskedSchedule, now);
  const next = status === SESSION_STATUS.running ? nextOf(maskedSchedule, now) : null;
  const { value: offset } = useFlips((instantNow) =>
    status === SESSION_STATUS.running
      ? planOffsetText(planOffsetSeconds(schedule, instantNow, roster.length))
      : null,
  );
  const face = useFace(stage, room, me, mayRun, online);
  const ribbon: ScheduleRibbonProps = {
    parts: ribbonAt(maskedSchedule, now, Math.max(1, roster.length)),
    next: face?.next
      ? { title: face.next, at: null }
      : next && stage.kind === "part"
        ? { title: next.part.title || "Timer", at: next.at }
        : null,
  };
  return { status, stage, next, face, ribbon, offset };
}

const waitingFor = (mayRun: boolean): string =>
  mayRun ? "Waiting for you to start" : "Waiting for the host";

export type Face = {
  props: Omit<TimerFaceProps, "detail">;
  part: Part | null;
  detail: string;
  isMyTurn: boolean;
  /** The next person of a round. */
  next?: string | null;
};

/** The face of a stage. It renders only when a text changes, because the numerals draw themselves. */
function useFace(
  stage: Stage,
  room: Pick<LiveRoom, "title" | "startedAt" | "endedAt" | "duration" | "participants">,
  me: string | null,
  mayRun: boolean,
  online?: readonly string[],
): Face | null {
  const { title: sessionTitle } = room;
  const part = stage.kind === "part" ? stage.part : null;
  const { at } = useFlips((now) => {
    if (!part) return "";
    const { label, detail, span } = readFace(part, now, me, online, room.participants);
    return `${label}|${detail}|${span}`;
  });
  switch (stage.kind) {
    case "part": {
      const reading = readFace(stage.part, at, me, online, room.participants);
      return {
        part: stage.part,
        detail: reading.detail,
        isMyTurn: reading.isMyTurn,
        next: reading.next,
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

export function FaceDetail({ face }: { face: Face }) {
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

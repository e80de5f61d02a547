// The stage of a room: timer face, next part, ribbon, delay. It is the only glowing element of a session's page,
// computed from instants, and the same in full screen and for spectators.

import { useLocation } from "@remix-run/react";
import clsx from "clsx";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { ScheduleRibbon } from "~/components/schedule/ribbon";
import { TimerFace } from "~/components/schedule/timer-face";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { formatClock } from "~/domain/duration-text";
import type { Part } from "~/domain/schedule/shape";
import { timerAt } from "~/domain/schedule/timers";
import { type Instant, instant } from "~/domain/time";
import { useFlips } from "~/hooks/use-now";
import { useLive } from "./live-context";
import { maskHiddenParts, ribbonAt, type Stage as StageState } from "./stage-reading";
import { FaceDetail, useStage } from "./use-stage";

const StageDialog = lazy(() => import("./stage-dialog"));

/** The URL fragment that opens the full-screen timer. */
export const FULL_SCREEN_HASH = "#timer";

export type StageProps = {
  me: string | null;
  /** Host, admins, super admin: hidden parts show their titles. */
  mayRun: boolean;
  /** Only its people see the session, so no address shows its stage to others (J-10). */
  isPrivate: boolean;
  /** At the end of the stage, beside Full screen. */
  tools?: ReactNode;
  share?: ReactNode;
  /** Directly under the face: the ready mark, the question, the box to answer in. */
  children?: ReactNode;
  /** Makes the face small, because the viewer answers or reads the answers of others below it. */
  isCompact?: boolean;
  /** The host's controls, below `children`, given the current and the next part. */
  controls?: (stage: StageState, next: { part: Part; at: Instant | null } | null) => ReactNode;
};

export function Stage({ me, mayRun, isPrivate, controls, tools, share, children, isCompact }: StageProps) {
  const room = useLive("room");
  const [isFull, setFull] = useFullScreen();
  const reading = useStage(room, me, mayRun, useLive("online"));
  const { stage, next, face, ribbon, offset } = reading;
  const detail = face && <FaceDetail face={face} />;
  return (
    <section aria-label="Timer" className="relative flex flex-col items-center gap-3">
      {face && (
        <TimerFace
          {...face.props}
          detail={detail}
          // The page's heading has the same title.
          isTitleHidden={face.props.title === room.title}
          className={clsx("is-live", isCompact && "is-answered")}
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
          <StageDialog {...{ room, me, reading, detail, isPrivate }} onClose={() => setFull(false)} />
        </Suspense>
      )}
    </section>
  );
}

/** The timers of an ended session. */
export function EndedRibbon() {
  const room = useLive("room");
  const roster = Math.max(1, room.count);
  const parts = ribbonAt(maskHiddenParts(room.schedule, false), instant(room.endedAt ?? 0), roster);
  return parts.length > 0 && <ScheduleRibbon parts={parts} label="The session's timers" />;
}

/** A link that ends in #timer opens the full-screen timer at once, for a screen on the wall. */
function useFullScreen(): [boolean, (isOpen: boolean) => void] {
  const { hash } = useLocation();
  const [isFull, setFull] = useState(false);
  useEffect(() => setFull(hash === FULL_SCREEN_HASH), [hash]);
  return [isFull, setFull];
}

function PartClock({ part }: { part: Part }) {
  const { value } = useFlips((now) => formatClock(timerAt(part, now).remaining, "ceil"));
  return <span className="tabular">{value}</span>;
}

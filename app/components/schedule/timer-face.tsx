// The timer face: numerals as large as possible, the remaining time as an arc with a light at its end. It draws from
// instants on animation frames; with reduced motion only the numerals change.
import clsx from "clsx";
import { type CSSProperties, type ReactNode, type RefObject, useId, useRef } from "react";
import { Time } from "~/components/ui/time";
import { formatClock } from "~/domain/duration-text";
import { spokenSpan } from "~/domain/spoken-span";
import { type Instant, instant, SECOND } from "~/domain/time";
import { useFlips, useFrame } from "~/hooks/use-now";
import { useReducedMotion } from "~/hooks/use-reduced-motion";
import { useShell } from "~/hooks/use-shell";
import { ARC_PATH, clockEms, FACE, lightAt, numeralSize } from "./face-geometry";

export type FaceState = "waiting" | "running" | "paused" | "finished";

export type TimerFaceProps = {
  /** The subject of the time: the part, the goal. */
  title: string;
  state: FaceState;
  /** Milliseconds left at an instant; while waiting, until the start. Pure. */
  remainingAt: (now: Instant) => number;
  /** Milliseconds of the whole duration; 0 draws a full arc. */
  span: number;
  /** Above the numerals; by default the state. */
  label?: string;
  /** Below the numerals, e.g. "Set 2 of 3 · Rest". */
  detail?: ReactNode;
  /** Numerals that count up: the value of `shownAt`, in milliseconds (a log without planned duration). */
  shownAt?: (now: Instant) => number;
  isTitleHidden?: boolean;
  /** Renders the numerals; only in the browser, because the edge updates them in a cached page only as text (E1). */
  numerals?: (clock: string) => ReactNode;
  className?: string;
};

const STATE_LABELS: Record<FaceState, string> = {
  waiting: "Starts in",
  running: "Time left",
  paused: "Paused",
  finished: "Done",
};

const ratioOf = (remaining: number, span: number): number =>
  span > 0 ? Math.min(1, Math.max(0, remaining / span)) : 1;

/** `--clock-ems` is for a stage that is taller than wide, whose numerals are larger than the arc allows. */
const sizeStyle = (clock: string) =>
  ({ "--clock-size": `${numeralSize(clock)}cqi`, "--clock-ems": clockEms(clock) }) as CSSProperties;

export function TimerFace(props: TimerFaceProps) {
  const {
    title,
    state,
    remainingAt,
    span,
    label = STATE_LABELS[state],
    detail,
    shownAt = remainingAt,
    isTitleHidden,
    numerals,
    className,
  } = props;
  const arc = useRef<SVGPathElement>(null);
  const light = useRef<SVGGElement>(null);
  const isStill = useReducedMotion();
  const shownMillis = (now: Instant) =>
    state === "finished" && shownAt === remainingAt ? 0 : Math.max(0, shownAt(now));
  const shareLeft = (now: Instant) =>
    state === "finished" || state === "waiting" ? 1 : ratioOf(remainingAt(now), span);
  // Remaining time is rounded up, so that 00:00 is the end itself; elapsed time is rounded down.
  const rounding = shownAt === remainingAt ? "ceil" : "floor";
  const { value: clock, at: flippedAt } = useFlips((now) => formatClock(shownMillis(now), rounding));
  const millisNow = shownMillis(flippedAt);
  const spoken = spokenSpan(millisNow);
  // Standing numerals have no end. In a cached page the edge computes the moving ones at the time of the answer (E1).
  const endsAt = shownMillis(instant(flippedAt + SECOND)) < millisNow ? flippedAt + millisNow : undefined;
  const ratio = Math.round(shareLeft(flippedAt) * 10_000) / 10_000;

  const drawnShare = useRef(-1);
  useFrame(
    (now) => {
      // A ten-thousandth of the arc is a twentieth of a pixel, too little to repaint.
      const share = Math.round(shareLeft(now) * 10_000) / 10_000;
      if (share === drawnShare.current) return;
      drawnShare.current = share;
      const point = lightAt(share);
      arc.current?.setAttribute("stroke-dasharray", `${share} 2`);
      light.current?.setAttribute("transform", `translate(${point.x} ${point.y})`);
    },
    !isStill && state === "running",
  );

  return (
    <div className={clsx("timer-face", `is-${state}`, className)}>
      <div
        role="timer"
        tabIndex={-1}
        aria-live="off"
        aria-label={`${title}. ${label}: ${spoken}`}
        className="timer-face-box"
      >
        <FaceDrawing state={state} ratio={ratio} arc={arc} light={light} />
        <div aria-hidden="true" className="timer-face-words">
          <p className="timer-face-label">{label}</p>
          <p
            data-until={endsAt}
            className="timer-face-numerals"
            style={sizeStyle(clock)}
            suppressHydrationWarning
          >
            {numerals ? numerals(clock) : clock}
          </p>
        </div>
      </div>
      <div
        className={clsx(
          "flex flex-col items-center gap-1 text-center",
          isTitleHidden && !detail && "sr-only",
        )}
      >
        <p className={clsx("timer-face-title", isTitleHidden && "sr-only")}>{title}</p>
        {detail && <p className="text-soft">{detail}</p>}
        {/* React renders the content of noscript only on the server. */}
        {(state === "running" || state === "waiting") &&
          (import.meta.env.SSR ? <StillClock /> : <noscript />)}
      </div>
    </div>
  );
}

type FaceDrawingProps = {
  state: FaceState;
  /** The remaining share (0–1) when it renders; frames then move the arc and the light. */
  ratio: number;
  arc: RefObject<SVGPathElement>;
  light: RefObject<SVGGElement>;
};

function FaceDrawing({ state, ratio, arc, light }: FaceDrawingProps) {
  const id = useId();
  const point = lightAt(ratio);
  const stroke =
    state === "running"
      ? "var(--glow)"
      : state === "paused"
        ? `url(#${id}-hatch)`
        : state === "waiting"
          ? "var(--dusk)"
          : "var(--pine)";
  return (
    <svg
      viewBox={`0 0 ${FACE.width} ${FACE.height}`}
      className="block w-full overflow-visible"
      aria-hidden="true"
    >
      <defs>
        <radialGradient id={`${id}-warm`} cx="0.5" cy="1" r="1" gradientTransform="translate(0 0)">
          <stop offset="0" stopColor="var(--glow)" stopOpacity="0.3" />
          <stop offset="0.55" stopColor="var(--glow)" stopOpacity="0.09" />
          <stop offset="1" stopColor="var(--glow)" stopOpacity="0" />
        </radialGradient>
        <radialGradient id={`${id}-halo`}>
          <stop offset="0" stopColor="var(--glow)" stopOpacity="0.75" />
          <stop offset="1" stopColor="var(--glow)" stopOpacity="0" />
        </radialGradient>
        <pattern
          id={`${id}-hatch`}
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="2.2" height="4" fill="var(--edge)" />
        </pattern>
      </defs>
      {state === "running" && <path d={`${ARC_PATH}Z`} fill={`url(#${id}-warm)`} />}
      <path d={ARC_PATH} fill="none" stroke="var(--line)" strokeWidth="2.5" strokeLinecap="round" />
      <path
        ref={arc}
        d={ARC_PATH}
        fill="none"
        pathLength={1}
        stroke={stroke}
        strokeWidth={state === "waiting" ? 2.5 : 5}
        strokeLinecap={ratio > 0 && state !== "paused" ? "round" : "butt"}
        strokeDasharray={`${ratio} 2`}
        className="timer-face-arc"
      />
      {(state === "running" || state === "paused") && (
        <g ref={light} transform={`translate(${point.x} ${point.y})`}>
          {state === "running" && <circle r="13" fill={`url(#${id}-halo)`} />}
          <circle
            r="5"
            fill={state === "running" ? "var(--glow)" : "var(--edge)"}
            stroke="var(--paper)"
            strokeWidth="1.5"
          />
        </g>
      )}
    </svg>
  );
}

/** Without JavaScript the numerals stand still. */
function StillClock() {
  const { now } = useShell();
  return (
    <noscript>
      <p className="text-sm text-soft">
        As of <Time at={now} look="time" />. Reload the page to see the clock move on.
      </p>
    </noscript>
  );
}

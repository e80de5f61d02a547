// The browser's view of the present: one animation-frame loop for the whole page, read through a correctable clock.
// The first render uses the server's instant, so that HTML from both sides is the same.
import { createContext, startTransition, useContext, useEffect, useRef, useState } from "react";
import { type Instant, instant } from "~/domain/time";
import { useShell } from "./use-shell";

/** `now()` is the server's time as best known here, in epoch milliseconds; a room provides a measured one. */
export type Clock = { now(): number };

export const ClockContext = createContext<Clock>({ now: () => Date.now() });

type OnFrame = () => void;
const watchers = new Set<OnFrame>();
let frame = 0;

function runFrame() {
  frame = watchers.size > 0 ? requestAnimationFrame(runFrame) : 0;
  for (const watch of watchers) watch();
}

function watchFrames(watch: OnFrame): () => void {
  watchers.add(watch);
  if (frame === 0) frame = requestAnimationFrame(runFrame);
  return () => {
    watchers.delete(watch);
  };
}

/** Calls `draw(now)` on every animation frame while mounted, without rendering. */
export function useFrame(draw: (now: Instant) => void, isActive = true): void {
  const clock = useContext(ClockContext);
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(() => {
    if (!isActive) return;
    return watchFrames(() => latest.current(instant(clock.now())));
  }, [clock, isActive]);
}

// Until the page has come alive every reading is the server's, so that HTML from both sides is the same.
let isAlive = false;

function useFirstNow(): Instant {
  const shell = useShell();
  const clock = useContext(ClockContext);
  const [first] = useState(() => (isAlive ? clock.now() : shell.now));
  useEffect(() => {
    isAlive = true;
  }, []);
  return instant(first);
}

/**
 * A value made from the present, watched on animation frames; renders again only when it changes (a formatted time
 * changes once a second). `at` is the instant of that change.
 */
export function useFlips<T extends string | number | boolean | null>(
  read: (now: Instant) => T,
): { value: T; at: Instant } {
  const first = useFirstNow();
  const [at, setAt] = useState(first);
  const value = read(at);
  const shown = useRef(value);
  shown.current = value;
  useFrame((now) => {
    const next = read(now);
    if (next === shown.current) return;
    shown.current = next;
    setAt(now);
  });
  return { value, at };
}

/**
 * The present, read anew at every turn of `stepMs`, by a timer (lists need no frames). `phase` moves the turn: a
 * countdown to an instant passes that instant, so that its seconds flip when they are up.
 */
export function useNow(stepMs = 1000, phase = 0): Instant {
  const first = useFirstNow();
  const clock = useContext(ClockContext);
  const [now, setNow] = useState<number>(first);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const at = clock.now();
      // Never before what somebody presses or types: a list of clocks is rendered in small pieces.
      startTransition(() => setNow(at));
      const over = (((at - phase) % stepMs) + stepMs) % stepMs;
      timer = setTimeout(tick, stepMs - over + 1);
    };
    const wake = () => {
      if (document.visibilityState !== "visible") return;
      clearTimeout(timer);
      tick();
    };
    tick();
    document.addEventListener("visibilitychange", wake);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
    };
  }, [clock, stepMs, phase]);
  return instant(now);
}

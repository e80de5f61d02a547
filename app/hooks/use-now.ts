// The current time in the browser, on a correctable clock. The first render uses the server's instant, so that
// hydration matches.
import { createContext, startTransition, useContext, useEffect, useRef, useState } from "react";
import { notBefore } from "~/domain/frames";
import { type Instant, instant } from "~/domain/time";
import { flipInFrame, watchFrames } from "./frames";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect";
import { useShell } from "./use-shell";

/** `now()` is the best estimate of the server's time, in epoch milliseconds; a room provides a measured clock. */
export type Clock = { now(): number };

export const ClockContext = createContext<Clock>({ now: () => Date.now() });

/**
 * Calls `draw` on every animation frame while mounted, with the instant at which the frame is seen; without rendering.
 */
export function useFrame(draw: (seenAt: Instant, now: Instant) => void, isActive = true): void {
  const clock = useContext(ClockContext);
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(() => {
    if (!isActive) return;
    return watchFrames((aheadMs) => {
      const now = clock.now();
      latest.current(instant(now + aheadMs), instant(now));
    });
  }, [clock, isActive]);
}

/**
 * False until the page has hydrated. Until then every reading is the server's instant, so that the HTML of both sides
 * is the same.
 */
let isHydrated = false;
export const isPageHydrated = (): boolean => isHydrated;

/**
 * True within a part that is in the page's HTML and hydrates after the page; it too first reads the server's instant.
 */
export const LatePartContext = createContext(false);

function useFirstNow(): Instant {
  const shell = useShell();
  const clock = useContext(ClockContext);
  const isLate = useContext(LatePartContext);
  const [first] = useState(() => (isHydrated && !isLate ? clock.now() : shell.now));
  useEffect(() => {
    isHydrated = true;
  }, []);
  return instant(first);
}

/**
 * A value computed from the time on animation frames; it renders only when the value changes. `at` is the instant of
 * that change. The value is drawn when it is due; for an act that must not come before its time, `isAct` takes the
 * present instead of the instant at which the frame is seen. A value that time does not change needs no frames:
 * `isMoving` is false.
 */
export function useFlips<T extends string | number | boolean | null>(
  read: (now: Instant) => T,
  { isAct = false, isMoving = true } = {},
): { value: T; at: Instant } {
  const first = useFirstNow();
  const clock = useContext(ClockContext);
  const [at, setAt] = useState(first);
  const value = read(at);
  const latest = useRef({ value, at });
  latest.current.value = value;
  /** Reads the value at `next`; true when it differs from the shown one. */
  const readNext = (next: Instant): boolean => {
    const previous = latest.current;
    const at = notBefore(previous.at, next);
    latest.current = { value: read(at), at };
    return latest.current.value !== previous.value;
  };
  // Before the first frame is drawn: `at` is the instant of the last change, and the room may have changed since.
  useBrowserLayoutEffect(() => {
    if (isHydrated && isMoving && readNext(instant(clock.now()))) setAt(latest.current.at);
  });
  useFrame((seenAt, now) => {
    if (!readNext(isAct ? now : seenAt)) return;
    const { at } = latest.current;
    flipInFrame(() => setAt(at));
  }, isMoving);
  return { value, at };
}

/**
 * The current time, updated every `stepMs` by a timer. `phase` shifts the updates, so that a countdown changes exactly
 * when a second is over.
 */
export function useNow(stepMs = 1000, phase = 0): Instant {
  const first = useFirstNow();
  const clock = useContext(ClockContext);
  const [now, setNow] = useState<number>(first);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const at = clock.now();
      // Clicks and keys come first: a list of clocks renders in small slices.
      startTransition(() => setNow(at));
      const sinceStep = (((at - phase) % stepMs) + stepMs) % stepMs;
      timer = setTimeout(tick, stepMs - sinceStep + 1);
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

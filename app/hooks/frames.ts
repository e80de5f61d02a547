// The animation frames of the page: one loop for all clocks. It tells them how far ahead their drawing is seen.
import { flushSync } from "react-dom";
import { nextFrameAt, STARTS_KEPT } from "~/domain/frames";

/** Draws for an instant so many milliseconds ahead: what an animation frame draws is seen when the frame ends. */
type Draw = (aheadMs: number) => void;

const watchers = new Set<Draw>();
let frame = 0;
/** When the latest frames started. */
let starts: number[] = [];
/** The state changes of the present frame. */
let flips: (() => void)[] = [];

function runFrame(startedAt: number) {
  frame = watchers.size > 0 ? requestAnimationFrame(runFrame) : 0;
  starts = frame === 0 ? [] : [...starts, startedAt].slice(-STARTS_KEPT);
  const seenAt = nextFrameAt(starts, performance.now());
  // Each clock counts from its own present, so that all draw the same instant however late in the frame they run.
  for (const watch of watchers) watch(Math.max(0, seenAt - performance.now()));
  if (flips.length === 0) return;
  const dueCallbacks = flips;
  flips = [];
  // Otherwise React renders after this frame is drawn, and every flip comes a frame late.
  flushSync(() => {
    for (const flip of dueCallbacks) flip();
  });
}

/** Calls `watch` on every animation frame until the returned function is called. */
export function watchFrames(watch: Draw): () => void {
  watchers.add(watch);
  if (frame === 0) frame = requestAnimationFrame(runFrame);
  return () => {
    watchers.delete(watch);
  };
}

/** Changes state within the present frame. */
export const flipInFrame = (change: () => void): void => {
  flips.push(change);
};

// The animation frames of the page: one loop that draws all clocks.
import { flushSync } from "react-dom";
import { MAX_FRAME_STARTS, nextFrameAt } from "~/domain/frames";

/** Draws the instant that is `aheadMs` ahead, because a drawing is seen only when its animation frame ends. */
type Draw = (aheadMs: number) => void;

const drawings = new Set<Draw>();
let frame = 0;
/** When the latest frames started. */
let startTimes: number[] = [];
/** The changes of state that wait for the end of the current frame. */
let flips: (() => void)[] = [];

function runFrame(startedAt: number) {
  frame = drawings.size > 0 ? requestAnimationFrame(runFrame) : 0;
  startTimes = frame === 0 ? [] : [...startTimes, startedAt].slice(-MAX_FRAME_STARTS);
  const seenAt = nextFrameAt(startTimes, performance.now());
  // Each clock adds what is left of the frame to its own reading of the time, so that all draw the same instant.
  for (const draw of drawings) draw(Math.max(0, seenAt - performance.now()));
  if (flips.length === 0) return;
  const dueFlips = flips;
  flips = [];
  // Otherwise React renders after this frame is drawn, and every flip comes a frame late.
  flushSync(() => {
    for (const flip of dueFlips) flip();
  });
}

/** Calls `draw` on every animation frame until the returned function is called. */
export function watchFrames(draw: Draw): () => void {
  drawings.add(draw);
  if (frame === 0) frame = requestAnimationFrame(runFrame);
  return () => {
    drawings.delete(draw);
  };
}

/** Changes state within the current frame. */
export const flipInFrame = (change: () => void): void => {
  flips.push(change);
};

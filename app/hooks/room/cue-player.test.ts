// The start of sound, with the browser's audio and frames replaced.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onAudioStart, startAudio } from "./cue-player";

class Card {
  static made: Card[] = [];
  state = "suspended";
  onstatechange: (() => void) | null = null;
  constructor() {
    Card.made.push(this);
  }
  async resume() {
    this.state = "running";
    this.onstatechange?.();
  }
}

let frames: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (onFrame: () => void) => frames.push(onFrame));
  vi.stubGlobal("AudioContext", Card);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("P2 the first press makes the audio card once it is drawn, and tones are scheduled as soon as sound is possible", () => {
  const heard = vi.fn();
  const stop = onAudioStart(heard);
  startAudio();
  // A second event of the same press.
  startAudio();
  expect(Card.made).toHaveLength(0);
  for (const onFrame of frames) onFrame();
  frames = [];
  expect(Card.made).toHaveLength(0);
  vi.runAllTimers();
  expect(Card.made).toHaveLength(1);
  expect(heard).toHaveBeenCalledTimes(1);
  stop();
  const [card] = Card.made;
  if (card) card.state = "suspended";
  startAudio();
  expect(card?.state).toBe("running");
  expect(heard).toHaveBeenCalledTimes(1);
});

// Plays tones on the audio clock. They are scheduled minutes ahead, so that they are on time in a background tab.
import type { LaidTone } from "~/domain/cue-plan";

let card: AudioContext | null = null;
let laid: { tone: OscillatorNode; cueAt: number }[] = [];

const listeners = new Set<() => void>();

/**
 * Browsers allow sound only after a user gesture; call this from a press. The browser may need a tenth of a second to
 * make a card, so it waits until the press is drawn.
 */
export function startAudio(): void {
  if (typeof AudioContext === "undefined") return;
  if (card === null) requestAnimationFrame(() => setTimeout(wakeCard));
  else wakeCard();
}

function wakeCard(): void {
  if (card === null) {
    card = new AudioContext();
    card.onstatechange = () => {
      if (isAudioRunning()) for (const heard of listeners) heard();
    };
  }
  if (card.state === "suspended") void card.resume();
}

/** Calls `heard` whenever sound becomes possible, until the returned function is called. */
export function onAudioStart(heard: () => void): () => void {
  listeners.add(heard);
  return () => {
    listeners.delete(heard);
  };
}

export const isAudioRunning = (): boolean => card?.state === "running";
export const cardNow = (): number => card?.currentTime ?? 0;

/** Cancels the scheduled tones, except those that are playing. */
export function silence(): void {
  const now = cardNow();
  for (const { tone, cueAt } of laid) if (cueAt > now) tone.stop();
  laid = laid.filter(({ cueAt }) => cueAt <= now);
}

/** Replaces the scheduled tones. */
export function playTones(tones: readonly LaidTone[]): void {
  silence();
  if (card?.state !== "running") return;
  for (const { at, cueAt, hertz, length, gain } of tones) {
    const tone = card.createOscillator();
    const volume = card.createGain();
    tone.type = "sine";
    tone.frequency.value = hertz;
    // A short attack and release, because a tone that is cut off clicks.
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(gain, at + 0.012);
    volume.gain.setValueAtTime(gain, at + length - 0.04);
    volume.gain.linearRampToValueAtTime(0, at + length);
    tone.connect(volume).connect(card.destination);
    tone.start(at);
    tone.stop(at + length + 0.02);
    tone.onended = () => {
      laid = laid.filter((one) => one.tone !== tone);
    };
    laid.push({ tone, cueAt });
  }
}

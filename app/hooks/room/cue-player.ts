// Plays tones on the audio clock. They are scheduled minutes ahead, so that they are on time in a background tab.
import type { ScheduledTone } from "~/domain/schedule/cue-plan";
import { createListeners } from "~/hooks/listeners";

let context: AudioContext | null = null;
let scheduled: { source: string; tone: OscillatorNode; cueAt: number }[] = [];

const { notify, subscribe } = createListeners();

/**
 * Browsers allow sound only after a user gesture; call this from a press. The browser may need a tenth of a second to
 * make the audio context, so it waits until the press is drawn.
 */
export function startAudio(): void {
  if (typeof AudioContext === "undefined") return;
  if (context === null) requestAnimationFrame(() => setTimeout(resumeAudio));
  else resumeAudio();
}

function resumeAudio(): void {
  if (context === null) {
    context = new AudioContext();
    context.onstatechange = () => {
      if (isAudioRunning()) notify();
    };
  }
  if (context.state === "suspended") void context.resume();
}

/** Calls `listener` whenever sound becomes possible, until the returned function is called. */
export const onAudioStart = subscribe;

export const isAudioRunning = (): boolean => context?.state === "running";
export const audioNow = (): number => context?.currentTime ?? 0;

/** Cancels the scheduled tones of a source, except those that are playing. */
export function stopTones(source: string): void {
  const now = audioNow();
  const isAhead = (entry: (typeof scheduled)[number]) => entry.source === source && entry.cueAt > now;
  for (const entry of scheduled) if (isAhead(entry)) entry.tone.stop();
  scheduled = scheduled.filter((entry) => !isAhead(entry));
}

/** Replaces the scheduled tones of a source: a session, or the timer of a goal. */
export function playTones(source: string, tones: readonly ScheduledTone[]): void {
  stopTones(source);
  if (context?.state !== "running") return;
  for (const { at, cueAt, hertz, length, gain } of tones) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "sine";
    tone.frequency.value = hertz;
    // A short attack and release, because a tone that is cut off clicks.
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(gain, at + 0.012);
    volume.gain.setValueAtTime(gain, at + length - 0.04);
    volume.gain.linearRampToValueAtTime(0, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length + 0.02);
    tone.onended = () => {
      scheduled = scheduled.filter((entry) => entry.tone !== tone);
    };
    scheduled.push({ source, tone, cueAt });
  }
}

// Gives each cue of a session at its instant: a scheduled sound, vibration, a notification while the page is hidden, and a
// sentence for screen readers. It sets one timer for the next cue and none for each second.
import { useContext, useEffect, useId, useRef, useState } from "react";
import { foremost, layTones, vibrationOf } from "~/domain/schedule/cue-plan";
import { type Cue, cuesAhead, presentSentence } from "~/domain/schedule/cues";
import type { Schedule } from "~/domain/schedule/shape";
import { type Instant, instant, MINUTE, SECOND } from "~/domain/time";
import { audioNow, isAudioRunning, onAudioStart, playTones, silence, startAudio } from "./cue-player";
import { useCueSettings } from "./cue-settings";
import { ClockContext } from "./use-now";
import { useSameNames } from "./use-same-names";

export type CueSource = {
  title: string;
  schedule: Schedule;
  roster: readonly string[];
  me: string | null;
  startsAt: Instant | null;
  endsAt: Instant | null;
  /** The session is in progress, so parts start and end without input. */
  isRunning: boolean;
  path: string;
};

/** How far ahead tones are scheduled; a background tab runs at least once a minute. */
const AHEAD = 10 * MINUTE;
const LAY_AGAIN = MINUTE;
/** A cue that is later than this is dropped. */
const LATE = 5 * SECOND;

/** The sentence for screen readers at this instant. */
export function useCues(source: CueSource): string {
  const id = useId();
  const clock = useContext(ClockContext);
  const settings = useCueSettings();
  const [announcement, setAnnouncement] = useState("");
  const latest = useRef({ source, settings });
  latest.current = { source, settings };
  const { schedule, startsAt, endsAt, isRunning, me } = source;
  const roster = useSameNames(source.roster);
  const { sound } = settings;

  useEffect(() => {
    const wake = () => {
      if (latest.current.settings.sound) startAudio();
    };
    // A finger is no gesture before it is lifted.
    document.addEventListener("pointerup", wake);
    document.addEventListener("keydown", wake);
    return () => {
      document.removeEventListener("pointerup", wake);
      document.removeEventListener("keydown", wake);
      silence(id);
    };
  }, [id]);

  // A newcomer hears the current part once.
  const isAnnounced = useRef(false);
  useEffect(() => {
    if (isAnnounced.current || !isRunning) return;
    isAnnounced.current = true;
    const { source: now } = latest.current;
    setAnnouncement(
      presentSentence(now.schedule, { now: instant(clock.now()), roster: now.roster, me: now.me }),
    );
  }, [clock, isRunning]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let givenUntil = instant(clock.now());
    let layTimer: ReturnType<typeof setTimeout> | undefined;

    const ahead = (from: Instant): Cue[] =>
      cuesAhead(isRunning ? schedule : { groups: [] }, {
        now: from,
        until: instant(from + AHEAD),
        roster,
        me,
        startsAt,
        endsAt,
      });

    const lay = () => {
      clearTimeout(layTimer);
      const now = instant(clock.now());
      if (sound && isAudioRunning()) playTones(id, layTones(ahead(now), now, audioNow()));
      else silence(id);
      layTimer = setTimeout(lay, LAY_AGAIN);
    };

    const wait = () => {
      const now = instant(clock.now());
      const next = ahead(now)[0];
      // The clock may be corrected and the tab may sleep, so this checks at least once a minute.
      timer = setTimeout(tell, Math.min(LAY_AGAIN, next ? next.at - now : LAY_AGAIN));
    };

    const tell = () => {
      const now = instant(clock.now());
      const due = ahead(givenUntil).filter((cue) => cue.at <= now);
      givenUntil = now;
      const fresh = due.filter((cue) => now - cue.at <= LATE);
      const sentence = fresh
        .map((cue) => cue.sentence)
        .filter(Boolean)
        .join(" ");
      if (sentence) setAnnouncement(sentence);
      const best = foremost(fresh);
      const pattern = best ? vibrationOf(best.kind) : [];
      if (pattern.length > 0 && latest.current.settings.vibration) navigator.vibrate?.(pattern);
      const shown = foremost(fresh.filter((cue) => cue.sentence !== "" && cue.kind !== "half"));
      if (shown && latest.current.settings.notifications && document.hidden)
        notify(latest.current.source, shown);
      wait();
    };

    const wakeUp = () => {
      if (document.visibilityState === "visible") lay();
    };
    const stopListening = onAudioStart(lay);
    lay();
    wait();
    document.addEventListener("visibilitychange", wakeUp);
    return () => {
      clearTimeout(timer);
      clearTimeout(layTimer);
      silence(id);
      document.removeEventListener("visibilitychange", wakeUp);
      stopListening();
    };
  }, [clock, schedule, roster, me, startsAt, endsAt, isRunning, id, sound]);

  return announcement;
}

function notify({ title, path }: CueSource, cue: Cue): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(cue.sentence, {
      body: title,
      tag: `session ${path}`,
      icon: "/favicon-48.png",
    });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones allow notifications only from a service worker; they still get sound and vibration.
  }
}

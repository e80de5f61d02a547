// Plays and announces each cue of a session at its instant: a scheduled sound, vibration, a notification while the page
// is hidden, and a sentence for screen readers. It sets one timer for the next cue and none for each second.
import { useCallback, useContext, useEffect, useId, useRef, useState } from "react";
import { type NamedPerson, nameAmong } from "~/domain/room/guest-names";
import { foremost, scheduledTones, vibrationOf } from "~/domain/schedule/cue-plan";
import { type Cue, cuesAhead, presentSentence } from "~/domain/schedule/cues";
import type { Schedule } from "~/domain/schedule/shape";
import { type Instant, instant, MINUTE } from "~/domain/time";
import { DueCues } from "~/hooks/due-cues";
import { ClockContext } from "~/hooks/use-now";
import { audioNow, isAudioRunning, onAudioStart, playTones, startAudio, stopTones } from "./cue-player";
import { useCueSettings } from "./cue-settings";
import { useSameNames } from "./use-same-names";

export type CueSource = {
  title: string;
  schedule: Schedule;
  roster: readonly string[];
  me: string | null;
  /** The roster, which knows the names of guests as typed (H-23). */
  people?: readonly NamedPerson[];
  startsAt: Instant | null;
  endsAt: Instant | null;
  /** The session is in progress, so parts start and end without input. */
  isRunning: boolean;
  path: string;
};

const namesOf =
  ({ people = [] }: CueSource) =>
  (name: string) =>
    nameAmong(people, name);

/** How far ahead tones are scheduled; a background tab runs at least once a minute. */
const LOOKAHEAD = 10 * MINUTE;
const RESCHEDULE_EVERY = MINUTE;
/** The clock may be corrected and the tab may sleep, so the wait for a cue is checked this often. */
const MAX_WAIT = MINUTE;

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
    const unlockAudio = () => {
      if (latest.current.settings.sound) startAudio();
    };
    // Browsers unlock audio on pointerup, not on touch start.
    document.addEventListener("pointerup", unlockAudio);
    document.addEventListener("keydown", unlockAudio);
    return () => {
      document.removeEventListener("pointerup", unlockAudio);
      document.removeEventListener("keydown", unlockAudio);
      stopTones(id);
    };
  }, [id]);

  const cuesFrom = useCallback(
    (from: Instant): Cue[] =>
      cuesAhead(isRunning ? schedule : { groups: [] }, {
        now: from,
        until: instant(from + LOOKAHEAD),
        roster,
        me,
        // A changed name does not need a new plan.
        nameFor: namesOf(latest.current.source),
        startsAt,
        endsAt,
      }),
    [schedule, roster, me, startsAt, endsAt, isRunning],
  );

  const dueCues = useRef<DueCues | null>(null);
  useEffect(() => {
    const now = () => instant(clock.now());
    let timer: ReturnType<typeof setTimeout> | undefined;

    const announce = (cues: readonly Cue[]) => {
      const sentence = cues
        .map((cue) => cue.sentence)
        .filter(Boolean)
        .join(" ");
      if (sentence) setAnnouncement(sentence);
      const { settings, source } = latest.current;
      const best = foremost(cues);
      const pattern = best ? vibrationOf(best.kind) : [];
      if (pattern.length > 0 && settings.vibration) navigator.vibrate?.(pattern);
      const notified = foremost(cues.filter((cue) => cue.sentence !== "" && cue.kind !== "half"));
      if (notified && settings.notifications && document.hidden) notify(source, notified);
    };

    dueCues.current ??= new DueCues(now());
    const dueNow = dueCues.current;
    const wait = () => {
      const next = cuesFrom(now())[0];
      timer = setTimeout(
        () => {
          announce(dueNow.take(now()));
          wait();
        },
        Math.min(MAX_WAIT, next ? next.at - now() : MAX_WAIT),
      );
    };
    announce(dueNow.replacePlan(cuesFrom, now()));
    wait();
    return () => clearTimeout(timer);
  }, [clock, cuesFrom]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scheduleTones = () => {
      clearTimeout(timer);
      const now = instant(clock.now());
      if (sound && isAudioRunning()) playTones(id, scheduledTones(cuesFrom(now), now, audioNow()));
      else stopTones(id);
      timer = setTimeout(scheduleTones, RESCHEDULE_EVERY);
    };
    const onVisible = () => {
      if (document.visibilityState === "visible") scheduleTones();
    };
    const stopListening = onAudioStart(scheduleTones);
    scheduleTones();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearTimeout(timer);
      stopTones(id);
      document.removeEventListener("visibilitychange", onVisible);
      stopListening();
    };
  }, [clock, cuesFrom, id, sound]);

  // A newcomer hears the current part once.
  const isAnnounced = useRef(false);
  useEffect(() => {
    if (isAnnounced.current || !isRunning) return;
    isAnnounced.current = true;
    const { source } = latest.current;
    setAnnouncement(
      presentSentence(source.schedule, { ...source, now: instant(clock.now()), nameFor: namesOf(source) }),
    );
  }, [clock, isRunning]);

  return announcement;
}

function notify({ title, path }: CueSource, cue: Cue): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const notification = new Notification(cue.sentence, {
      body: title,
      tag: `session ${path}`,
      icon: "/favicon-48.png",
    });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Some phones allow notifications only from a service worker; they still get sound and vibration.
  }
}

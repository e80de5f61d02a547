// The cues of a session, computed ahead of time: each start, half, warning, end, interval and turn, at its instant and with
// its sentence. Pure.

import { spokenSpan } from "~/domain/spoken-span";
import { type Instant, instant, MINUTE, millisBetween, plusMillis, SECOND } from "~/domain/time";
import { advanceSchedule, nextTransitionAt } from "./advance";
import { kindOf } from "./part-kinds";
import { findPart, type Part, partPlaces, type Schedule } from "./shape";
import { partIntervalAt, pieceAt, pieceCount, pieceStart, piecesOfTurn, turnAt } from "./timer-pieces";

export type CueKind = "start" | "half" | "warning" | "last-seconds" | "end" | "interval" | "turn" | "my-turn";

export type Cue = {
  at: Instant;
  kind: CueKind;
  partId: string;
  sentence: string;
  /** The last seconds of the listener's own turn. */
  endsTurn?: true;
};

/** The remaining time at each warning. In milliseconds. */
const WARNINGS = [5 * MINUTE, MINUTE] as const;
const LAST_SECONDS = 10 * SECOND;
/** Cues closer than this are redundant; a part shorter than twice this has only start and end. */
const MIN_DISTANCE = 15 * SECOND;
/** Shorter intervals only sound, without a sentence. */
const SHORTEST_SPOKEN_INTERVAL = 8 * SECOND;
const MAX_TRANSITIONS = 200;
const MAX_INTERVALS = 400;

const nameOf = (part: Part): string => part.title || "Timer";

type View = {
  now: Instant;
  until: Instant;
  roster: readonly string[];
  me: string | null;
  /** A name as people read it. */
  nameFor?: (username: string) => string;
  /** The session's own start and end have cues too. */
  startsAt?: Instant | null;
  endsAt?: Instant | null;
};

/** The cues in (`now`, `until`], in order, as the schedule advances without further input. */
export function cuesAhead(schedule: Schedule, view: View): Cue[] {
  const { until, roster } = view;
  const cues: Cue[] = [];
  let at = view.now;
  let current = advanceSchedule(schedule, { now: at, roster }).schedule;
  for (const { part } of partPlaces(current))
    if (part.state === "running") cues.push(...innerCues(part, view));
  for (let transition = 0; transition < MAX_TRANSITIONS; transition += 1) {
    const next = nextTransitionAt(current, { now: at, roster });
    if (next === null || next > until) break;
    const { schedule: advanced, events } = advanceSchedule(current, { now: next, roster });
    for (const step of events) {
      const part = findPart(advanced, step.partId);
      if (!part) continue;
      if (step.type === "part-finished")
        cues.push({ at: step.at, kind: "end", partId: part.id, sentence: endSentence(advanced, part) });
      else if (step.type === "part-started") cues.push(startCue(part, step.at), ...innerCues(part, view));
    }
    // A change of turn is no transition of the schedule, so skip it.
    at = next > at ? next : plusMillis(at, 1);
    current = advanced;
  }
  cues.push(...sessionCues(view, cues));
  return cues
    .filter((cue) => cue.at > view.now && cue.at <= until)
    .sort((a, b) => a.at - b.at || orderOf(a.kind) - orderOf(b.kind));
}

const ORDER: readonly CueKind[] = [
  "end",
  "start",
  "my-turn",
  "turn",
  "interval",
  "half",
  "warning",
  "last-seconds",
];
const orderOf = (kind: CueKind): number => ORDER.indexOf(kind);

const startCue = (part: Part, at: Instant): Cue => ({
  at,
  kind: "start",
  partId: part.id,
  sentence: `${nameOf(part)} has started. ${spokenSpan(spanOf(part))}.`,
});

const spanOf = (part: Part): number =>
  part.startedAt === null || part.endedAt === null
    ? part.duration * SECOND
    : millisBetween(part.startedAt, part.endedAt);

function endSentence(schedule: Schedule, part: Part): string {
  const next = partPlaces(schedule).find((place) => place.part.state === "waiting");
  // A loudspeaker tells everybody, so not even the host's page names a hidden part.
  const after = next && !next.group.isHidden ? ` Next: ${nameOf(next.part)}.` : "";
  return `${nameOf(part)} is over.${after}`;
}

/** Cues of the session as a whole, except within a quarter of a minute of a part's cue. */
function sessionCues({ startsAt = null, endsAt = null }: View, earlier: readonly Cue[]): Cue[] {
  const isClear = (at: number) => earlier.every((cue) => Math.abs(cue.at - at) >= MIN_DISTANCE);
  const warnings = (to: Instant, sentenceFor: (left: string) => string): Cue[] =>
    WARNINGS.map((left): Cue => {
      const at = plusMillis(to, -left);
      return { at, kind: "warning", partId: "", sentence: sentenceFor(spokenSpan(left)) };
    }).filter((cue) => isClear(cue.at));
  return [
    ...(startsAt === null
      ? []
      : [
          ...warnings(startsAt, (left) => `The session starts in ${left}.`),
          { at: startsAt, kind: "start" as const, partId: "", sentence: "The session has started!" },
        ]),
    ...(endsAt === null
      ? []
      : [
          ...warnings(endsAt, (left) => `The session ends in ${left}.`).filter(
            (cue) => startsAt === null || cue.at > startsAt,
          ),
          { at: endsAt, kind: "end" as const, partId: "", sentence: "This session has ended." },
        ]),
  ];
}

/** The cues within a running part: half, warnings, intervals, turns. */
function innerCues(part: Part, view: View): Cue[] {
  if (part.startedAt === null || part.endedAt === null) return [];
  const kind = kindOf(part);
  switch (kind) {
    case "plain":
      return timeCues(part, part.startedAt, part.endedAt);
    case "intervals":
      return [...timeCues(part, part.startedAt, part.endedAt), ...intervalCues(part, part.startedAt, view)];
    case "turns":
      return turnCues(part, part.startedAt, view);
    default:
      return kind satisfies never;
  }
}

function timeCues(part: Part, start: Instant, end: Instant): Cue[] {
  const span = end - start;
  const cues: Cue[] = [];
  const addCue = (at: number, kind: CueKind, sentence: string) => {
    const isClear = [start, end, ...cues.map((cue) => cue.at)].every(
      (other) => Math.abs(other - at) >= (kind === "last-seconds" ? LAST_SECONDS : MIN_DISTANCE),
    );
    if (isClear) cues.push({ at: instant(at), kind, partId: part.id, sentence });
  };
  for (const left of WARNINGS)
    if (left < span) addCue(end - left, "warning", `${spokenSpan(left)} left of ${nameOf(part)}.`);
  // With intervals, the last ten seconds belong to the last interval.
  if (part.intervals.length === 0 && span > 2 * MIN_DISTANCE)
    addCue(end - LAST_SECONDS, "last-seconds", `10 seconds left of ${nameOf(part)}.`);
  if (span > 2 * MIN_DISTANCE && part.intervals.length === 0)
    addCue(start + span / 2, "half", `Half of ${nameOf(part)} is over. ${spokenSpan(span / 2)} left.`);
  return cues;
}

function intervalCues(part: Part, start: Instant, { now, until }: View): Cue[] {
  const count = pieceCount(part);
  if (part.intervals.length === 0 || pieceStart(part, count) === 0) return [];
  const cues: Cue[] = [];
  const first = pieceAt(part, Math.max(0, now - start))?.index ?? count;
  for (let piece = Math.max(1, first); piece < count && cues.length < MAX_INTERVALS; piece += 1) {
    const [from, to] = [pieceStart(part, piece), pieceStart(part, piece + 1)];
    if (start + from > until) break;
    if (to > from)
      cues.push({
        at: plusMillis(start, from),
        kind: "interval",
        partId: part.id,
        sentence: intervalSentence(part, piece, to - from),
      });
  }
  return cues;
}

function intervalSentence(part: Part, piece: number, span: number): string {
  const index = piece % part.intervals.length;
  const interval = part.intervals[index];
  if (!interval || span < SHORTEST_SPOKEN_INTERVAL) return "";
  const set = Math.floor(piece / part.intervals.length) + 1;
  const which = index === 0 && part.sets > 1 ? `Set ${set} of ${part.sets}. ` : "";
  return `${which}${interval.title || `Interval ${index + 1}`}, ${spokenSpan(span)}.`;
}

function turnCues(part: Part, start: Instant, { me, nameFor = String }: View): Cue[] {
  const perTurn = piecesOfTurn(part);
  return part.turns.flatMap((username, index): Cue[] => {
    const at = plusMillis(start, pieceStart(part, index * perTurn));
    const end = plusMillis(start, pieceStart(part, (index + 1) * perTurn));
    const isMine = username === me;
    const turn: Cue = {
      at,
      kind: isMine ? "my-turn" : "turn",
      partId: part.id,
      sentence: isMine ? `It is your turn: ${spokenSpan(end - at)}.` : `It is ${nameFor(username)}'s turn.`,
    };
    return isMine && end - at > 2 * MIN_DISTANCE
      ? [
          turn,
          {
            at: plusMillis(end, -LAST_SECONDS),
            kind: "last-seconds",
            partId: part.id,
            sentence: "10 seconds left of your turn.",
            endsTurn: true,
          },
        ]
      : [turn];
  });
}

/** The sentence for a newcomer: the current part, its remaining time, the turn. */
export function presentSentence(
  schedule: Schedule,
  { now, roster, me, nameFor = String }: Omit<View, "until">,
): string {
  const current = advanceSchedule(schedule, { now, roster }).schedule;
  const part = partPlaces(current).find(
    (place) => place.part.state === "running" || place.part.state === "paused",
  )?.part;
  if (!part || part.endedAt === null) return "";
  const left = spokenSpan(part.endedAt - (part.pausedAt ?? now));
  const turn = turnAt(part, now);
  const turnText = turn
    ? turn.username === me
      ? " It is your turn."
      : ` It is ${nameFor(turn.username)}'s turn.`
    : "";
  const reading =
    part.intervals.length > 0 && part.startedAt !== null
      ? partIntervalAt(part, (part.pausedAt ?? now) - part.startedAt)
      : null;
  const interval = reading?.intervalIndex != null ? part.intervals[reading.intervalIndex]?.title : "";
  return `${nameOf(part)}${interval ? `, ${interval}` : ""}: ${left} left${part.state === "paused" ? ", paused" : ""}.${turnText}`;
}

// Presence in a room and the attendance that follows from it (G-24 to G-26, R-68). Pure; the room's own clock counts.
import {
  DAY,
  earlier,
  type Instant,
  later,
  MINUTE,
  plusMillis,
  SECOND,
  type Seconds,
  seconds,
} from "~/domain/time";

/** How often a page pings. Milliseconds. */
export const PING_EVERY = 30 * SECOND;
/** How long a socket may be silent before it is away. Milliseconds. */
const AWAY_AFTER = 90 * SECOND;
/** How often a room with open sockets checks their pings when nothing else wakes it. Milliseconds. */
export const CHECK_PINGS_EVERY = 2 * MINUTE;

/** When a socket counts as away, unless it gives another sign: a ping, a message or its acceptance. */
export const awayAt = (seenAt: Instant): Instant => plusMillis(seenAt, AWAY_AFTER);

/** A shorter absence counts as presence. Milliseconds. */
const PRESENCE_GAP = 90 * SECOND;
/** Presence at any moment of this span counts as having come. Milliseconds. */
const ARRIVAL_PERIOD = 15 * MINUTE;
/** Beyond this the two oldest intervals become one, so that a stored row stays small. */
const MAX_INTERVALS = 500;

/** From an arrival to the last departure; `to` is null while the person is in the room. */
type Interval = readonly [from: Instant, to: Instant | null];
/** A person's intervals in order, with more than `PRESENCE_GAP` between them. */
export type Presence = {
  intervals: readonly Interval[];
  /** After a crash: a return until then continues the last interval (G-25). */
  backUntil?: Instant;
  /** When the person gave up the seat: after the start the session counts (G-26). */
  leftAt?: Instant;
  /** The host removed the person, who then neither came nor missed the session. */
  isRemoved?: true;
};
export const NOBODY_YET: Presence = { intervals: [] };

const withLast = ({ intervals, leftAt }: Presence, last: Interval): Presence => ({
  intervals: [...intervals.slice(0, -1), last],
  ...(leftAt === undefined ? {} : { leftAt }),
});

/** The host has removed this person. A return, which ends the mark, counts from then on. */
export const REMOVED: Presence = { intervals: [], isRemoved: true };

/** The first of a person's sockets has joined. */
export function arrive(presence: Presence, now: Instant): Presence {
  const { intervals, backUntil, leftAt } = presence;
  const last = intervals.at(-1);
  if (last?.[1] === null) return presence;
  const continuesLast =
    last !== undefined &&
    (backUntil === undefined ? now - (last[1] ?? now) <= PRESENCE_GAP : now <= backUntil);
  if (continuesLast) return withLast(presence, [last[0], null]);
  const withArrival: Interval[] = [...intervals, [now, null]];
  const [first, second] = withArrival;
  const bounded: Interval[] =
    withArrival.length > MAX_INTERVALS && first && second
      ? [[first[0], second[1]], ...withArrival.slice(2)]
      : withArrival;
  return { intervals: bounded, ...(leftAt === undefined ? {} : { leftAt }) };
}

/**
 * The last of a person's sockets has closed, or has been away since `now`. A close that arrives after a crash ends the
 * interval that the crash cut off.
 */
export function depart(presence: Presence, now: Instant): Presence {
  const last = presence.intervals.at(-1);
  if (!last || (last[1] !== null && presence.backUntil === undefined)) return presence;
  return withLast(presence, [last[0], later(now, last[0])]);
}

/** The room has restarted without the person's sockets: the interval ends at the last instant that it stored (G-25). */
export function lose(presence: Presence, storedAt: Instant, now: Instant): Presence {
  const last = presence.intervals.at(-1);
  if (last?.[1] !== null) return presence;
  return {
    ...withLast(presence, [last[0], later(last[0], storedAt)]),
    backUntil: plusMillis(now, PRESENCE_GAP),
  };
}

/** How long a session counts for the reliability, and from how many sessions on it is shown (G-28). */
export const RELIABILITY = { days: 30, from: 3 } as const;
export const reliableSince = (now: Instant): Instant => plusMillis(now, -RELIABILITY.days * DAY);

/** Came ÷ (came + missed) in percent; null below three sessions. */
export const reliabilityOf = ({ came, missed }: { came: number; missed: number }): number | null =>
  came + missed < RELIABILITY.from ? null : Math.round((100 * came) / (came + missed));

export type Attendance = { seconds: Seconds; hasCome: boolean };

/** A session in a user's history; the title is null for a session that the user does not see any more (G-27). */
export type PastSession = Attendance & {
  id: number;
  startedAt: Instant;
  endedAt: Instant | null;
  title: string | null;
  hasRecap: boolean;
};

/**
 * Whole seconds in a session from `start` to `end`, and whether that counts as having come (G-26). `startThatCounts`: the
 * start from which an arrival counts.
 */
export function attendanceOf(
  { intervals }: Presence,
  start: Instant,
  end: Instant,
  startThatCounts: Instant = start,
): Attendance {
  let presentMs = 0;
  let hasArrived = false;
  for (const [from, to] of intervals) {
    const [since, until] = [later(from, start), earlier(to ?? end, end)];
    if (until < since || until < start || from > end) continue;
    presentMs += until - since;
    if (since <= plusMillis(startThatCounts, ARRIVAL_PERIOD)) hasArrived = true;
  }
  return {
    seconds: seconds(Math.floor(presentMs / SECOND)),
    hasCome: hasArrived || 2 * presentMs >= end - start,
  };
}

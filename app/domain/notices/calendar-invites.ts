// Calendar mail: the version of a session that a participant's calendar gets next (F-20 to F-22). Pure.

import type { CalendarEntry } from "~/domain/calendar";
import type { EventBodies, EventKind } from "~/domain/notices/events";
import { type Instant, MINUTE, plusMillis } from "~/domain/time";

/** Changes of one session within this span become one email per person (F-22). */
export const DEBOUNCE = 5 * MINUTE;

/** The earliest start that lies ahead, by which people must know of a change. */
export const knownByOf = (starts: readonly (Instant | null)[], now: Instant): Instant | null =>
  starts.reduce((first, start) => {
    if (start === null || start <= now) return first;
    return first === null || start < first ? start : first;
  }, null);

/** True if people must know the news before the debounce is over. */
export const isUrgent = ({ knownBy }: { knownBy?: Instant | null }, at: Instant): boolean =>
  knownBy != null && knownBy <= at + DEBOUNCE;

/** The instant from which the email of a cause at `at` may leave: an invitation at once, a change after the debounce. */
export const mailableAt = (body: { isNew?: true; knownBy?: Instant | null }, at: Instant): Instant =>
  body.isNew || isUrgent(body, at) ? at : plusMillis(at, DEBOUNCE);

/** The entry that an email carried, or is about to carry; `version` names the state of the session in it. */
export type Mailed = Pick<CalendarEntry, "uid" | "sequence" | "start" | "end" | "title" | "address"> & {
  version: string;
  /** Missing in rows of before 23 November 2026. */
  said?: "invited" | "updated" | "left" | "cancelled" | "undated";
};
/** The body of the single calendar delivery of a user and a session, for all their versions. */
export type CalendarInviteBody = {
  /** Notices whose email falls into the debounce, the newest of each kind (F-24). */
  texts?: { [K in EventKind]?: EventBodies[K] };
  mailed?: Mailed;
  /** The person took the seat since the last email. */
  isNew?: 1;
  /** News of a start among what waits. */
  knownBy?: Instant;
};

export type CalendarInvite = {
  method: "REQUEST" | "CANCEL";
  entry: CalendarEntry;
  version: string;
  /** The sentence of an email without a notice's text. */
  news: NonNullable<Mailed["said"]>;
};

/**
 * The next version for this person, or the reason to send none. Its SEQUENCE is that of the session, or one above the
 * last mailed. `isRepeat`: an earlier try may have sent the version in `mailed`, which keeps its number and sentence then.
 */
export function nextInvitation(facts: {
  entry: CalendarEntry | null;
  hasSeat: boolean;
  mailed: Mailed | undefined;
  /** The person took the seat since the last email. */
  isNew?: boolean;
  isRepeat: boolean;
  now: Instant;
}): CalendarInvite | "started" | "stale" {
  const { entry, hasSeat, mailed, now } = facts;
  const takesPlace = entry !== null && !entry.isCancelled;
  const start = entry?.start ?? mailed?.start;
  // Nobody's calendar needs a session that runs or is over (F-22).
  if (start !== undefined && start <= now && !entry?.isCancelled) return "started";
  const method = takesPlace && hasSeat ? "REQUEST" : "CANCEL";
  const version = `${method}:${entry?.sequence ?? "gone"}`;
  const isSame = facts.isRepeat && mailed?.version === version;
  const sequence = isSame ? mailed.sequence : Math.max(entry?.sequence ?? 0, (mailed?.sequence ?? -1) + 1);
  if (takesPlace && hasSeat)
    return {
      method,
      version,
      entry: { ...entry, sequence, changedAt: now },
      news:
        (isSame && mailed.said) || (facts.isNew || !mailed || mailed.said === "left" ? "invited" : "updated"),
    };
  // A calendar that never got the session has nothing to remove.
  if (!mailed) return "stale";
  const { uid, start: from, end, title, address } = mailed;
  const cancelled = { uid, start: from, end, address, title: entry?.title ?? title, description: address };
  return {
    method,
    version,
    entry: { ...cancelled, sequence, changedAt: now, isCancelled: true },
    news: takesPlace ? "left" : entry === null && hasSeat ? "undated" : "cancelled",
  };
}

export const mailedOf = ({ entry, version, news }: CalendarInvite): Mailed => {
  const { uid, sequence, start, end, title, address } = entry;
  return { uid, sequence, start, end, title, address, version, said: news };
};

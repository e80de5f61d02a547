// The date, length, place and free spots of a session (U-39).
import { Icon } from "~/components/pictures/icon";
import { useLive } from "~/components/room/live-context";
import { TextLink } from "~/components/ui/text-link";
import { HostTime, Time } from "~/components/ui/time";
import { describeDuration } from "~/domain/duration-text";
import { seatsOffered } from "~/domain/sessions/spots";
import { lengthOf, SESSION_STATUS } from "~/domain/sessions/status";
import type { ShownSession } from "~/domain/sessions/view";
import { HOUR, SECOND } from "~/domain/time";
import type { LiveRoom } from "~/wire/room/live-room";
import { AddToCalendar } from "./add-to-calendar";
import { useStatus } from "./page";

const DIFFICULTY: Record<number, string> = { 3: "Easy", 4: "Normal", 6: "Difficult" };

type Spots = { count: number; limit: number | null; held: number; came: number | null; hasEnded: boolean };

/**
 * "3 of 10 spots left" in words; `held` spots are offered to the waiting list (G-22). `came` is the recap's attendance,
 * which every page shows for a session with a recap. Pure.
 */
export function spotsText({ count, limit, held, came, hasEnded }: Spots): string {
  if (hasEnded && came !== null) return `${came} came`;
  const people = `${count} ${count === 1 ? "participant" : "participants"}`;
  if (hasEnded) return people;
  if (limit === null || limit === 0) return `${people}, no limit`;
  const spotsLeft = Math.max(0, limit - count - held);
  if (spotsLeft === 0 && held > 0) return `${people}, no spots left: ${held} offered to the waiting list`;
  if (spotsLeft === 0) return `${people}, no spots left`;
  return `${people}, ${spotsLeft} of ${limit} ${limit === 1 ? "spot" : "spots"} left`;
}

export type SessionFactsProps = {
  session: ShownSession;
  /** Joined and upcoming. */
  canAddToCalendar: boolean;
};

/** The start and end of the room as instants, its length in seconds, and its number of people. Pure. */
export function factsOf({ startedAt, endedAt, duration, count }: LiveRoom) {
  return { startedAt, endedAt, total: lengthOf({ startedAt, endedAt, duration }), count };
}

export function SessionFacts({ session, canAddToCalendar }: SessionFactsProps) {
  const room = useLive("room");
  const status = useStatus();
  const { startedAt, endedAt, total, count } = factsOf(room);
  return (
    <ul className="flex flex-col gap-2 text-soft">
      <li className="flex gap-2">
        <Icon name="calendar" className="mt-0.5" />
        <div className="min-w-0">
          {startedAt === null ? (
            <span>
              {session.isManuallyStarted ? "Starts when the host starts it" : "No date yet"} ·{" "}
              {describeDuration(total)}
            </span>
          ) : (
            <details className="group">
              <summary className="inline-flex flex-wrap items-baseline gap-x-2 rounded-sm">
                <span className="text-ink">
                  <Time at={startedAt} look="full" />
                  {endedAt !== null && (
                    <>
                      {" – "}
                      <Time
                        at={endedAt}
                        look={total < (12 * HOUR) / SECOND ? "time" : "full"}
                        className="whitespace-nowrap"
                      />
                    </>
                  )}
                </span>
                <span className="facts-fold">Total time</span>
              </summary>
              <p className="tabular">{describeDuration(total)} in all</p>
            </details>
          )}
          {startedAt !== null && session.hostZone !== null && (
            <HostTime at={startedAt} zone={session.hostZone} />
          )}
          {canAddToCalendar && startedAt !== null && <AddToCalendar path={session.path} />}
        </div>
      </li>
      <li className="flex gap-2">
        <Icon name="people" className="mt-0.5" />
        <span>
          {spotsText({
            count,
            limit: session.participantLimit,
            held: seatsOffered(session),
            came: session.came,
            hasEnded: status === SESSION_STATUS.ended,
          })}
        </span>
      </li>
      <li className="flex gap-2">
        <Icon name="flag" className="mt-0.5" />
        <span className="min-w-0">
          {session.activity ? (
            <TextLink to={`/activities/${session.activity.slug}`}>{session.activity.title}</TextLink>
          ) : (
            "No activity"
          )}
          {session.hut && (
            <>
              {" · "}
              <TextLink to={`/group/${session.hut.slug}`}>h/{session.hut.slug}</TextLink>
            </>
          )}
          {DIFFICULTY[session.difficulty] && ` · ${DIFFICULTY[session.difficulty]}`}
        </span>
      </li>
    </ul>
  );
}
